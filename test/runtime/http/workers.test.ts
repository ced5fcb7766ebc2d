import { EventEmitter, once } from "node:events";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Command, WorkerReport } from "../../../src/runtime/http/serve-worker.js";
import { WorkerProcesses } from "../../../src/runtime/http/workers.js";
import { Metrics } from "../../../src/runtime/observe/metrics.js";
import { readMetrics, requestsOf } from "../prometheus.js";

/** A worker without a process. It records the orders that it gets. */
class FakeWorker extends EventEmitter {
  readonly orders: string[] = [];
  readonly process = {
    pid: 1 as number | undefined,
    kill: () => this.emit("exit", null, "SIGKILL"),
  };

  isConnected = () => true;

  send(order: Command): void {
    const { kind } = order;
    this.orders.push(kind);
    if (kind === "metrics") this.emit(kind, order);
    if (kind === "listen") this.emit("listening", { port: 80 });
    if (kind === "close") queueMicrotask(() => this.emit("exit", 0, null));
  }

  say(report: WorkerReport): void {
    this.emit("message", report);
  }

  look(isLoaded: boolean): void {
    this.say({ kind: "looked", isLoaded, exampleHost: isLoaded ? "a.example" : null });
  }

  get hasPort(): boolean {
    return this.orders.includes("listen");
  }
}

const { workers, pauses, starting } = vi.hoisted(() => ({
  workers: [] as FakeWorker[],
  pauses: [] as number[],
  starting: { error: null as Error | null },
}));

vi.mock("node:cluster", () => ({
  default: {
    setupPrimary: () => {},
    fork: () => {
      const { error } = starting;
      starting.error = null;
      if (error !== null) throw error;
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
  },
}));
vi.mock("node:timers/promises", () => ({
  setTimeout: async (ms: number) => {
    pauses.push(ms);
  },
}));

const logged: string[] = [];

afterEach(() => {
  for (const list of [workers, pauses, logged]) list.length = 0;
});

function aCrew() {
  const options = { store: "store", host: "127.0.0.1", port: 0, cacheBytes: 0 };
  const log = (line: string) => logged.push(line);
  const crew = new WorkerProcesses({
    ...options,
    metrics: true,
    requestLog: false,
    cards: false,
    log,
  });
  onTestFinished(() => crew.close());
  return crew;
}

/** Starts a crew whose workers have loaded a snapshot or not. */
async function aStartedCrew(...loaded: boolean[]) {
  const crew = aCrew();
  const started = crew.start(loaded.length);
  for (const [i, isLoaded] of loaded.entries()) workers[i]?.look(isLoaded);
  expect(await started).toBe(80);
  return crew;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the port", () => {
  it("is opened by workers with a snapshot, and by another one once it has loaded one", async () => {
    const crew = await aStartedCrew(true, false);
    expect(workers.map(({ hasPort }) => hasPort)).toEqual([true, false]);
    expect(crew.exampleHost).toBe("a.example");
    workers[1]?.look(true);
    expect(workers.map(({ hasPort }) => hasPort)).toEqual([true, true]);
    expect(workers.map(({ orders }) => orders.filter((kind) => kind === "listen"))).toEqual([
      ["listen"],
      ["listen"],
    ]);
  });

  it("is opened by all workers if there is no snapshot, to answer 503", async () => {
    const crew = await aStartedCrew(false, false);
    expect(workers.map(({ hasPort }) => hasPort)).toEqual([true, true]);
    expect(crew.exampleHost).toBeNull();
  });

  it("makes the start fail if a worker cannot open it, or dies before it is open", async () => {
    const refused = aCrew().start(2);
    workers[1]?.say({ kind: "failed", message: "listen EADDRINUSE" });
    await expect(refused).rejects.toThrow("listen EADDRINUSE");
    workers.length = 0;
    const died = aCrew().start(2);
    workers[0]?.emit("exit", 1, null);
    await expect(died).rejects.toThrow("a worker exited with code 1");
    expect(logged).toEqual([]);
  });
});

