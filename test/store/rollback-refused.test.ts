import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { verify } from "../../src/upkeep/verify.js";
import { temporaryFolder } from "../fixtures.js";
import { aStore, named, nameIn } from "./stores.js";
import { letPass, snapshotOf, treeOf } from "./trees.js";

describe("what cannot be rolled back leaves all as it is", () => {
  it("without a snapshot, and where builds keep one alone", async () => {
    const { store, publish } = await aStore(named("One"));
    await expect(rollback(store)).rejects.toThrow("no earlier snapshot to roll back to");
    await publish(named("Two"));
    await letPass(store);
    await publish(named("Two"), 1);
    const before = await treeOf(store);
    await expect(rollback(store)).rejects.toThrow("no earlier snapshot to roll back to");
    expect(await treeOf(store)).toEqual(before);
    await expect(rollback(await temporaryFolder())).rejects.toThrow("nothing has been published");
  });

  it("where the notes are lost: nobody knows what may be shown today", async () => {
    const { store, buildAgain } = await aStore(named("One"), named("Two"));
    await rm(join(store, ".notes"));
    const before = await treeOf(store);
    const refused = rollback(store);
    await expect(refused).rejects.toBeInstanceOf(BadSnapshotError);
    await expect(refused).rejects.toThrow("run crawldex build");
    expect(await treeOf(store)).toEqual(before);
    await buildAgain();
  });

  it.each(["segments.brief", "segments.pack", "manifest.json", "public/api/tags.json"])(
    "a former snapshot of which %s is damaged",
    async (kind) => {
      const { store, builds } = await aStore(named("One"), named("Two", { visibility: "blocked" }));
      const own = await snapshotOf(store);
      const file = Object.keys(await treeOf(store)).find((name) =>
        kind.startsWith("segments.")
          ? name.replace(/\/.*\./, ".") === kind && !(name in own)
          : name === `${builds[0]}/${kind}`,
      );
      const bytes = await readFile(join(store, file ?? ""));
      await writeFile(join(store, file ?? ""), bytes.fill(0x20, bytes.length - 4));
      const before = await treeOf(store);
      const refused = rollback(store);
      await expect(refused).rejects.toBeInstanceOf(BadSnapshotError);
      await expect(refused).rejects.toThrow(file);
      expect(await treeOf(store)).toEqual(before);
    },
  );

  it("a damaged snapshot of today, with the remedy", async () => {
    const { store, buildAgain } = await aStore(named("One"), named("Two"));
    const pack = Object.keys(await snapshotOf(store)).find((file) => file.endsWith(".pack"));
    await writeFile(join(store, pack ?? ""), "");
    await expect(rollback(store)).rejects.toThrow(/segments\/.*run crawldex build/);
    await buildAgain();
    expect((await verify(store)).bad).toEqual([]);
    expect(await nameIn(store)).toBe("Two");
  });

  it("when it is stopped, before a segment or after the last", async () => {
    const { store } = await aStore(named("One", {}, 60), named("Two", { visibility: "removed" }));
    const before = await treeOf(store);
    for (const segments of [1, 4]) {
      const controller = new AbortController();
      const onProgress = (done: number) => {
        if (done === segments) controller.abort(new Error("stopped"));
      };
      await expect(rollback(store, { signal: controller.signal, onProgress })).rejects.toThrow(
        "stopped",
      );
      expect(await treeOf(store)).toEqual(before);
    }
  });
});
