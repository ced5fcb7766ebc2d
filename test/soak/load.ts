import { setTimeout as sleep } from "node:timers/promises";
import { headerOf, type Place, Wire, type WireReply } from "../server/wire.js";

/** A request and what its answer is judged by. */
export interface LoadRequest {
  readonly target: string;
  /** Header lines, each with its end. */
  readonly headers?: string;
}

export interface LoadOptions {
  /** Clients that keep their connection, and those that take a new one for each request. */
  readonly kept: number;
  readonly fresh?: number;
  /** Milliseconds that a client waits between two requests; they begin one after the other within that time. */
  readonly pause?: number;
  /** The next request, by how many were made before. */
  readonly next: (count: number) => LoadRequest;
  /** What is wrong with an answer; null where nothing is. Times are those of the process' clock. */
  readonly judge?: (
    request: LoadRequest,
    reply: WireReply,
    times: { readonly asked: number; readonly answered: number },
  ) => string | null;
}

/** Clients that ask until they are stopped, each one request after the other. */
export class Load {
  readonly statuses = new Map<number, number>();
  /** What went wrong, but for what `judge` found: connections that failed. */
  readonly failures: string[] = [];
  readonly faults: string[] = [];
  #latencies: number[] = [];
  #isStopped = false;
  #count = 0;
  readonly #clients: Promise<void>[];

  constructor(place: Place, options: LoadOptions) {
    const { kept, fresh = 0, pause = 0 } = options;
    this.#clients = Array.from({ length: kept + fresh }, async (_, client) => {
      await sleep((pause * client) / (kept + fresh));
      await this.#run(place, options, client >= kept);
    });
  }

  /** Requests that were answered. */
  get count(): number {
    return this.#count;
  }

  /** Milliseconds, of the requests since the last time this was asked: median, 99% of them, the longest. */
  latencies(): { readonly p50: number; readonly p99: number; readonly max: number } {
    const sorted = Float64Array.from(this.#latencies).sort();
    this.#latencies = [];
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    return { p50: at(0.5), p99: at(0.99), max: at(1) };
  }

  /** Statuses but 200 and 304, with how often. */
  bad(): string[] {
    return [...this.statuses]
      .filter(([status]) => status !== 200 && status !== 304)
      .map(([status, count]) => `${count} × ${status}`);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #run(place: Place, options: LoadOptions, isFresh: boolean): Promise<void> {
    const { next, judge, pause = 0 } = options;
    let wire: Wire | null = null;
    for (let made = 0; !this.#isStopped; made += 1) {
      const request = next(made);
      const { target, headers = "" } = request;
      const asked = performance.now();
      try {
        wire ??= await Wire.open(place);
        const reply = await wire.get(target, isFresh ? `${headers}Connection: close\r\n` : headers);
        const answered = performance.now();
        this.#count += 1;
        this.#latencies.push(answered - asked);
        this.statuses.set(reply.status, (this.statuses.get(reply.status) ?? 0) + 1);
        const fault = judge?.(request, reply, { asked, answered }) ?? null;
        if (fault !== null) this.faults.push(`${target}: ${fault}`);
        if (headerOf(reply, "connection") === "close") {
          wire.end();
          wire = null;
        }
      } catch (error) {
        this.failures.push(`${target}: ${(error as Error).message}`);
        wire?.end();
        wire = null;
        await sleep(50);
      }
      if (pause > 0) await sleep(pause);
    }
    wire?.end();
  }
}
