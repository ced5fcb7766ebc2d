import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { build } from "../../src/publish/build.js";
import { aListing, aScan, temporaryFolder, writePublished } from "../fixtures.js";
import { askAll, headerOf, type Place, Wire, type WireReply } from "../server/wire.js";
import { someOf } from "../slow.js";
import { builtStore, manyListings } from "../store/trees.js";
import { serveProcess } from "./served.js";

/** A report of so many bytes that a few are more than the system takes in for a client that does not read. */
const LARGE = 700_000;
const LARGE_HOST = "large.example";
const MANY = 20;

let store: string;
const cleanUps: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const folder = await temporaryFolder((cleanUp) => cleanUps.unshift(cleanUp));
  const files = manyListings(30);
  files.listings.push(aListing({ host: LARGE_HOST }));
  files.scans.push(aScan({ host: LARGE_HOST, profile: { text: "p".repeat(LARGE) } }));
  const published = await writePublished(join(folder, "published"), files);
  store = join(folder, "store");
  await build(published, { store, jobs: 1, keep: 3 });
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

const TARGETS = [
  "/api/sites",
  "/api/sites/site-1.example/report",
  "/api/openapi.json",
  "/api/tags",
];

/** Asks over a kept connection until it is told that the connection ends. */
async function aClient(place: Place, onAnswer = () => {}): Promise<WireReply[]> {
  const wire = await Wire.open(place);
  const replies: WireReply[] = [];
  for (let i = 0; ; i += 1) {
    const reply = await wire.get(TARGETS[i % TARGETS.length]!);
    replies.push(reply);
    onAnswer();
    if (headerOf(reply, "connection") === "close") break;
  }
  wire.end();
  return replies;
}