describe("a worker that dies", () => {
  it("is replaced after a pause that doubles while its successors die at once", async () => {
    await aStartedCrew(true, true);
    for (let i = 1; i <= 7; i += 1) {
      workers.at(-1)?.emit("exit", null, "SIGKILL");
      await settled();
      expect(workers).toHaveLength(2 + i);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(logged).toEqual(Array(7).fill("a worker was killed by SIGKILL; starting another one"));
    expect(workers.at(-1)?.hasPort).toBe(false);
    workers.at(-1)?.look(true);
    expect(workers.at(-1)?.hasPort).toBe(true);
  });

  it("after a long life is replaced at once", async () => {
    await aStartedCrew(true);
    const now = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(now + 60_000);
    onTestFinished(() => void vi.restoreAllMocks());
    workers[0]?.emit("exit", 1, null);
    await settled();
    expect([workers.length, pauses]).toEqual([2, []]);
  });

  it("is replaced too if its successor cannot be started, and the reason is logged", async () => {
    await aStartedCrew(true);
    starting.error = new Error("spawn ENOMEM");
    workers[0]?.emit("exit", 1, null);
    await settled();
    expect(workers).toHaveLength(2);
    const [next] = workers.slice(-1);
    if (next) next.process.pid = undefined;
    next?.emit("error", new Error("spawn EAGAIN"));
    await settled();
    expect(workers).toHaveLength(3);
    next?.emit("error", new Error("spawn EAGAIN"));
    expect(logged).toEqual([
      "a worker exited with code 1; starting another one",
      "a worker could not be started: spawn ENOMEM; starting another one",
      "a worker could not be started: spawn EAGAIN; starting another one",
    ]);
  });

  it("because it cannot open the port is logged with the reason", async () => {
    await aStartedCrew(true);
    workers[0]?.say({ kind: "failed", message: "listen EACCES" });
    workers[0]?.emit("exit", 1, null);
    await settled();
    expect(logged[0]).toBe("a worker cannot serve: listen EACCES");
    expect(workers).toHaveLength(2);
  });

  it("is not replaced when the server ends", async () => {
    const crew = await aStartedCrew(true, true);
    await crew.close();
    expect(workers.map(({ orders }) => orders.at(-1))).toEqual(["close", "close"]);
    expect([workers.length, logged]).toEqual([2, []]);
  });
});

it("a line that every worker logs is logged once, and again when a worker repeats it", async () => {
  await aStartedCrew(true, true);
  const say = (at: number, line: string) => workers[at]?.say({ kind: "log", line, level: "info" });
  for (const at of [0, 1]) say(at, "snapshot a loaded");
  for (const at of [1, 0]) say(at, "snapshot b loaded");
  for (const at of [0, 1]) say(at, "snapshot a loaded");
  expect(logged).toEqual(["snapshot a loaded", "snapshot b loaded", "snapshot a loaded"]);
});

it("a late or dead worker counts with the numbers that it reported last, so that no counter falls", async () => {
  await aStartedCrew(true, true);
  const [late, asking] = workers as [FakeWorker, FakeWorker];
  const counted = async (requests: number) => {
    const metrics = new Metrics(() => ({ cacheBytes: 0, snapshot: "a", listings: 1 }));
    const request = { route: "tags", status: 200, bytes: 1, ms: 1, wasKept: false };
    for (let i = 0; i < requests; i += 1) metrics.answered(request);
    return { kind: "counted", counted: await metrics.counted() } as const;
  };
  late.say(await counted(2));
  const scraped = async () => {
    const text = once(asking, "metrics");
    asking.say({ kind: "gather" });
    asking.say(await counted(5));
    const [order] = (await text) as [{ readonly text: string }];
    return requestsOf(readMetrics(order.text))["tags 200"];
  };
  expect(await scraped()).toBe(7);
  late.emit("exit", 1, null);
  expect(await scraped()).toBe(7);
});
