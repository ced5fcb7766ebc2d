import { cp, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportSite } from "../../src/export/export.js";
import { build } from "../../src/publish/build.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { folderStore } from "../../src/store/folder-source.js";
import { STORE_FORMAT } from "../../src/store/names.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { verify } from "../../src/upkeep/verify.js";
import { wholeHandler } from "../fetch/whole.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { asked } from "../server/asked.js";
import { publishManifest } from "./forge.js";
import { builtStore, manyListings, treeOf } from "./trees.js";

const GONE = "gone.example";

/** A directory with a listing that was removed. */
function withRemoved(name = "Example") {
  return aPublishedDirectory({
    listings: [aListing({ name }), aListing({ host: GONE, visibility: "removed" })],
    scans: [aScan(), aScan({ host: GONE })],
  });
}

/** The files of a folder that name the removed listing. */
async function namesGone(folder: string): Promise<string[]> {
  const names = Object.keys(await treeOf(folder));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "latin1")));
  return names.filter((_, at) => texts[at]?.includes(GONE));
}

describe("the builder's notes", () => {
  it(
    "are the only file that names a removed listing, and a copy without dot files has all that " +
      "readers need",
    async () => {
      const { folder, store } = await builtStore(withRemoved());
      const copy = join(folder, "copy");
      for (const name of await readdir(store)) {
        // As `cp -r store/* copy` does.
        if (!name.startsWith("."))
          await cp(join(store, name), join(copy, name), { recursive: true });
      }
      expect(await namesGone(store)).toEqual([".notes"]);
      expect(await namesGone(copy)).toEqual([]);
      const handler = await wholeHandler({ store: folderStore(copy) });
      const reply = await handler(new Request("https://any.example/api/sites/example.com/report"));
      expect(reply.status).toBe(200);
      // Lost notes cost a full build.
      const published = join(folder, "published");
      expect(await build(published, { store: copy, jobs: 1 })).toMatchObject({ changed: false });
    },
  );

  it("cannot be read by other users, such as that of a web server", async () => {
    const { store } = await builtStore(withRemoved());
    expect((await stat(join(store, ".notes"))).mode & 0o007).toBe(0);
    expect((await stat(join(store, "current.json"))).mode & 0o004).toBe(0o004);
  });
});

async function manifestOf(store: string, id: string) {
  const snapshot = await StoredSnapshot.openManifest(store, id);
  snapshot.close();
  return snapshot.manifest;
}

describe("the manifest", () => {
  it("says whose directory it is and where: one without a report names its own site", async () => {
    const folder = await temporaryFolder();
    const store = join(folder, "store");
    const site = join(folder, "site");
    const files = aPublishedDirectory({ listings: [], scans: [] });
    const published = await writePublished(join(folder, "published"), files);
    const { id } = await build(published, { store, jobs: 1, keep: 1 });
    const { name, baseUrl, siteUrl } = files.directory as Record<string, unknown>;
    expect(siteUrl).not.toBe(baseUrl);
    expect(await manifestOf(store, id)).toMatchObject({ directory: { name, baseUrl, siteUrl } });
    await exportSite(site, { store, for: "nginx" });
    const { snapshot, close } = await loadSnapshot(store, id);
    for (const file of ["robots.txt", "sitemap.xml", "llms.txt"]) {
      const { bytes } = await asked(snapshot, `/${file}`);
      const text = bytes.toString("utf8");
      expect(text).toContain(file === "robots.txt" ? `${siteUrl}/sitemap.xml` : `${siteUrl}/`);
      expect(await readFile(join(site, file), "utf8")).toBe(text);
    }
    close();
  });

  it("of another format is refused in a line that says to build again, and a build replaces it", async () => {
    const { store, result, folder } = await builtStore(manyListings(3));
    const other = await publishManifest(store, (manifest) =>
      Object.assign(manifest, { format: STORE_FORMAT - 1 }),
    );
    (await StoredSnapshot.openManifest(store, result.id)).close();
    const opening = StoredSnapshot.openManifest(store, other);
    await expect(opening).rejects.toThrow(
      `${other}/manifest.json has format ${STORE_FORMAT - 1}, but this version of crawldex reads ` +
        `format ${STORE_FORMAT}: run crawldex build again`,
    );
    const { content } = await manifestOf(store, result.id);
    const rebuilt = await build(join(folder, "published"), { store, jobs: 1 });
    const now = await manifestOf(store, rebuilt.id);
    // The snapshot of another format counts as a publication.
    expect(now).toMatchObject({ content, history: { generation: 3 } });
    expect(await verify(store)).toMatchObject({ id: rebuilt.id, bad: [] });
  });
});
