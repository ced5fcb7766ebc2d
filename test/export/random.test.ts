import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { exportSite } from "../../src/export/export.js";
import { SiteTree } from "../../src/export/tree.js";
import { disk, StoreWriteError } from "../../src/files/disk.js";
import { build } from "../../src/publish/build.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { temporaryFolder } from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { repeated } from "../slow.js";
import { EditedDirectory } from "../store/edits.js";
import { treeOf } from "../store/trees.js";

/** Random sequences of snapshots and exports; other ones with SEED. */
const SEED = Number(process.env.SEED ?? 20_261_121);
const SEQUENCES = Number(process.env.SEQUENCES ?? 1);
const STEPS = repeated(4, 8);

type Pick = (count: number) => number;

/** Exports until a random call, from which on all fail, as of a process that died, or all that take room. */
async function failingExport(site: string, store: string, pick: Pick): Promise<void> {
  const isFull = pick(2) === 0;
  const error = () => (isFull ? new StoreWriteError("ENOSPC") : new Error("killed"));
  const last = pick(pick(2) === 0 ? 4 : 200);
  let calls = 0;
  const fails = (takesRoom: boolean) => {
    calls += 1;
    return calls > last && (takesRoom || !isFull);
  };
  const spies = (["prepare", "put", "remove", "syncFolders"] as const).map((method) => {
    const real = SiteTree.prototype[method] as (...args: unknown[]) => unknown;
    return vi.spyOn(SiteTree.prototype, method).mockImplementation(function (
      this: SiteTree,
      ...args: unknown[]
    ) {
      if (fails(method === "put")) throw error();
      return real.apply(this, args) as never;
    });
  });
  const write = disk.writeFile;
  const record = vi.spyOn(disk, "writeFile").mockImplementation(async (...args) => {
    if (fails(true)) throw error();
    await write(...args);
  });
  await exportSite(site, { store }).catch((ended: Error) => {
    if (!/^(?:ENOSPC|killed)$/.test(ended.message)) throw ended;
  });
  for (const spy of [...spies, record]) spy.mockRestore();
}

/** Changes a random file of the tree by hand. */
async function damage(site: string, outside: string, pick: Pick): Promise<void> {
  const files = Object.keys(await treeOf(site)).filter((name) => !name.endsWith("mine.txt"));
  const path = join(site, files[pick(files.length)] ?? "");
  const bytes = await readFile(path);
  const kind = pick(4);
  if (kind === 0) await writeFile(path, bytes.fill(0x20, 0, 9));
  else await rm(kind === 1 ? join(path, "..") : path, { recursive: true });
  if (kind === 2) await symlink(outside, path);
}

describe(`after any snapshots, failed exports and changes by hand, SEED=${SEED}`, () => {
  it.each(Array.from({ length: SEQUENCES }, (_, n) => n))(
    "the tree equals an export into an empty folder, and nothing else is touched: %i",
    async (sequence) => {
      const random = seeded(SEED + sequence);
      const pick: Pick = (count) => Math.floor(random() * count);
      const folder = await temporaryFolder();
      const [store, site, fresh, outside] = ["store", "site", "fresh", "outside"].map((name) =>
        join(folder, name),
      ) as [string, string, string, string];
      // Some have about the number of listings at which parts double.
      const directory = new EditedDirectory(
        join(folder, "published"),
        pick,
        sequence % 4 === 3 ? 254 : 12,
      );
      await directory.writeAll();
      await writeFile(outside, "mine");
      for (let step = 0; step < STEPS; step += 1) {
        for (let edits = pick(6); edits > 0; edits -= 1) await directory.edit();
        await build(directory.folder, { store, jobs: 1, keep: 4 });
        for (let fails = pick(3); fails > 0; fails -= 1) {
          await failingExport(site, store, pick);
          // There may be none left to go back to.
          if (pick(2) === 0) await rollback(store).catch(() => {});
        }
        const full = step > 0 && pick(3) === 0;
        if (full) await damage(site, outside, pick);
        const { id } = await exportSite(site, { store, full });
        await exportSite(fresh, { store });
        const { "mine.txt": mine, ...tree } = await treeOf(site);
        expect([step, id, tree]).toEqual([step, id, await treeOf(fresh)]);
        expect([await readFile(outside, "utf8"), mine !== undefined]).toEqual(["mine", step > 0]);
        await writeFile(join(site, "mine.txt"), "mine");
        await rm(fresh, { recursive: true });
        await rm(`${fresh}.crawldex.json`);
      }
    },
  );
});
