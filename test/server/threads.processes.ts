import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { Agent, get, type IncomingHttpHeaders } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { LOAD_LIMITS } from "../../src/answer/limits.js";
import { build } from "../../src/publish/build.js";
import { serve } from "../../src/server/serve.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { ROOT } from "../house/sources.js";
import { NO_PICTURES } from "../pictures.js";
import { repeated } from "../slow.js";
import { manyListings } from "../store/trees.js";
import { aService, type Service, send } from "./http.js";

const HOSTS = 40;
/** Answers of each lane between two publications. */
const ROUNDS = repeated(3, 20);
/** A watchdog, not a bar: milliseconds for which threads may answer from different snapshots. */
const APART_MS = 2_000;

/** A directory whose names all say which publication it is. */
function publication(number: number) {
  const hosts = Array.from({ length: HOSTS }, (_, i) => `site-${i}.example`);
  return aPublishedDirectory({
    listings: hosts.map((host) => aListing({ host, name: `Publication ${number}` })),
    scans: hosts.map((host) => aScan({ host, id: "scan" })),
  });
}

/** The threads that are started from now on. */
function startedThreads(): Worker[] {
  const threads: Worker[] = [];
  const onWorker = (worker: Worker) => {
    threads.push(worker);
    worker.once("exit", () => threads.splice(threads.indexOf(worker), 1));
  };
  process.on("worker", onWorker);
  onTestFinished(() => {
    process.off("worker", onWorker);
  });
  return threads;
}

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A connection of its own that stays open. @returns a function that asks over it, and rejects if it is cut */
function aConnection({ server }: Pick<Service, "server">): (target: string) => Promise<Got> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return (target) =>
    new Promise((resolve, reject) => {
      const request = get(server.url + target, { agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", reject).on("end", () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      });
      request.on("error", reject);
    });
}

/** Connections that have had an answer, and stay open until the server cuts them. */
async function openConnections({ server }: Pick<Service, "server">, count: number) {
  const opened: Socket[] = [];
  for (let at = 0; at < count; at += 1) {
    const socket = connect(server.port, server.host);
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    socket.write("GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n");
    // One after the other, so that this thread is free to accept some of them.
    await once(socket, "data");
    opened.push(socket);
  }
  return opened;
}

const TARGETS = ["/api/sites?limit=40", "/api/sites/suggestions?q=pub", "/sites/site-3.example"];

const TARGETS_OF_MANY = [
  "/api/sites?q=site-1&page=3",
  "/api/sites/suggestions?q=site-1",
  "/api/sites/site-77.example/report?scan=old",
];

describe("threads", () => {
  it("answer each request from one snapshot, and begin with a new one together", async () => {
    const threads = startedThreads();
    const service = await aService(publication(1), undefined, { threads: 3 });
    expect(threads.length).toBe(2);
    let published = 1;
    let isOver = false;
    let newest = { generation: 1, at: performance.now() };
    let apartMs = 0;
    let answers = 0;
    const lane = async (at: number) => {
      let ask = aConnection(service);
      for (let turn = at; !isOver; turn += 1) {
        // Some connections stay with a thread, some are new ones.
        if (turn % 7 === 0) ask = aConnection(service);
        const asked = performance.now();
        const { status, headers, text: body } = await ask(TARGETS[turn % TARGETS.length]!);
        expect(status).toBe(200);
        answers += 1;
        if (headers["content-type"] !== "application/json") continue;
        const generation = Number(headers["x-crawldex-generation"]);
        const names = new Set(body.match(/Publication \d+/g));
        expect([...names]).toEqual([`Publication ${generation}`]);
        if (generation > newest.generation) newest = { generation, at: performance.now() };
        if (generation < newest.generation) apartMs = Math.max(apartMs, asked - newest.at);
      }
    };
    const lanes = Array.from({ length: 12 }, (_, at) => lane(at));
    for (let round = 0; round < ROUNDS; round += 1) {
      published += 1;
      await service.publish(publication(published));
      await expect.poll(() => newest.generation).toBe(published);
      await sleep(100);
    }
    isOver = true;
    await Promise.all(lanes);
    expect(apartMs).toBeLessThan(APART_MS);
    expect(answers).toBeGreaterThan(100 * ROUNDS);
  });

  it("give the bytes that one thread gives, at addresses of all kinds", async () => {
    const files = manyListings();
    const alone = await aService(files);
    const { url } = alone.server;
    const many = await aService(null, undefined, { store: alone.store, threads: 3 });
    const targets = ["/", "/api/standards", "/api/sites/facets", "/nowhere", "/api/sites?x=1"];
    for (const target of [...TARGETS, ...targets, "/sites/site-9.example", "/openapi.json"]) {
      const expected = await send(alone.server, target);
      const asked = Array.from({ length: 12 }, () => aConnection(many)(target));
      for (const { status, text, headers } of await Promise.all(asked)) {
        expect(status).toBe(expected.status);
        expect(text.replaceAll(many.server.url, url)).toBe(expected.text);
        expect(headers.etag).toBe(expected.headers.etag);
      }
    }
  });

  it("are counted together in the metrics, and the log has all of their requests", async () => {
    const service = await aService(publication(1), undefined, { threads: 3, metrics: true });
    const sent = 90;
    await Promise.all(Array.from({ length: sent }, () => aConnection(service)("/api/sites")));
    const counted = async () => {
      const { text } = await send(service.server, "/metrics");
      return [...text.matchAll(/_requests_total\{route="search",status="200"\} (\d+)/g)].map(
        ([, count]) => Number(count),
      );
    };
    await expect.poll(counted).toEqual([sent]);
    await expect
      .poll(async () => (await send(service.server, "/readyz")).text)
      .toMatch(/^\{"ready":true,"snapshot":"[0-9a-f]{32}","generation":1,"publishedAt":"/);
  });

  it("that end cut their own connections, are replaced, and then answer what all answer", async () => {
    const threads = startedThreads();
    const service = await aService(publication(1), undefined, { threads: 2 });
    const expected = (await send(service.server, "/api/sites")).text;
    const descriptors = readdirSync("/proc/self/fd").length;
    for (let times = 1; times <= repeated(1, 3); times += 1) {
      const connections = await openConnections(service, 60);
      const [thread] = threads;
      await thread?.terminate();
      await expect.poll(() => connections.filter(({ destroyed }) => destroyed).length).not.toBe(0);
      for (const one of connections) one.destroy();
      const replaced = () =>
        service.logged.filter((line) => line === "a thread takes its place").length === times;
      const lane = async () => {
        // Also those that arrive while the socket is copied are answered.
        while (!replaced()) expect((await send(service.server, "/api/sites")).text).toBe(expected);
      };
      await Promise.all(Array.from({ length: 8 }, lane));
      expect(threads.length).toBe(1);
      expect(threads).not.toContain(thread);
    }
    await service.publish(publication(2));
    await expect
      .poll(async () => {
        const asked = Array.from({ length: 12 }, () => send(service.server, "/api/sites"));
        return (await Promise.all(asked)).every(({ text }) => text.includes("Publication 2"));
      })
      .toBe(true);
    // What threads that have ended had open is closed.
    expect(readdirSync("/proc/self/fd").length).toBeLessThan(descriptors + 20);
  });

  it("end with the server, whose address is then free", async () => {
    const threads = startedThreads();
    const { server } = await aService(publication(1), undefined, { threads: 3 });
    const { port } = server;
    const connections = Array.from({ length: 9 }, () => aConnection({ server }));
    await Promise.all(connections.map((ask) => ask("/api/sites")));
    await server.close();
    expect(threads).toEqual([]);
    await expect(send(server, "/healthz")).rejects.toThrow("ECONNREFUSED");
    const other = await aService(publication(1), undefined, { port, threads: 2 });
    expect(other.server.port).toBe(port);
    expect((await send(other.server, "/healthz")).status).toBe(200);
  });

  it("share the index file of a larger directory, also if it is damaged meanwhile", async () => {
    const folder = await temporaryFolder();
    const store = join(folder, "store");
    const published = await writePublished(join(folder, "published"), manyListings(2_000));
    await build(published, { store, jobs: 2 });
    // As if it were larger: its summaries stay in the file.
    const { outsideBytesMax } = LOAD_LIMITS;
    Object.assign(LOAD_LIMITS, { outsideBytesMax: 0 });
    onTestFinished(() => void Object.assign(LOAD_LIMITS, { outsideBytesMax }));
    const logged: string[] = [];
    const log = (line: string) => logged.push(line);
    const options = { port: 0, host: "127.0.0.1", ...NO_PICTURES, log, cacheMb: 0 };
    const alone = await serve(store, options);
    onTestFinished(alone.close);
    const index = join(store, ".index");
    const [name = ""] = await readdir(index);
    const server = await serve(store, { ...options, threads: 2 });
    onTestFinished(server.close);
    const expectSame = async () => {
      for (const target of TARGETS_OF_MANY) {
        const asked = Array.from({ length: 10 }, () => aConnection({ server })(target));
        for (const { text } of await Promise.all(asked)) expect(text).toBe(expected.get(target));
      }
    };
    const expected = new Map<string, string>();
    for (const target of TARGETS_OF_MANY) expected.set(target, (await send(alone, target)).text);
    await expectSame();
    expect(logged.filter((line) => line.includes("damaged"))).toEqual([]);
    // Summaries are the first of what is outside the block.
    const file = await open(join(index, name), "r+");
    const lead = Buffer.alloc(64);
    await file.read(lead, 0, 64, 0);
    await file.write(Buffer.alloc(2_000_000, "x"), 0, 2_000_000, lead.readDoubleBE(16));
    await file.close();
    await expectSame();
    // Each of the two threads says so once.
    const damages = () => logged.filter((line) => line.includes(`${name} is damaged`)).length;
    await expect.poll(damages).toBe(2);
    await expect.poll(() => readdir(index)).toEqual([]);
  });

  it("are given a copy of the socket by a process that ends quietly, even if nobody waits for it", async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { fd } = Reflect.get(server, "_handle");
    const script = join(ROOT, "dist/src/server/socket-copy.js");
    for (const leaves of [true, false]) {
      const child = spawn(process.execPath, [script], {
        stdio: ["ignore", "ignore", "pipe", "ipc", fd],
      });
      const said = text(child.stderr!);
      const ended = once(child, "exit");
      const [message, copy] = await once(child, "message");
      if (leaves) child.disconnect();
      expect(message).toBe("socket");
      copy.close();
      expect(await ended).toEqual([0, null]);
      expect(await said).toBe("");
    }
  });

  it("need an index in memory and a store in a folder", async () => {
    const remote = serve("http://127.0.0.1:9/store", { threads: 2 });
    await expect(remote).rejects.toThrow('"threads" need the whole store in a folder');
    await expect(serve("store", { threads: 65 })).rejects.toThrow(
      'serve: "threads" must be a whole number from 0 to 64',
    );
  });
});
