import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { figure, median, table } from "../kit.js";
import { read, Server } from "./servers.js";
import type { Wrk } from "./wrk.js";

/** One measurement: what wrk has seen, and the processor's time that each request has taken. */
interface Measured {
  /** Requests a second. */
  readonly rate: number;
  /** Microseconds. */
  readonly cpuUs: number;
}
type Pair = readonly [ours: Measured, fair: Measured];

/** Each server is warmed up for so long, at least until it has seen each target twice. */
const WARM_UP_S = 3;

interface PairsOptions {
  readonly wrk: Wrk;
  readonly store: string;
  /** For the answers that the fair server is given. */
  readonly folder: string;
  /** Of each measurement. */
  readonly seconds: number;
  readonly pairs: number;
}

interface Comparison {
  readonly name: string;
  readonly targets: readonly string[];
  /** Whether the client has each answer already. */
  readonly isConditional?: boolean;
  /** Of our server. */
  readonly options: readonly string[];
  /** The most that ours may take: a ratio to the fair server's time, or microseconds. */
  readonly bar: { readonly ratio: number } | { readonly us: number };
}

/** Measures ours beside the fair server, in turn, and keeps a row of a table for each kind of requests. */
export class Pairs {
  readonly #options: PairsOptions;
  readonly #rows: string[][] = [];

  constructor(options: PairsOptions) {
    this.#options = options;
  }

  async compare(comparison: Comparison): Promise<void> {
    const { wrk, store, seconds, pairs } = this.#options;
    const ours = await Server.ours(store, comparison.options);
    const { fair, requests } = await this.#fairFor(ours, comparison);
    for (const server of [ours, fair]) {
      let sent = 0;
      while (sent < 2 * comparison.targets.length)
        sent += wrk.load(server.url, requests, WARM_UP_S).requests;
    }
    const measured = Array.from({ length: pairs }, (): Pair => {
      const [one, other] = [ours, fair].map((server) => measure(server, wrk, requests, seconds));
      return [one!, other!];
    });
    await Promise.all([ours.stop(), fair.stop()]);
    this.#add(comparison, measured);
  }

  /** The fair server with our answers to some targets, and the file of the requests for both. */
  async #fairFor(
    ours: Server,
    { name, targets, isConditional }: Comparison,
  ): Promise<{ readonly fair: Server; readonly requests: string }> {
    const { wrk, folder } = this.#options;
    const files = [join(folder, "fair.lines"), join(folder, "fair.bodies")] as const;
    const bodies = openSync(files[1], "w");
    const lines: string[] = [];
    const requests: string[] = [];
    for (const target of targets) {
      const { status, headers, body } = await read(ours.url + target);
      if (status !== 200) throw new Error(`${target} answers ${status}`);
      const tag = headers[headers.indexOf("ETag") + 1];
      requests.push(isConditional ? `${target} ${tag}` : target);
      lines.push(JSON.stringify({ target, status, headers, length: body.length }));
      writeSync(bodies, body);
    }
    closeSync(bodies);
    wrk.write("fair.lines", lines);
    return { fair: await Server.fair(files), requests: wrk.write(`${name}.requests`, requests) };
  }

  #add({ name, bar }: Comparison, measured: readonly Pair[]): void {
    const ratios = measured.map(([one, other]) => one.cpuUs / other.cpuUs);
    const of = (pick: (pair: Pair) => number) => median(measured.map(pick));
    const us = of(([one]) => one.cpuUs);
    const isMet = "ratio" in bar ? median(ratios) <= bar.ratio : us <= bar.us;
    this.#rows.push([
      name,
      figure(us),
      figure(of(([, other]) => other.cpuUs)),
      figure(median(ratios)),
      `${figure(Math.min(...ratios))} to ${figure(Math.max(...ratios))}`,
      `${"ratio" in bar ? figure(bar.ratio) : `${bar.us} µs`}, ${isMet ? "met" : "missed"}`,
      figure(of(([one]) => one.rate)),
      figure(of(([, other]) => other.rate)),
    ]);
  }

  get table(): string {
    const head = ["", "CPU µs a request", "fair server's", "ratio", "ratios", "bar"];
    return table([...head, "requests/s", "fair server's"], this.#rows);
  }
}

function measure(server: Server, wrk: Wrk, requests: string, seconds: number): Measured {
  const before = server.cpuUs();
  const load = wrk.load(server.url, requests, seconds);
  return { rate: load.rate, cpuUs: (server.cpuUs() - before) / load.requests };
}
