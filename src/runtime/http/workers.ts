import cluster, { type Address, type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../files/errors.js";
import { SERVER_LIMITS } from "../limits.js";
import type { CountedMetrics } from "../observe/metrics.js";
import type { Command, Looked, WorkerOptions, WorkerReport } from "./serve-worker.js";
import type { ProcessOptions } from "./server.js";

/*
 * Several processes answer on one port. Each follows the store independently, so two of them may briefly answer from
 * different snapshots. The first process answers nothing: it starts the workers and replaces those that die.
 */

/** The environment variable with a worker's options, as JSON. */
export const WORKER_OPTIONS = "CRAWLDEX_WORKER";
/**
 * A worker that lives for fewer milliseconds is replaced after a pause. The pause doubles each time, up to
 * `PAUSE_MAX_MS`.
 */
const SHORT_LIFE_MS = 5_000;
const RESTART_PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 30_000;
/** Milliseconds that /metrics waits for a worker. Then it uses the worker's last known counts. */
const COUNT_MS = 1_000;
/** Milliseconds beyond the drain time after which a worker that does not end is killed. */
const END_GRACE_MS = 500;
/** Log lines that are remembered, so that not every worker logs the same line. */
const LINES_MAX = 1_000;

/** A worker, as the first process knows it. Its process emits the kind of each report. */
class WorkerProcess {
  readonly worker: Worker;
  /** The address, once the port is open. */
  readonly opened: Promise<Address[]>;
  readonly start = performance.now();
  /** How often the worker has logged each line. */
  readonly lines = new Map<string, number>();
  looked: Looked | null = null;
  counted: CountedMetrics | null = null;
  isListening = false;

  constructor(given: WorkerOptions) {
    const { store, host, port, cacheBytes, metrics, requestLog, cards, publicKeys } = given;
    const options = { store, host, port, cacheBytes, metrics, requestLog, cards, publicKeys };
    this.worker = cluster.fork({ [WORKER_OPTIONS]: JSON.stringify(options) });
    this.opened = once(this.worker, "listening");
    this.opened.catch(() => {});
  }

  send(command: Command): void {
    if (this.worker.isConnected()) this.worker.send(command);
  }

  /** Updates `counted`, if the worker answers in time. */
  async count(): Promise<void> {
    const counted = once(this.worker, "counted", { signal: AbortSignal.timeout(COUNT_MS) });
    this.send({ kind: "count" });
    await counted.catch(() => {});
  }

  /** Ends the worker when its running answers are sent, or after the drain time. */
  async close(): Promise<void> {
    const exit = new Promise((resolve) => this.worker.once("exit", resolve));
    this.send({ kind: "close" });
    const kill = () => this.worker.process.kill("SIGKILL");
    const timer = setTimeout(kill, SERVER_LIMITS.drainMs + END_GRACE_MS);
    await exit;
    clearTimeout(timer);
  }
}

/** What the first process needs: the options of its workers, and its own. */
type CrewOptions = WorkerOptions & Pick<ProcessOptions, "log" | "pulls">;

export class WorkerProcesses {
  readonly #options: CrewOptions;
  readonly #members = new Set<WorkerProcess>();
  readonly #closing = new AbortController();
  /** The summed counts of workers that have died. */
  #ended: Promise<CountedMetrics> = Promise.resolve([]);
  /** How often each line was logged. */
  readonly lines = new Map<string, number>();
  #shortLives = 0;
  /** Ends the start with an error; null after the start. */
  #failStart: ((error: Error) => void) | null = null;

  constructor(options: CrewOptions) {
    this.#options = options;
    const exec = fileURLToPath(new URL("./serve-worker.js", import.meta.url));
    cluster.setupPrimary({ exec, args: [], serialization: "advanced" });
  }

  /**
   * Starts the workers and waits until they answer.
   * @returns the port
   * @throws if one of them cannot answer
   */
  async start(workers: number): Promise<number> {
    const failed = new Promise<never>((_, reject) => {
      this.#failStart = reject;
    });
    const members = Array.from({ length: workers }, () => this.#hire());
    const looked = Promise.all(members.map(({ worker }) => once(worker, "looked")));
    await Promise.race([looked, failed]);
    const opened = members.filter(({ isListening }) => isListening).map((one) => one.opened);
    const address = (await Promise.race([Promise.all(opened), failed])).flat()[0];
    this.#failStart = null;
    if (address === undefined) throw new Error("no worker has opened the port");
    return address.port;
  }

  /** A host that has a report, for examples. */
  get exampleHost(): string | null {
    return (
      [...this.#members].find(({ looked }) => looked?.exampleHost)?.looked?.exampleHost ?? null
    );
  }

  /** Tells all workers to look for a new snapshot. */
  reload(): void {
    for (const member of this.#members) member.send({ kind: "reload" });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#members].map((member) => member.close()));
  }

  /** Adds up the metrics of all workers. The counts of dead ones stay in, so that no counter falls. */
  async #metrics(): Promise<string> {
    const members = [...this.#members].filter(({ looked }) => looked !== null);
    await Promise.all(members.map((member) => member.count()));
    const { firstProcess, metricsText, pullMetrics } = await import("../observe/metrics.js");
    const pulls = await pullMetrics(this.#options.pulls?.());
    const counted = members.flatMap((member) => (member.counted ? [member.counted] : []));
    return metricsText([...counted, await this.#ended, await firstProcess(), pulls]);
  }

  #hire(): WorkerProcess {
    const member = new WorkerProcess(this.#options);
    const { worker } = member;
    this.#members.add(member);
    worker.on("message", (report: WorkerReport) => this.#receive(member, report));
    worker.once("exit", (code, signal) => {
      this.#bury(member, signal ? `was killed by ${signal}` : `exited with code ${code}`);
    });
    worker.on("error", ({ message }) => {
      // A process that never started does not exit.
      if (worker.process.pid === undefined) this.#bury(member, `could not be started: ${message}`);
    });
    return member;
  }

  #receive(member: WorkerProcess, report: WorkerReport): void {
    if (report.kind === "looked") member.looked = report;
    if (report.kind === "counted") member.counted = report.counted;
    if (report.kind === "log") this.#log(member, report);
    if (report.kind === "gather") {
      void this.#metrics().then((text) => member.send({ kind: "metrics", text }));
    }
    if (report.kind === "failed") {
      if (this.#failStart) this.#failStart(new Error(report.message));
      else this.#options.log(`a worker cannot serve: ${report.message}`, "trouble");
    }
    this.#openPorts();
    member.worker.emit(report.kind);
  }

  /**
   * Opens the port in every worker that has a snapshot. If all workers report that they have none, opens it in every
   * worker, to answer 503.
   */
  #openPorts(): void {
    const members = [...this.#members];
    const areAllEmpty = members.every(({ looked }) => looked?.isLoaded === false);
    for (const member of members) {
      if (member.isListening || !(member.looked?.isLoaded || areAllEmpty)) continue;
      member.isListening = true;
      member.send({ kind: "listen" });
    }
  }

  #bury(member: WorkerProcess, how: string): void {
    if (!this.#members.delete(member)) return;
    if (member.counted !== null) this.#keep(member.counted);
    const lifeMs = performance.now() - member.start;
    this.#shortLives = lifeMs < SHORT_LIFE_MS ? this.#shortLives + 1 : 0;
    this.#failStart?.(new Error(`a worker ${how}`));
    if (this.#failStart === null) void this.#replace(how);
  }

  #keep(counted: CountedMetrics): void {
    const adding = import("../observe/metrics.js");
    this.#ended = this.#ended.then(async (ended) => (await adding).withEnded(ended, counted));
  }

  async #replace(how: string): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted) return;
    this.#options.log(`a worker ${how}; starting another one`, "trouble");
    if (this.#shortLives > 0) {
      const pauseMs = Math.min(RESTART_PAUSE_MS * 2 ** (this.#shortLives - 1), PAUSE_MAX_MS);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
    if (signal.aborted) return;
    try {
      this.#hire();
    } catch (error) {
      this.#shortLives += 1;
      void this.#replace(`could not be started: ${messageOf(error)}`);
    }
  }

  /** Logs a line once, even if every worker sends it, and again when one worker repeats it. */
  #log(member: WorkerProcess, { line, level }: Extract<WorkerReport, { kind: "log" }>): void {
    const times = (member.lines.get(line) ?? 0) + 1;
    member.lines.set(line, times);
    if (times <= (this.lines.get(line) ?? 0)) return;
    if (this.lines.size >= LINES_MAX) {
      for (const { lines } of [this, ...this.#members]) lines.clear();
    }
    this.lines.set(line, times);
    this.#options.log(line, level);
  }
}
