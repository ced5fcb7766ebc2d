import { fork } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { NO_COUNTS } from "../../src/runtime/metrics.js";
import type { ServeOptions } from "../../src/runtime/server.js";
import type { Ask, Order, Said, Tell } from "../../src/runtime/worker-orders.js";
import { WorkerCrew } from "../../src/runtime/workers.js";
import { build } from "../../src/store/build.js";
import { aListing, aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";

const WORKER = fileURLToPath(new URL("../../dist/src/runtime/serve-worker.js", import.meta.url));

/** What the crew has told workers that are none, in its order: `<worker> <order>` when told, with `!` when done. */
const told: string[] = [];
/** What a worker does instead of answering at once. */
const instead = new Map<string, () => Promise<unknown>>();
/** Workers in the order in which they were started. */
const workers: { kill(): void }[] = [];
/** What the crew has logged. */
const logged: string[] = [];
/** Called when a worker is to be started. */
let constructing = () => {};

afterEach(() => {
  told.length = 0;
  logged.length = 0;
  workers.length = 0;
  instead.clear();
  constructing = () => {};
});

vi.mock("../../src/runtime/worker-member.js", async (original) => {
  const real = await original<typeof import("../../src/runtime/worker-member.js")>();
  class FakeMember {
    readonly ready = Promise.resolve();
    readonly death: Promise<string>;
    isLoaded = false;
    isListening = false;
    readonly counted = { counters: NO_COUNTS };
    readonly lifeMs = 10_000;
    readonly #name = `w${workers.length}`;
    #die: (how: string) => void = () => {};

    constructor() {
      constructing();
      this.death = new Promise((resolve) => {
        this.#die = resolve;
      });
      workers.push(this);
    }

    async ask({ kind }: Ask): Promise<unknown> {
      const order = `${this.#name} ${kind}`;
      told.push(order);
      const answer = await (instead.get(order)?.() ?? new Promise((done) => setImmediate(done)));
      told.push(`${order}!`);
      return answer ?? { id: "x", listings: 1, exampleHost: null };
    }

    tell({ kind }: Tell): void {
      told.push(`${this.#name} ${kind}`);
    }

    async close(): Promise<void> {
      this.#die("closed");
    }

    kill(): void {
      told.push(`${this.#name} kill`);
      this.#die("was ended by SIGKILL");
    }
  }
  return { ...real, Member: FakeMember };
});

async function aCrew() {
  const options: Required<Omit<ServeOptions, "log" | "port">> = {
    ...{ store: "store", host: "127.0.0.1", cacheBytes: 0, workers: 3 },
    ...{ metrics: false, requestLog: false },
  };
  const gather = () => Promise.reject(new Error("not asked for"));
  const log = (line: string) => logged.push(line);
  const crew = new WorkerCrew({ ...options, log, onMissing: () => {}, gather });
  onTestFinished(() => crew.close());
  await crew.start();
  return crew;
}

const SOON = { timeout: 20_000 };

/** Where an order was first told, and last. */
const first = (order: RegExp) => told.findIndex((one) => order.test(one));
const last = (order: RegExp) => told.findLastIndex((one) => order.test(one));

describe("a crew of workers takes a snapshot in one step", () => {
  it("nobody pauses before all have it, and nobody takes it before all pause", async () => {
    const crew = await aCrew();
    await crew.adopt("x");
    for (const kind of ["prepare", "pause", "take"]) {
      expect(told.filter((one) => one.endsWith(kind)).sort()).toEqual(
        ["w0", "w1", "w2"].map((name) => `${name} ${kind}`),
      );
    }
    expect(last(/prepare!/)).toBeLessThan(first(/pause/));
    expect(last(/pause!/)).toBeLessThan(first(/take/));
  });

  it("where one has it not, all forget it and nobody pauses", async () => {
    const crew = await aCrew();
    instead.set("w1 prepare", () => Promise.reject(new Error("it is bad")));
    await expect(crew.adopt("x")).rejects.toThrow("it is bad");
    expect(told.filter((one) => one.endsWith("drop"))).toHaveLength(3);
    expect([first(/pause/), first(/take/)]).toEqual([-1, -1]);
  });

  it("one that does not hear keeps nobody waiting: all go on as before, and it is tried again", async () => {
    const crew = await aCrew();
    let times = 0;
    instead.set("w2 pause", () => {
      times += 1;
      return times === 1 ? new Promise(() => {}) : Promise.resolve();
    });
    await crew.adopt("x");
    expect(times).toBe(2);
    expect(told.filter((one) => one.endsWith("go-on"))).toHaveLength(3);
    expect(last(/go-on/)).toBeLessThan(last(/w2 pause/));
    expect(last(/pause!/)).toBeLessThan(first(/take/));
    expect(told.filter((one) => one.endsWith("take"))).toHaveLength(3);
  });
});

describe("a worker that fails", () => {
  it("to listen when it replaces another is logged, ended and replaced in turn", async () => {
    const crew = await aCrew();
    await crew.adopt("x");
    await crew.listen(1);
    const cannotListen = () => Promise.reject(new Error("listen EADDRINUSE"));
    for (const name of ["w3", "w4"]) instead.set(`${name} listen`, cannotListen);
    workers[1]?.kill();
    await expect.poll(() => told, SOON).toContain("w5 listen!");
    expect(told.filter((one) => one.endsWith("kill"))).toEqual(["w1 kill", "w3 kill", "w4 kill"]);
    expect(logged.filter((line) => line.endsWith("cannot listen: listen EADDRINUSE"))).toHaveLength(
      2,
    );
  });

  it("to be started at all is logged, and tried again", async () => {
    const crew = await aCrew();
    await crew.adopt("x");
    await crew.listen(1);
    constructing = () => {
      constructing = () => {};
      throw new Error("spawn ENOMEM");
    };
    workers[1]?.kill();
    await expect.poll(() => told, SOON).toContain("w3 listen!");
    expect(logged).toContain("a worker cannot be started: spawn ENOMEM");
  });

  it("to listen at the start is the start's failure", async () => {
    const crew = await aCrew();
    await crew.adopt("x");
    instead.set("w0 listen", () => Promise.reject(new Error("listen EADDRINUSE")));
    await expect(crew.listen(1)).rejects.toThrow("EADDRINUSE");
    expect(told.filter((one) => one.endsWith("kill"))).toEqual([]);
  });
});

describe("a worker process", () => {
  it("lets requests wait while it pauses, and answers them from the snapshot that it takes", async () => {
    const folder = await temporaryFolder();
    const store = join(folder, "store");
    const publish = async (name: string) => {
      const listings = [aListing({ name })];
      const published = await writePublished(join(folder, name), aPublishedDirectory({ listings }));
      return (await build(published, { out: store, keep: 3 })).id;
    };
    const [old, next] = [await publish("Old"), await publish("Next")];
    const options = {
      store,
      host: "127.0.0.1",
      cacheBytes: 1e6,
      metrics: false,
      requestLog: false,
    };
    const worker = fork(WORKER, {
      env: { CRAWLDEX_WORKER: JSON.stringify(options) },
      serialization: "advanced",
    });
    onTestFinished(() => {
      worker.kill("SIGKILL");
    });
    await once(worker, "message");
    const port = await aFreePort();
    const tell = (order: Tell) => worker.send(order);
    const ask = async (order: Ask) => {
      worker.send({ ...order, ask: 1 } satisfies Order);
      const [said] = (await once(worker, "message")) as [Said];
      if ("failure" in said) throw new Error(said.failure);
    };
    await ask({ kind: "prepare", id: old });
    tell({ kind: "take" });
    await ask({ kind: "listen", port });
    const named = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/api/sites`);
      return ((await response.json()) as { data: { name: string }[] }).data[0]?.name;
    };
    expect(await named()).toBe("Old");
    await ask({ kind: "prepare", id: next });
    expect(await named()).toBe("Old");
    await ask({ kind: "pause" });
    const waiting = [named(), named()];
    const early = await Promise.race([
      ...waiting,
      new Promise((done) => setTimeout(done, 200, "none")),
    ]);
    expect(early).toBe("none");
    tell({ kind: "take" });
    expect(await Promise.all(waiting)).toEqual(["Next", "Next"]);
    await ask({ kind: "pause" });
    tell({ kind: "go-on" });
    expect(await named()).toBe("Next");
    await expect(ask({ kind: "prepare", id: "0".repeat(32) })).rejects.toThrow("cannot be read");
    tell({ kind: "close" });
    expect(await once(worker, "exit")).toEqual([0, null]);
  });
});

async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
