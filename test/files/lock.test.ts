import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { lockStore } from "../../src/files/lock.js";
import { temporaryFolder } from "../fixtures.js";
import { repeated } from "../slow.js";
import {
  aStore,
  deadProcess,
  expectFree,
  expectHeld,
  leave,
  lockFile,
  ownerOf,
  TOKEN,
  thisOwner,
} from "../store/locks.js";

const LOCK = fileURLToPath(new URL("../../dist/src/files/lock.js", import.meta.url));
const MINUTE = 60;

describe("the lock of a store", () => {
  it("lies in the store, names its owner, can be taken once, and leaves nothing behind when it is freed", async () => {
    const store = await aStore();
    const lock = await lockStore(store);
    expect(ownerOf(store)).toMatchObject({ pid: process.pid });
    await expectHeld(store);
    await lock.free();
    await expectFree(store);
  });

  it("refuses with a message that names the owner and the remedy", async () => {
    const store = await aStore();
    const lock = await lockStore(store);
    const near =
      `another build is writing to ${store} (process ${process.pid} on ${hostname()}); try again when ` +
      "it is done";
    await expect(lockStore(store)).rejects.toThrow(near);
    await lock.free();
    leave(store, { ...(await thisOwner()), host: "web-1", pid: 7 }, 0);
    await expect(lockStore(store)).rejects.toThrow(
      "(process 7 on web-1); try again when it is done, or a minute after its machine or container stopped",
    );
  });

  it("makes the store's folders, and removes those that stay empty", async () => {
    const folder = await temporaryFolder();
    const store = join(folder, "new", "store");
    const lock = await lockStore(store);
    await expectHeld(store);
    await lock.free();
    expect(readdirSync(folder)).toEqual([]);
    const again = await lockStore(store);
    writeFileSync(join(folder, "new", "note"), "");
    await again.free();
    expect(readdirSync(join(folder, "new"))).toEqual(["note"]);
  });

  it("holds under every name of the store", async () => {
    const store = await aStore();
    symlinkSync(store, `${store}-link`);
    const lock = await lockStore(`${store}-link`);
    await expectHeld(store);
    await lock.free();
    await expectFree(store);
  });

  const CONTENDERS = repeated(3, 20);
  it(`is held by one of ${CONTENDERS} processes, and free at once when kill -9 ends that process`, async () => {
    const store = await aStore();
    const script = `
      const { lockStore } = await import(${JSON.stringify(LOCK)});
      const said = await lockStore(${JSON.stringify(store)}).then(() => "taken", (error) => error.name);
      process.send(said);
      if (said === "taken") setInterval(() => {}, 1000);
    `;
    const file = `${store}-contender.mjs`;
    writeFileSync(file, script);
    leave(store, { ...(await thisOwner()), pid: deadProcess() }, 0);
    const contenders = Array.from({ length: CONTENDERS }, () => fork(file));
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
    await expectHeld(store);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    await expectFree(store);
  });

  it("gives an error that names the store if it cannot be written", async () => {
    const file = join(await temporaryFolder(), "file");
    writeFileSync(file, "");
    await expect(lockStore(join(file, "store"))).rejects.toMatchObject({
      name: "StoreWriteError",
      message: expect.stringContaining(file),
    });
  });

  it("gives an error if something else is in its place, and leaves it there", async () => {
    const store = await aStore();
    writeFileSync(join(store, ".lock"), "mine");
    const message = `${join(store, ".lock")} blocks this build`;
    await expect(lockStore(store)).rejects.toThrow(message);
    rmSync(join(store, ".lock"));
    symlinkSync(tmpdir(), join(store, ".lock"));
    await expect(lockStore(store)).rejects.toThrow(message);
    rmSync(join(store, ".lock"));
    mkdirSync(join(store, ".lock", "mine"), { recursive: true });
    await expect(lockStore(store)).rejects.toThrow(message);
    expect(readdirSync(store, { recursive: true }).sort()).toEqual([".lock", ".lock/mine"]);
  });
});

describe("a lock that was left behind", () => {
  it("is taken over at once from a dead process of the same machine", async () => {
    const store = await aStore();
    const owner = await thisOwner();
    leave(store, { ...owner, pid: deadProcess() }, 0);
    await expectFree(store);
    leave(store, owner, 0);
    await expectHeld(store);
  });

  it.runIf(process.platform === "linux")(
    "is taken over at once if its process id now belongs to another process",
    async () => {
      const store = await aStore();
      const owner = await thisOwner();
      leave(store, { ...owner, started: "1" }, 0);
      await expectFree(store);
      leave(store, { ...owner, started: null }, 0);
      await expectHeld(store);
    },
  );

  it.runIf(process.platform === "linux")(
    "is taken over at once from a killed process that its parent has not waited for",
    async () => {
      const store = await aStore();
      // The shell becomes sleep, which knows of no child.
      const parent = spawn("sh", ["-c", `${process.execPath} -e 0 & echo $!; exec sleep 60`]);
      onTestFinished(() => {
        parent.kill("SIGKILL");
      });
      const [pid] = (await once(parent.stdout, "data")) as [Buffer];
      const stat = () => readFileSync(`/proc/${Number(pid)}/stat`, "utf8");
      await expect.poll(stat, { timeout: 20_000 }).toContain(") Z ");
      leave(store, { ...(await thisOwner()), pid: Number(pid), started: null }, 0);
      await expectFree(store);
    },
  );

  it(
    "of another host, boot or namespace is taken over after a minute of silence, whatever its " +
      "process id",
    async () => {
      const store = await aStore();
      const owner = { ...(await thisOwner()), pid: deadProcess() };
      const others = [{ host: "another" }, { machine: "another" }, { machine: null }];
      for (const other of others) {
        leave(store, { ...owner, ...other }, MINUTE - 10);
        await expectHeld(store);
        leave(store, { ...owner, ...other }, MINUTE + 5);
        await expectFree(store);
      }
    },
  );

  it("is taken over after a minute of silence even if its process is alive, or a clock was set back", async () => {
    const store = await aStore();
    const owner = await thisOwner();
    for (const seconds of [MINUTE + 5, -MINUTE - 5]) {
      leave(store, owner, seconds);
      await expectFree(store);
    }
  });

  it("whose owner file was destroyed is taken over when it is a minute old, not before", async () => {
    const store = await aStore();
    for (const text of ["", "{", '{"pid":"x"}', "x".repeat(10_000)]) {
      leave(store, text, 0);
      await expectHeld(store);
      leave(store, text, MINUTE + 5);
      await expectFree(store);
    }
    leave(store, { ...(await thisOwner()), host: "\u001b[31m" }, 0);
    await expect(lockStore(store)).rejects.toThrow(/^[\x20-\x7e]+$/);
  });

  it("without a file, or left by a process that died while taking it, does not block, and is removed", async () => {
    const store = await aStore();
    mkdirSync(join(store, ".lock"));
    mkdirSync(join(store, `.lock-${TOKEN}`));
    writeFileSync(join(store, `.lock-${TOKEN}`, TOKEN), "");
    await expectFree(store);
  });

  it("that cannot be read is not taken over, as its owner may be alive", async () => {
    const store = await aStore();
    mkdirSync(join(store, ".lock"));
    spawnSync("mkfifo", [join(store, ".lock", TOKEN)]);
    await expect(lockStore(store)).rejects.toMatchObject({ name: "StoreWriteError" });
    expect(lockFile(store)).toContain(TOKEN);
  });
});
