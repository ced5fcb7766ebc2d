import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ReadySnapshot } from "./holder.js";
import { SERVER_LIMITS } from "./limits.js";
import type { Counted } from "./metrics.js";
import type { Log } from "./reload.js";
import type { WorkerOptions } from "./serve-worker.js";

/*
 * Several processes answer on one port. The first process follows the store and answers nothing: it has all
 * workers load a new snapshot, and only when each has it does it have them take it, so that two requests
 * in a row do not see the new one and then the old. A worker that dies is replaced.
 */

/** What a worker is told; `ask` numbers what it has to answer. */
export type Order =
  | { readonly ask: number; readonly kind: "prepare"; readonly id: string }
  | { readonly ask: number; readonly kind: "take" | "drop" | "listen" | "count" }
  | { readonly kind: "counts"; readonly want: number; readonly counts: readonly Counted[] }
  | { readonly kind: "close" };

/** What a worker says. */
export type Said =
  | { readonly ready: true }
  | { readonly ask: number; readonly value: unknown }
  | { readonly ask: number; readonly failure: string }
  | { readonly want: number }
  | { readonly line: string; readonly kind: "info" | "trouble" };

/** Milliseconds that a worker must have lived for its successor to be started at once. */
const SHORT_LIFE_MS = 5_000;
const RESTART_MS = 1_000;
/** Milliseconds that counting waits for a worker. */
const COUNT_MS = 2_000;

interface Address {
  readonly host: string;
  readonly port: number;
}

export interface CrewOptions extends WorkerOptions {
  readonly workers: number;
  readonly log: Log;
}

export class WorkerCrew {
  readonly #options: CrewOptions;
  readonly #members = new Set<Member>();
  readonly #reloads = { loaded: 0, refused: 0 };
  #current: string | null = null;
  #isListening = false;
  #isClosing = false;

  constructor(options: CrewOptions) {
    this.#options = options;
    cluster.setupPrimary({
      exec: fileURLToPath(new URL("./serve-worker.js", import.meta.url)),
      args: [],
      serialization: "advanced",
    });
  }

  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.workers }, () => this.#hire()));
  }

  /** Has all workers answer from a snapshot. @throws where one of them cannot: then none does */
  async adopt(id: string): Promise<ReadySnapshot> {
    const ready = await this.#askAll<ReadySnapshot>({ kind: "prepare", id });
    const failed = ready.find((one) => one instanceof Error);
    const [first] = ready.filter((one): one is ReadySnapshot => !(one instanceof Error));
    if (failed !== undefined || first === undefined) {
      await this.#askAll({ kind: "drop" });
      throw failed ?? new Error("no worker is there");
    }
    this.#current = id;
    await this.#askAll({ kind: "take" });
    return first;
  }

  /** @throws where the port cannot be had */
  async listen(): Promise<Address> {
    this.#isListening = true;
    const addresses = await this.#askAll<Address>({ kind: "listen" });
    const [first] = addresses;
    if (first === undefined || first instanceof Error)
      throw first ?? new Error("no worker is there");
    return first;
  }

  reloaded(outcome: "loaded" | "refused"): void {
    this.#reloads[outcome] += 1;
  }

  /** Running answers finish; who does not end is ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#members].map((member) => member.end()));
  }

  /** The answers of all workers that live; an Error for one that has failed. */
  async #askAll<T>(
    order: { kind: "prepare"; id: string } | { kind: "take" | "drop" | "listen" | "count" },
  ): Promise<(T | Error)[]> {
    const asked = [...this.#members].map((member) => member.ask<T>(order));
    const answers = await Promise.all(asked.map((one) => one.catch((error: Error) => error)));
    return answers.filter((answer) => !(answer instanceof DeadWorkerError));
  }

  async #hire(): Promise<void> {
    const { workers: _, log, ...options } = this.#options;
    const member = new Member(options, log, (want) => void this.#tellCounts(member, want));
    this.#members.add(member);
    void member.death.then((how) => this.#replace(member, how));
    await member.ready;
    if (this.#current !== null) {
      await member.ask({ kind: "prepare", id: this.#current });
      await member.ask({ kind: "take" });
    }
    if (this.#isListening) await member.ask({ kind: "listen" });
  }

  async #replace(member: Member, how: string): Promise<void> {
    this.#members.delete(member);
    if (this.#isClosing) return;
    this.#options.log(`a worker ${how}; another takes its place`, "trouble");
    if (member.lifeMs < SHORT_LIFE_MS) await sleep(RESTART_MS);
    if (!this.#isClosing) await this.#hire().catch(() => {});
  }

  async #tellCounts(member: Member, want: number): Promise<void> {
    const late = sleep(COUNT_MS).then((): Counted[] => []);
    const counts = await Promise.race([this.#askAll<Counted>({ kind: "count" }), late]);
    const [first, ...others] = (counts as (Counted | Error)[]).filter(
      (one): one is Counted => !(one instanceof Error),
    );
    // What the first process has adopted all have: its count of that stands for them.
    const summed = first === undefined ? [] : [{ ...first, reloads: this.#reloads }, ...others];
    member.tell({ kind: "counts", want, counts: summed });
  }
}

class DeadWorkerError extends Error {}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A worker as the first process sees it. */
class Member {
  /** When it hears what it is told. */
  readonly ready: Promise<void>;
  /** How it died. */
  readonly death: Promise<string>;
  readonly #worker: Worker;
  readonly #start = performance.now();
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #isDead = false;

  constructor(options: WorkerOptions, log: Log, onCountsWanted: (want: number) => void) {
    let onReady = () => {};
    this.#worker = cluster.fork({ CRAWLDEX_WORKER: JSON.stringify(options) });
    this.#worker.on("message", (said: Said) => {
      if ("line" in said) log(said.line, said.kind);
      else if ("ready" in said) onReady();
      else if ("want" in said) onCountsWanted(said.want);
      else this.#settle(said);
    });
    // An order to one that is just dying fails: its death tells all.
    this.#worker.on("error", () => {});
    this.death = new Promise((resolve) => {
      this.#worker.once("exit", (code, signal) => {
        this.#isDead = true;
        const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
        for (const { reject } of this.#waiting.values()) reject(new DeadWorkerError(how));
        this.#waiting.clear();
        resolve(how);
      });
    });
    this.ready = new Promise((resolve, reject) => {
      onReady = resolve;
      void this.death.then((how) => reject(new DeadWorkerError(how)));
    });
    this.ready.catch(() => {});
  }

  get lifeMs(): number {
    return performance.now() - this.#start;
  }

  ask<T>(
    order: { kind: "prepare"; id: string } | { kind: "take" | "drop" | "listen" | "count" },
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#isDead) {
        reject(new DeadWorkerError("is dead"));
        return;
      }
      this.#asked += 1;
      this.#waiting.set(this.#asked, { resolve: resolve as (value: unknown) => void, reject });
      this.tell({ ...order, ask: this.#asked });
    });
  }

  tell(order: Order): void {
    if (!this.#isDead && this.#worker.isConnected()) this.#worker.send(order);
  }

  async end(): Promise<void> {
    this.tell({ kind: "close" });
    const hardStop = setTimeout(() => this.#worker.kill("SIGKILL"), SERVER_LIMITS.drainMs + 500);
    await this.death;
    clearTimeout(hardStop);
  }

  #settle(said: Extract<Said, { ask: number }>): void {
    const waiting = this.#waiting.get(said.ask);
    this.#waiting.delete(said.ask);
    if ("failure" in said) waiting?.reject(new Error(said.failure));
    else waiting?.resolve(said.value);
  }
}
