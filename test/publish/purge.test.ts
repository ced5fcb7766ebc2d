import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writePurgeList } from "../../src/publish/purge.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  theDirectory,
  theTaxonomy,
} from "../fixtures.js";
import { aStore } from "../store/stores.js";

const API = "https://api.directory.example";
const PAGES = "https://directory.example";
const HISTORY = { entitlements: { history: true } };

/** Three listings with history each; the first as given. */
function three(change: object = HISTORY, files: Partial<PublishedFiles> = {}): PublishedFiles {
  const hosts = ["a.example", "b.example", "c.example"];
  return aPublishedDirectory({
    listings: hosts.map((host, i) => aListing({ host, ...(i === 0 ? change : HISTORY) })),
    scans: hosts.flatMap((host) => [
      aScan({ host, id: "new" }),
      aScan({ host, id: "old", finishedAt: "2025-01-01T00:00:00Z" }),
    ]),
    ...files,
  });
}

/** Builds one directory after the other into a store, and lists what the second changed of the first. */
async function purged(before: PublishedFiles, after: PublishedFiles) {
  const { folder, store, builds } = await aStore(before, after);
  const [beforeId = "", afterId = ""] = builds;
  const list = join(folder, "purge.txt");
  const lines = async (from: string | null = beforeId) => {
    await writePurgeList(list, store, from, afterId);
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
    const text = await readFile(list, "utf8");
    expect(text === "" || text.endsWith("\n")).toBe(true);
    return text.split("\n").slice(0, -1);
  };
  return { store, beforeId, afterId, lines };
}

/** What each of these changes of the directory may show elsewhere: on all pages, and in what is computed. */
const CHANGES: readonly [string, after: PublishedFiles, onPages: boolean, computed: boolean][] = [
  ["a text", three({ ...HISTORY, name: "Another" }), false, true],
  ["a removal", three({ visibility: "removed", ...HISTORY }), true, true],
  ["a name", three(HISTORY, { directory: { ...theDirectory(), name: "New" } }), true, false],
  ["a document", three(HISTORY, { taxonomy: { ...theTaxonomy(), tags: [] } }), true, false],
];

// What must be listed, and of listings and documents nothing else, is shown in store/purge-random.test.ts.
describe("the purge list", () => {
  it("is empty where nothing changed, and where nothing was published before", async () => {
    const { lines, afterId } = await purged(three(), three({ ...HISTORY, name: "Other" }));
    expect(await lines(afterId)).toEqual([]);
    expect(await lines(null)).toEqual([]);
  });

  it("has everything, as prefixes, for another base address, or a former snapshot that cannot be read", async () => {
    const directory = { ...theDirectory(), baseUrl: "https://new.example" };
    const all = await (await purged(three(), three(HISTORY, { directory }))).lines();
    const isIn = (line: string) =>
      all.some((one) => one === line || (one.endsWith("*") && line.startsWith(one.slice(0, -1))));
    for (const [what, after, onPages, computed] of CHANGES) {
      const lines = await (await purged(three(), after)).lines();
      expect([what, lines.filter((line) => !isIn(line))]).toEqual([what, []]);
      expect(lines).toEqual([...new Set(lines)].sort());
      const has = [`${PAGES}/sites/*`, `${API}/api/sites?*`].map((line) => lines.includes(line));
      expect([what, ...has]).toEqual([what, onPages, computed]);
    }
    const { store, beforeId, afterId, lines } = await purged(three(), three({}));
    expect(await lines("")).toEqual(all);
    const { manifest } = await StoredSnapshot.openManifest(store, beforeId);
    await writeFile(join(store, manifest.segments[0]?.pack.file ?? ""), "{}");
    expect(await lines()).toEqual(all);
    await rm(join(store, afterId), { recursive: true });
    await expect(lines()).rejects.toThrow(BadSnapshotError);
  });
});
