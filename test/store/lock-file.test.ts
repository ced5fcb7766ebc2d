import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { lockStore, StoreLockedError } from "../../src/store/lock.js";
import { temporaryFolder } from "../fixtures.js";

const LOCK = fileURLToPath(new URL("../../dist/src/store/lock.js", import.meta.url));
const MINUTE = 60;

const take = (store: string) => lockStore(store, "darwin");
const lockOf = (store: string) => join(dirname(store), ".store.crawldex-lock");

/** A lock file that another owner left, whose last beat was so many seconds ago. */
function leave(store: string, owner: { pid: number; host: string }, seconds: number): void {
  writeFileSync(lockOf(store), JSON.stringify(owner));
  const then = Date.now() / 1_000 - seconds;
  utimesSync(lockOf(store), then, then);
}

/** The number of a process that is not any more. */
function deadProcess(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

describe("the lock where there are no abstract sockets: a file with owner and heartbeat", () => {
  it("is taken once, tells its owner, and is gone when it is freed", async () => {
    const store = join(await temporaryFolder(), "store");
    const free = await take(store);
    const owner = { pid: process.pid, host: hostname() };
    expect(JSON.parse(readFileSync(lockOf(store), "utf8"))).toEqual(owner);
    await expect(take(store)).rejects.toBeInstanceOf(StoreLockedError);
    await free();
    expect(readdirSync(dirname(store))).toEqual([]);
    await (await take(store))();
  });

  it("of 20 processes one has it, and its death by kill -9 frees it at once", async () => {
    const store = join(await temporaryFolder(), "store");
    const script = `
      const { lockStore } = await import(${JSON.stringify(LOCK)});
      const said = await lockStore(${JSON.stringify(store)}, "darwin").then(() => "taken", (error) => error.name);
      process.send(said);
      if (said === "taken") setInterval(() => {}, 1000);
    `;
    const file = join(dirname(store), "contender.mjs");
    writeFileSync(file, script);
    const contenders = Array.from({ length: 20 }, () => fork(file));
    onTestFinished(() => {
      for (const contender of contenders) contender.kill("SIGKILL");
    });
    const said = await Promise.all(
      contenders.map(async (contender) => {
        const [word] = (await once(contender, "message")) as [string];
        return word;
      }),
    );
    expect(said.filter((word) => word !== "StoreLockedError")).toEqual(["taken"]);
    const owner = contenders[said.indexOf("taken")]!;
    await expect(take(store)).rejects.toBeInstanceOf(StoreLockedError);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    await (await take(store))();
  });

  it("of a dead process of this host is taken over, of a living one not", async () => {
    const store = join(await temporaryFolder(), "store");
    leave(store, { pid: deadProcess(), host: hostname() }, 0);
    await (await take(store))();
    leave(store, { pid: process.pid, host: hostname() }, 0);
    await expect(take(store)).rejects.toBeInstanceOf(StoreLockedError);
  });

  it("of another host is taken over when its heart has not beaten for a minute", async () => {
    const store = join(await temporaryFolder(), "store");
    leave(store, { pid: 1, host: "another" }, MINUTE - 10);
    await expect(take(store)).rejects.toBeInstanceOf(StoreLockedError);
    leave(store, { pid: 1, host: "another" }, MINUTE + 5);
    await (await take(store))();
    expect(readdirSync(dirname(store))).toEqual([]);
  });

  it("that a loss of power has left empty is taken over when it is a minute old, not before", async () => {
    const store = join(await temporaryFolder(), "store");
    for (const text of ["", "{", '{"pid":"x"}']) {
      writeFileSync(lockOf(store), text);
      await expect(take(store), text).rejects.toBeInstanceOf(StoreLockedError);
      utimesSync(lockOf(store), 1, 1);
      await (await take(store))();
    }
  });

  it("that cannot be read may have a living owner: it is not taken over", async () => {
    const store = join(await temporaryFolder(), "store");
    // A loop of links stands for whatever else than its absence hinders reading.
    symlinkSync(lockOf(store), lockOf(store));
    await expect(take(store)).rejects.toMatchObject({ name: "StoreWriteError" });
    expect(lstatSync(lockOf(store)).isSymbolicLink()).toBe(true);
  });

  it("beats every five seconds while it is held", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const store = join(await temporaryFolder(), "store");
    const free = await take(store);
    const text = readFileSync(lockOf(store), "utf8");
    utimesSync(lockOf(store), 1, 1);
    vi.advanceTimersByTime(4_900);
    expect(statSync(lockOf(store)).mtimeMs).toBe(1_000);
    vi.advanceTimersByTime(200);
    await expect.poll(() => statSync(lockOf(store)).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
    expect(readFileSync(lockOf(store), "utf8")).toBe(text);
    await free();
  });

  it("is not taken over while another does so, but whose turn was cut short loses it", async () => {
    const store = join(await temporaryFolder(), "store");
    const turn = `${lockOf(store)}-turn`;
    leave(store, { pid: deadProcess(), host: hostname() }, 0);
    mkdirSync(turn);
    await expect(take(store)).rejects.toBeInstanceOf(StoreLockedError);
    utimesSync(turn, 1, 1);
    await expect(take(store)).rejects.toBeInstanceOf(StoreLockedError);
    await (await take(store))();
  });

  it("that another has taken over meanwhile is not deleted by its former owner", async () => {
    const store = join(await temporaryFolder(), "store");
    const free = await take(store);
    leave(store, { pid: 1, host: "another" }, 0);
    const before = readFileSync(lockOf(store));
    // The same file written again would be the former owner's still.
    spawnSync("sh", [
      "-c",
      `cp "${lockOf(store)}" "${store}.copy" && mv "${store}.copy" "${lockOf(store)}"`,
    ]);
    await free();
    expect(readFileSync(lockOf(store))).toEqual(before);
  });

  it("that cannot be written is an error that names it", async () => {
    const file = join(await temporaryFolder(), "file");
    writeFileSync(file, "");
    await expect(take(join(file, "store"))).rejects.toMatchObject({
      name: "StoreWriteError",
      message: expect.stringContaining(join(file, "store")),
    });
  });
});
