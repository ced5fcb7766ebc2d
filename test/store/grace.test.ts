import { openSync, readdirSync } from "node:fs";
import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { calls } from "../../src/files/calls.js";
import { readNotes } from "../../src/publish/notes.js";
import { readManifest } from "../../src/publish/publish.js";
import { layout, snapshotId } from "../../src/store/layout.js";
import { openWhole } from "./answers.js";
import { aStore, named } from "./stores.js";
import { cleanUpLocked, letPass, treeOf } from "./trees.js";

const MINUTE = 60_000;

/** Sets when a snapshot stopped being current, in milliseconds from now. */
async function setSuperseded(store: string, id: string, fromNow: number): Promise<void> {
  const time = new Date(Date.now() + fromNow);
  await utimes(join(store, id), time, time);
}

const packsIn = (store: string) =>
  readdirSync(join(store, "segments")).filter((name) => name.endsWith(".pack"));

const snapshotsIn = async (store: string) =>
  (await readdir(store)).filter((name) => /^[0-9a-f]{32}$/.test(name)).sort();

/** Whether a snapshot can be read with all of its files. */
const isWhole = (store: string, id: string) =>
  openWhole(store, id).then(
    (snapshot) => {
      snapshot.close();
      return true;
    },
    () => false,
  );

describe("a snapshot that was current less than a minute ago", () => {
  it.each([
    ["half a minute ago stays", -MINUTE / 2, true],
    ["a minute ago goes", -MINUTE, false],
    ["30 seconds ahead, by another machine's clock, stays", MINUTE / 2, true],
    ["a year ahead, by a wrong clock, goes", 365 * 24 * 60 * MINUTE, false],
  ])("%s", async (_, fromNow, stays) => {
    const { store, publish, builds } = await aStore(named("One"), named("Two"));
    await setSuperseded(store, builds[0]!, fromNow);
    await publish(named("Two"), 1);
    expect(await snapshotsIn(store)).toEqual(
      (stays ? [...builds.slice(0, 2)] : [builds[1]!]).sort(),
    );
    expect(await isWhole(store, builds[0]!)).toBe(stays);
    expect(await isWhole(store, builds[1]!)).toBe(true);
  });

  it(
    "is known by its folder's time: the minute begins when it stops being current, not when it was " +
      "built",
    async () => {
      const { store, publish, builds } = await aStore(named("One"));
      await setSuperseded(store, builds[0]!, -60 * MINUTE);
      await publish(named("Two"), 1);
      expect(await isWhole(store, builds[0]!)).toBe(true);
    },
  );

  it("stays where the notes are lost", async () => {
    const { store, publish, builds } = await aStore(named("One"));
    await letPass(store);
    await publish(named("Two"), 1);
    await rm(join(store, ".notes"));
    await publish(named("Three"), 1);
    expect(await snapshotsIn(store)).toEqual([...builds].sort());
  });

  it("may be any of them while current.json is damaged", async () => {
    const { store, publish, builds } = await aStore(named("One"), named("Two"));
    await letPass(store);
    await writeFile(join(store, "current.json"), "{");
    await publish(named("Three"), 1);
    for (const id of builds) expect(await isWhole(store, id)).toBe(true);
  });
});

describe("what a run deletes before it writes", () => {
  it("is what --keep no longer keeps, so that there is room for the new snapshot", async () => {
    const { store, publish, builds } = await aStore(named("One"), named("Two"));
    await letPass(store);
    const create = vi.spyOn(calls, "create").mockImplementation((path) => {
      if (!path.includes("/segments/")) return openSync(path, "wx");
      expect(readdirSync(store)).not.toContain(builds[0]);
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    });
    onTestFinished(() => create.mockRestore());
    await expect(publish(named("Three"), 1)).rejects.toThrow("ENOSPC");
    expect(await snapshotsIn(store)).toEqual([builds[1]]);
    expect(await isWhole(store, builds[1]!)).toBe(true);
  });

  it("is no file that the manifest of a snapshot of another format names", async () => {
    const { store, builds } = await aStore(named("One"), named("Two"));
    await letPass(store);
    const { segments } = (await readManifest(store, builds[0]!))!;
    const manifest = Buffer.from(JSON.stringify({ format: 99, elsewhere: segments }));
    const other = snapshotId(manifest);
    await mkdir(join(store, other));
    await writeFile(layout.manifest(store, other), manifest);
    await cleanUpLocked(store, 1, await readNotes(store));
    expect(await snapshotsIn(store)).toEqual([builds[1], other].sort());
    const tree = await treeOf(store);
    for (const { file } of [segments[0]!.table, segments[0]!.pack]) {
      expect(tree).toHaveProperty([file]);
    }
  });
});

it(
  "a failed build says why it failed, not that its files could not be deleted; the next build " +
    "deletes them",
  async () => {
    const { store, publish, builds } = await aStore(named("One"));
    const fail = (code: string) => {
      throw Object.assign(new Error("planted"), { code });
    };
    const create = vi.spyOn(calls, "create").mockImplementation((path) => {
      return path.endsWith("-manifest.json") ? fail("ENOSPC") : openSync(path, "wx");
    });
    const unlink = vi.spyOn(calls, "unlink").mockImplementation(() => fail("EIO"));
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(publish(named("Two"))).rejects.toThrow("ENOSPC");
    create.mockRestore();
    unlink.mockRestore();
    const left = packsIn(store).length;
    await publish(named("Three"));
    expect(await snapshotsIn(store)).toEqual([...builds].sort());
    // Two of the first build with the change, and what the failed one has left is gone.
    expect(left).toBeGreaterThan(1);
    expect(packsIn(store).length).toBeLessThanOrEqual(left);
  },
);