/** A client that has asked for more than the system holds for it, and reads nothing of it yet. */
async function aSlowReader({ host, port }: Place) {
  const socket = connect(port, host);
  onTestFinished(() => {
    socket.destroy();
  });
  socket.pause();
  let received = 0;
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
  });
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  await new Promise<void>((resolve) => socket.on("connect", resolve));
  socket.pause();
  socket.write(`GET /api/sites/${LARGE_HOST}/report HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(MANY));
  // Until as much has come as goes without being read.
  await sleep(400);
  return { socket, closed, received: () => received };
}

/** Waits between the steps of loading a snapshot as long as a file is there, and says that it does. */
function waitingLoad(file: string): string[] {
  const hook = `
    import timers from "node:timers/promises";
    import { syncBuiltinESMExports } from "node:module";
    import { existsSync, writeFileSync } from "node:fs";
    const { setImmediate, setTimeout } = timers;
    timers.setImmediate = async () => {
      while (existsSync(${JSON.stringify(file)})) {
        writeFileSync(${JSON.stringify(`${file}.waiting`)}, "");
        await setTimeout(20);
      }
      return setImmediate();
    };
    syncBuiltinESMExports();`;
  return ["--import", `data:text/javascript,${encodeURIComponent(hook)}`];
}

const until = (file: string) => expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true);

describe.each(someOf(["SIGTERM", "SIGINT"] as const, 1))("%s drains", (signal) => {
  it("under load no answer fails, each client is told to close, and it exits with 0 in time", async () => {
    const server = serveProcess(store);
    const place = await server.place;
    const busy = new Set<number>();
    const clients = Array.from({ length: 32 }, (_, i) => aClient(place, () => busy.add(i)));
    await expect.poll(() => busy.size, { timeout: 10_000 }).toBe(32);
    server.kill(signal);
    const replies = (await Promise.all(clients)).flat();
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { code, milliseconds } = await server.ended;
    expect(code).toBe(0);
    expect(milliseconds).toBeLessThan(5_000);
    await expect(Wire.open(place)).rejects.toThrow("ECONNREFUSED");
  });
});

describe("ending", () => {
  it("lets an answer that waits for its client finish, but starts no other", async () => {
    // What is kept would be sent at once, and so be under way.
    const server = serveProcess(store, { args: ["--cache-mb", "0"] });
    const reader = await aSlowReader(await server.place);
    server.kill("SIGTERM");
    await sleep(500);
    reader.socket.resume();
    await reader.closed;
    // The one that was under way is whole; those behind it are not begun.
    expect(reader.received()).toBeGreaterThan(LARGE);
    expect(Math.floor(reader.received() / LARGE)).toBeLessThan(MANY);
    expect(reader.received() % LARGE).toBeLessThan(MANY * 5_000);
    expect((await server.ended).code).toBe(0);
  });

  it("exits at once with 1 at a second signal, but ignores the copy that npm sends", async () => {
    const server = serveProcess(store);
    await aSlowReader(await server.place);
    server.kill("SIGINT");
    server.kill("SIGINT");
    await sleep(700);
    expect(server.child.exitCode).toBeNull();
    server.kill("SIGTERM");
    expect((await server.ended).code).toBe(1);
  });

  it("during the start exits with 0 and prints no address", async () => {
    const file = join(await temporaryFolder(), "wait");
    await writeFile(file, "");
    const server = serveProcess(store, { node: waitingLoad(file) });
    await until(`${file}.waiting`);
    server.kill("SIGTERM");
    const { code, milliseconds } = await server.ended;
    expect([code, milliseconds < 5_000]).toEqual([0, true]);
    await expect(server.place).rejects.toThrow("it has ended");
  });

  it("while another snapshot loads answers clients and exits with 0 within five seconds", async () => {
    const { folder, store: own } = await builtStore(manyListings(3));
    const file = join(folder, "wait");
    const server = serveProcess(own, { node: waitingLoad(file) });
    const place = await server.place;
    await writeFile(file, "");
    const next = await writePublished(join(folder, "next"), manyListings(4));
    await build(next, { store: own, jobs: 1, keep: 3 });
    await until(`${file}.waiting`);
    const client = aClient(place);
    await sleep(100);
    server.kill("SIGTERM");
    expect(new Set((await client).map(({ status }) => status))).toEqual(new Set([200]));
    const { code, milliseconds } = await server.ended;
    expect([code, milliseconds < 5_500]).toEqual([0, true]);
  });
});

describe("SIGHUP", () => {
  it("ends nothing, even during the start", async () => {
    const file = join(await temporaryFolder(), "wait");
    await writeFile(file, "");
    const server = serveProcess(store, { node: waitingLoad(file) });
    await until(`${file}.waiting`);
    server.kill("SIGHUP");
    await rm(file);
    const place = await server.place;
    server.kill("SIGHUP");
    const [reply] = await askAll(place, ["GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n"], 1);
    expect(reply?.status).toBe(200);
  });
});

describe("the server's start", () => {
  const asked = async (place: Place, target: string) =>
    (await askAll(place, [`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`], 1))[0]!;

  it("succeeds with at most 112 open files", async () => {
    const server = serveProcess(store, { shell: "ulimit -n 112;" });
    expect((await asked(await server.place, "/api/sites")).status).toBe(200);
    expect(server.said()).not.toContain("refused");
  });

  it("survives with at most 128 open files, and answers everything again when the crowd has gone", async () => {
    const server = serveProcess(store, { shell: "ulimit -n 128;" });
    const place = await server.place;
    const crowd = await Promise.all(
      Array.from({ length: 500 }, () => Wire.open(place).catch(() => null)),
    );
    const answers = await Promise.all(
      crowd.map((wire, i) => wire?.get(TARGETS[i % TARGETS.length]!).catch(() => null)),
    );
    const statuses = new Set(answers.map((reply) => reply?.status ?? 0));
    // Whoever got in is answered, or told that files could not be opened: for the answer, or for the snapshot.
    expect([...statuses].filter((status) => ![0, 200, 502, 503].includes(status))).toEqual([]);
    for (const wire of crowd) wire?.end();
    await expect
      .poll(
        async () => {
          const replies = await Promise.all(TARGETS.map((target) => asked(place, target)));
          return new Set(replies.map(({ status }) => status));
        },
        { timeout: 10_000 },
      )
      .toEqual(new Set([200]));
    expect(server.child.exitCode).toBeNull();
  });
});
