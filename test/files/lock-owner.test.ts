import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { lockStore, lockTree, StoreLockedError } from "../../src/files/lock.js";
import { fill, mountMemory, need } from "../crash/tools.js";
import { temporaryFolder } from "../fixtures.js";
import { someOf } from "../slow.js";
import {
  aStore,
  deadProcess,
  expectHeld,
  leave,
  lockFile,
  TOKEN,
  thisOwner,
} from "../store/locks.js";

describe("the owner of a lock", () => {
  it("updates its file after five seconds, even while its own thread computes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const store = await aStore();
    const lock = await lockStore(store);
    vi.advanceTimersByTime(4_900);
    const file = lockFile(store);
    const text = readFileSync(file, "utf8");
    const hasBeaten = () => statSync(file).mtimeMs > 1_000;
    utimesSync(file, 1, 1);
    vi.advanceTimersByTime(200);
    vi.useRealTimers();
    // The thread beats when it starts, then every five seconds. It may take long to start where much else runs.
    for (const isComputing of someOf([false, true], 1)) {
      if (!isComputing) await expect.poll(hasBeaten, { timeout: 30_000 }).toBe(true);
      else {
        const memory = new Int32Array(new SharedArrayBuffer(4));
        for (let i = 0; i < 100 && !hasBeaten(); i += 1) Atomics.wait(memory, 0, 0, 300);
        expect(hasBeaten()).toBe(true);
      }
      expect(readFileSync(file, "utf8")).toBe(text);
      utimesSync(file, 1, 1);
    }
    await lock.free();
    expect(readdirSync(store)).toEqual([]);
  });

  it("notices when another process has taken over the lock, and leaves it alone", async () => {
    const store = await aStore();
    const slept = await lockStore(store);
    utimesSync(lockFile(store), 1, 1);
    const next = await lockStore(store);
    expect(() => slept.check()).toThrow(StoreLockedError);
    expect(() => slept.check()).toThrow(`another build took over ${store}, because this one`);
    await slept.free();
    next.check();
    await expectHeld(store);
    await next.free();
    expect(() => next.check()).toThrow(StoreLockedError);
  });

  it("never frees a newer lock than the one that it examined, however late it acts", async () => {
    const store = await aStore();
    // What a taker that was suspended after its look deletes is the file that it has read: another name.
    leave(store, { ...(await thisOwner()), pid: deadProcess() }, 0);
    const judged = lockFile(store);
    const lock = await lockStore(store);
    expect(lockFile(store)).not.toBe(judged);
    const unfinished = `${store}/.lock-${TOKEN}`;
    mkdirSync(unfinished);
    writeFileSync(join(unfinished, TOKEN), "");
    expect(() => renameSync(unfinished, join(store, ".lock"))).toThrow(/ENOTEMPTY|EEXIST/);
    lock.check();
    await lock.free();
  });
});

const LOCK = fileURLToPath(new URL("../../dist/src/files/lock.js", import.meta.url));

describe("the lock of an exported tree", () => {
  it("lies in the tree, where the group may read it and nobody else", async () => {
    const site = join(await temporaryFolder(), "site");
    const lock = await lockTree(site, "site");
    expect(readdirSync(join(site, ".."))).toEqual(["site"]);
    const [name = ""] = readdirSync(join(site, ".crawldex.lock"));
    expect(statSync(join(site, ".crawldex.lock", name)).mode & 0o007).toBe(0);
    await expect(lockTree(site, "site")).rejects.toThrow("another export is writing to site (");
    await lock.free();
    expect(readdirSync(join(site, ".."))).toEqual([]);
  });

  it("is safe from another user, who may write beside the tree", async (context) => {
    need(context, "root");
    const folder = await temporaryFolder();
    const site = join(folder, "site");
    mkdirSync(site);
    chmodSync(folder, 0o1777);
    const occupy = `
      import { mkdirSync, writeFileSync } from "node:fs";
      import { lockTree } from ${JSON.stringify(LOCK)};
      // Not before: the other user need not be able to read this project.
      process.setgid(65_534);
      process.setuid(65_534);
      mkdirSync("site.crawldex.lock");
      writeFileSync("site.crawldex.lock/${TOKEN}", "");
      await lockTree(process.cwd() + "/site", "site");`;
    const options = { cwd: folder };
    const other = spawnSync(process.execPath, ["--input-type=module", "-e", occupy], options);
    expect(`${other.stderr}`).toContain("site cannot be written: EACCES");
    await (await lockTree(site, "site")).free();
  });

  it("is taken on a full disk in the folder that was kept, and by one process alone", async (context) => {
    const disk = await temporaryFolder();
    mountMemory(context, disk, "size=1m");
    const site = join(disk, "site");
    const first = await lockTree(site, "site");
    first.keepFolder();
    await first.free();
    fill(join(disk, "filler"));
    const lock = await lockTree(site, "site");
    await expect(lockTree(site, "site")).rejects.toThrow("another export is writing to site;");
    lock.check();
    await lock.free();
    await (await lockTree(site, "site")).free();
  });
});
