import { execFileSync } from "node:child_process";
import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itemAt } from "../../src/contract/tables.js";
import { loadIndex } from "../../src/runtime/snapshot/load.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { aListing, aPublishedDirectory } from "../fixtures.js";
import { someOf } from "../slow.js";
import { manifestOf, publishManifest } from "../store/forge.js";
import { builtStore, copiedStore, manyListings } from "../store/trees.js";
import { aService, type Service, send } from "./http.js";

const FOLLOWED = { timeout: 20_000, interval: 25 };

const named = (name: string) =>
  aPublishedDirectory({ listings: [aListing({ name, tagline: "of one" })] });

const searched = async ({ server }: Service, query = "") =>
  (await send(server, `/api/sites${query}`)).text;

describe("a table with correct checksums and wrong values", () => {
  it("is refused with its name, and the next good snapshot is loaded", async () => {
    const service = await aService(named("First"));
    await publishManifest(service.store, ({ segments: [segment] }) => {
      if (segment !== undefined) segment.rows += 1;
    });
    const { table } = itemAt((await manifestOf(service.store)).segments, 0);
    const refusal = `${table.file}: its table is malformed: a column has the wrong number of rows`;
    await expect.poll(() => service.logged.join("\n"), FOLLOWED).toContain(refusal);
    expect(await searched(service)).toContain('"First"');
    await service.publish(named("Second"));
    await expect.poll(() => searched(service), FOLLOWED).toContain('"Second"');
  });
});

it("a load that takes too long ends with its thread and is refused, and the next one succeeds", async () => {
  const { store, result } = await copiedStore();
  const stored = await StoredSnapshot.openManifest(store, result.id);
  const inThread = { isAside: false, aloneRowsMax: 0 };
  const late = loadIndex(stored, { ...inThread, stepMs: 1 });
  await expect(late).rejects.toThrow(BadSnapshotError);
  await expect(late).rejects.toThrow("loading it took longer than 0 s");
  const { index } = await loadIndex(stored, inThread);
  expect(index.size).toBe(60);
  stored.close();
});

it("a manifest that claims more bytes than a file has does not reserve memory for them", async () => {
  const { store, result } = await builtStore(manyListings(3));
  const stored = await StoredSnapshot.openManifest(store, result.id);
  for (const bytes of someOf([2 ** 31, 2 ** 40, 2 ** 53 - 1], 1)) {
    const { table } = stored.manifest.segments[0]!;
    Object.assign(table, { bytes });
    const loading = loadIndex(stored, { isAside: false });
    await expect(loading).rejects.toThrow(`${table.file} does not match the manifest`);
  }
  stored.close();
});

describe("something else in the place of a store's regular file", () => {
  const kinds: Readonly<Record<string, (path: string) => Promise<unknown> | unknown>> = {
    "a pipe": (path) => execFileSync("mkfifo", [path]),
    "a device": (path) => symlink("/dev/zero", path),
  };
  const places = ["manifest", "document", "table", "pack"] as const;
  const cases = Object.keys(kinds).flatMap((kind) => places.map((place) => [kind, place] as const));
  it.each(someOf(cases, 3))(
    "%s for a %s is refused at once, and the previous snapshot keeps answering",
    async (kind, place) => {
      const service = await aService(named("First"));
      const id = await publishManifest(service.store, (manifest) => {
        manifest.content = "0".repeat(32);
      });
      const [segment] = (await manifestOf(service.store)).segments;
      const path = {
        manifest: `${id}/manifest.json`,
        document: `${id}/public/api/tags.json`,
        table: segment?.table.file ?? "",
        pack: segment?.pack.file ?? "",
      }[place];
      await rm(join(service.store, path));
      await kinds[kind]?.(join(service.store, path));
      service.server.reload();
      await expect.poll(() => service.logged.join("\n"), FOLLOWED).toContain("not a regular file");
      expect(await searched(service)).toContain('"First"');
    },
  );

  it("a pipe for current.json does not hold up the server", async () => {
    const service = await aService(named("First"));
    const path = join(service.store, "current.json");
    const good = await readFile(path);
    await rm(path);
    execFileSync("mkfifo", [path]);
    const refusal = "current.json cannot be read: it is not a regular file";
    await expect.poll(() => service.logged.join("\n"), FOLLOWED).toContain(refusal);
    await rm(path);
    await writeFile(path, good);
    await service.publish(named("Second"));
    await expect.poll(() => searched(service), FOLLOWED).toContain('"Second"');
  });
});
