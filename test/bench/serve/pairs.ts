import { readFileSync } from "node:fs";
import { figure, median, table } from "../kit.js";
import { read, Server } from "./servers.js";
import type { Load, Wrk } from "./wrk.js";

/** One measurement: what wrk has seen, and the processor's time that each request has taken. */
interface Measured extends Load {
  /** Microseconds. */
  readonly cpuUs: number;
}
type Pair = readonly [one: Measured, other: Measured];

/** Answers that are read beforehand to know their mean size. */
const SIZED = 200;
/** Each server is warmed up for so long. */
const WARM_UP_S = 6;

interface PairsOptions {
  readonly wrk: Wrk;
  readonly store: string;
  /** Of each measurement. */
  readonly seconds: number;
  readonly pairs: number;
}

/** Measures servers in pairs, in turn, and keeps a row of a table for each kind of requests. */
export class Pairs {
  readonly #options: PairsOptions;
  readonly #rows: string[][] = [];

  constructor(options: PairsOptions) {
    this.#options = options;
  }

  /**
   * Ours beside a bare server with the same headers and the mean size of our answers.
   * @param extra options of ours
   */
  async beside(
    name: string,
    file: string,
    bar: string,
    extra: readonly string[] = [],
  ): Promise<readonly Pair[]> {
    const ours = await Server.ours(this.#options.store, extra);
    const bare = await bareFor(ours, file);
    const { wrk, pairs } = this.#options;
    for (const server of [ours, bare]) wrk.load(server.url, file, WARM_UP_S);
    const measured = Array.from(
      { length: pairs },
      (): Pair => [this.#measure(ours, file), this.#measure(bare, file)],
    );
    await Promise.all([ours.stop(), bare.stop()]);
    this.#add(name, bar, measured, await this.#keptShare(file, extra));
    return measured;
  }

  #add(name: string, bar: string, measured: readonly Pair[], kept: string): void {
    const ratios = measured.map(([one, other]) => one.rate / other.rate);
    const of = (pick: (pair: Pair) => number) => figure(median(measured.map(pick)));
    this.#rows.push([
      name,
      bar,
      figure(median(ratios)),
      ratios.map(figure).join(", "),
      of(([one]) => one.rate),
      of(([, other]) => other.rate),
      of(([one]) => one.cpuUs),
      of(([, other]) => other.cpuUs),
      of(([one]) => one.p99),
      kept,
    ]);
  }

  /** Empty where nothing was measured. */
  get table(): string {
    if (this.#rows.length === 0) return "";
    const head = ["", "bar", "of the other", "pairs", "requests/s", "other's"];
    return table([...head, "CPU µs a request", "other's", "p99, ms", "kept"], this.#rows);
  }

  #measure(server: Server, file: string): Measured {
    const before = server.cpuSeconds();
    const load = this.#options.wrk.load(server.url, file, this.#options.seconds);
    return { ...load, cpuUs: ((server.cpuSeconds() - before) * 1e6) / load.requests };
  }

  /** The share of answers that were kept, as `/metrics` counts them, in a run of its own. */
  async #keptShare(file: string, extra: readonly string[]): Promise<string> {
    const { wrk, store, seconds } = this.#options;
    const ours = await Server.ours(store, ["--metrics", ...extra]);
    wrk.load(ours.url, file, WARM_UP_S);
    const before = await counted(ours);
    wrk.load(ours.url, file, seconds);
    const after = await counted(ours);
    await ours.stop();
    return `${figure((100 * (after.hits - before.hits)) / (after.requests - before.requests))}%`;
  }
}

async function bareFor(ours: Server, file: string): Promise<Server> {
  const lines = readFileSync(file, "utf8").split("\n");
  const stride = Math.max(1, Math.floor(lines.length / SIZED));
  const answers = [];
  for (let at = 0; at < lines.length; at += stride) {
    answers.push(await read(ours.url + lines[at]!));
  }
  const [first] = answers;
  if (first === undefined) throw new Error(`no answer of ${file}`);
  const bytes = Math.round(answers.reduce((sum, answer) => sum + answer.bytes, 0) / answers.length);
  const headers = first.headers.map((text, at) =>
    first.headers[at - 1]?.toLowerCase() === "content-length" ? `${bytes}` : text,
  );
  return Server.bare({ status: first.status, headers, bytes });
}

async function counted(server: Server): Promise<{ hits: number; requests: number }> {
  const lines = (await (await fetch(`${server.url}/metrics`)).text()).split("\n");
  const sum = (name: string) =>
    lines
      .filter((line) => line.startsWith(`crawldex_${name}`))
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" "))), 0);
  return { hits: sum("cache_hits_total"), requests: sum("requests_total") };
}
