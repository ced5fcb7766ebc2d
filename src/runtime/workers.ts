import cluster from "node:cluster";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ReadySnapshot } from "./holder.js";
import { addCounters, type Counted, type Gathered, NO_COUNTS } from "./metrics.js";
import type { Log } from "./reload.js";
import type { WorkerOptions } from "./serve-worker.js";
import { DeadWorkerError, Member } from "./worker-member.js";
import type { Ask } from "./worker-orders.js";

/*
 * Several processes answer on one port. The first process follows the store and answers nothing. It has all
 * workers load a new snapshot; when each has it, all let requests wait; when all do, all take it and go on.
 * So whoever has seen the new snapshot never sees the old one again, from whichever worker. A worker that dies
 * is replaced.
 */

/** Milliseconds that a worker must have lived for its successor to be started at once. */
const SHORT_LIFE_MS = 5_000;
/** Milliseconds until then otherwise, twice as many each time, at most the second. */
const RESTART_MS = 1_000;
const RESTART_MAX_MS = 30_000;
/** Milliseconds that counting waits for a worker; what is known of it is shown then. */
const COUNT_MS = 1_000;
/** Milliseconds that requests wait for a worker that does not hear, and until that is tried again. */
const PAUSE_MS = 250;
const PAUSE_AGAIN_MS = 250;
/** Times that it is tried; who has not heard by then is ended. */
const PAUSE_TRIES = 20;
/** Different troubles of workers that are logged of one snapshot. */
const TROUBLES_LOGGED = 1_000;

interface Address {
  readonly host: string;
  readonly port: number;
}

export interface CrewOptions extends WorkerOptions {
  readonly workers: number;
  readonly log: Log;
  /** Called when a worker lacks the snapshot, or has wrong columns of it: it is to be adopted again. */
  readonly onMissing: () => void;
  /** What all have counted, for the worker that is asked for it. */
  readonly gather: () => Promise<Gathered>;
}

export class WorkerCrew {
  readonly #options: CrewOptions;
  /** All that live, and those among them that have loaded what the crew has, or tried to. */
  readonly #alive = new Set<Member>();
  readonly #members = new Set<Member>();
  #countedByDead = NO_COUNTS;
  readonly #troubles = new Set<string>();
  #current: string | null = null;
  #address: Address | null = null;
  #shortLives = 0;
  #isClosing = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: CrewOptions) {
    this.#options = options;
    cluster.setupPrimary({
      exec: fileURLToPath(new URL("./serve-worker.js", import.meta.url)),
      args: [],
      serialization: "advanced",
    });
  }

  /** @throws where a worker does not come up */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.workers }, () => this.#hire()));
  }

  /** Has all workers answer from a snapshot. @throws where one of them cannot: then none does */
  adopt(id: string): Promise<ReadySnapshot> {
    return this.#inTurn(async () => {
      const ready = await this.#askAll<ReadySnapshot>({ kind: "prepare", id });
      const failed = ready.find((one) => one instanceof Error);
      const [first] = ready.filter((one): one is ReadySnapshot => !(one instanceof Error));
      if (failed !== undefined || first === undefined) {
        for (const member of this.#members) member.tell({ kind: "drop" });
        throw failed ?? new Error("no worker is there");
      }
      await this.#pauseAll();
      for (const member of this.#members) {
        member.tell({ kind: "take" });
        member.isLoaded = true;
      }
      this.#current = id;
      this.#troubles.clear();
      await this.#openLatePorts();
      return first;
    });
  }

  /** Opens the port. @param port 0 takes a free one @throws where it cannot be had */
  async listen(port: number): Promise<Address> {
    const { host } = this.#options;
    // Found here, so that it is the same for those that come later, also when all others are dead.
    this.#address = { host, port: port === 0 ? await freePort(host) : port };
    const [failed] = await this.#inTurn(() => this.#openPorts());
    if (failed !== undefined) throw failed.error;
    return this.#address;
  }

  /** What all have counted. A worker that is no more counts as far as it was last asked, so that no count falls. */
  async gathered(): Promise<Pick<Gathered, "counters" | "processes" | "residentBytes">> {
    const asked = [...this.#members].map(async (member) => {
      member.counted = await member.ask<Counted>({ kind: "count" });
    });
    await Promise.race([Promise.allSettled(asked), sleep(COUNT_MS)]);
    const counted = [...this.#members].map((member) => member.counted);
    const processes = counted.map(({ state }) => state);
    return {
      counters: counted.reduce(
        (sum, { counters }) => addCounters(sum, counters),
        this.#countedByDead,
      ),
      processes,
      residentBytes: processes.reduce(
        (sum, { residentBytes }) => sum + residentBytes,
        process.memoryUsage.rss(),
      ),
    };
  }

  /** Running answers finish; who does not end is ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#alive].map((member) => member.close()));
  }

  /** The answers of all members that live; an Error for one that has failed. */
  async #askAll<T>(ask: Ask): Promise<(T | Error)[]> {
    const asked = [...this.#members].map((member) => member.ask<T>(ask));
    const answers = await Promise.all(asked.map((one) => one.catch((error: Error) => error)));
    return answers.filter((answer) => !(answer instanceof DeadWorkerError));
  }

  /** Has all members let requests wait. One that is busy for too long is not waited for: it is tried again. */
  async #pauseAll(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const deaf = new Set(this.#members);
      const paused = [...deaf].map(async (member) => {
        await member.ask({ kind: "pause" }).catch(() => {});
        deaf.delete(member);
      });
      await Promise.race([Promise.all(paused), sleep(PAUSE_MS)]);
      if (deaf.size === 0) return;
      for (const member of this.#members) member.tell({ kind: "go-on" });
      if (tries >= PAUSE_TRIES) for (const member of deaf) member.kill();
      await sleep(PAUSE_AGAIN_MS);
    }
  }

  /**
   * Opens the port in every worker that has a snapshot, or where none has one in every worker, to answer 503.
   * @returns the workers that cannot listen, and why
   */
  async #openPorts(): Promise<{ readonly member: Member; readonly error: Error }[]> {
    if (this.#address === null) return [];
    const { port } = this.#address;
    const nobodyIsLoaded = ![...this.#members].some(({ isLoaded }) => isLoaded);
    const failed: { member: Member; error: Error }[] = [];
    for (const member of this.#members) {
      if (member.isListening || !(member.isLoaded || nobodyIsLoaded)) continue;
      member.isListening = true;
      await member
        .ask({ kind: "listen", port })
        .catch((error: Error) => failed.push({ member, error }));
    }
    return failed;
  }

  /** Opens the port once the server is running. A worker that cannot listen is ended, so that another replaces it. */
  async #openLatePorts(): Promise<void> {
    for (const { member, error } of await this.#openPorts()) {
      if (error instanceof DeadWorkerError) continue;
      this.#options.log(`a worker cannot listen: ${error.message}`, "trouble");
      member.kill();
    }
  }

  async #hire(): Promise<void> {
    const { store, host, cacheBytes, metrics, requestLog, gather } = this.#options;
    const member = new Member(
      { store, host, cacheBytes, metrics, requestLog },
      (line, kind) => this.#log(line, kind),
      (want) => void gather().then((gathered) => member.tell({ kind: "gathered", want, gathered })),
      this.#options.onMissing,
    );
    this.#alive.add(member);
    void member.death.then((how) => this.#replace(member, how));
    await member.ready;
    await this.#inTurn(() => this.#admit(member));
  }

  /** Has a new worker answer as the others do. */
  async #admit(member: Member): Promise<void> {
    const id = this.#current;
    this.#members.add(member);
    try {
      if (id !== null) {
        await member.ask<ReadySnapshot>({ kind: "prepare", id });
        member.tell({ kind: "take" });
        member.isLoaded = true;
      }
    } catch (error) {
      if (error instanceof DeadWorkerError) throw error;
      this.#log(`a new worker has not loaded ${id}: ${(error as Error).message}`, "trouble");
      this.#options.onMissing();
    }
    await this.#openLatePorts();
  }

  async #replace(member: Member, how: string): Promise<void> {
    this.#alive.delete(member);
    if (this.#members.delete(member)) {
      this.#countedByDead = addCounters(this.#countedByDead, member.counted.counters);
    }
    if (this.#isClosing) return;
    this.#options.log(`a worker ${how}; another takes its place`, "trouble");
    this.#shortLives = member.lifeMs < SHORT_LIFE_MS ? this.#shortLives + 1 : 0;
    while (!this.#isClosing) {
      if (this.#shortLives > 0) {
        await sleep(Math.min(RESTART_MS * 2 ** (this.#shortLives - 1), RESTART_MAX_MS));
      }
      if (this.#isClosing) return;
      try {
        await this.#hire();
        return;
      } catch (error) {
        // A worker that has died after its start is replaced for that reason.
        if (error instanceof DeadWorkerError) return;
        this.#options.log(`a worker cannot be started: ${(error as Error).message}`, "trouble");
        this.#shortLives += 1;
      }
    }
  }

  /** What several workers find is said once. */
  #log(line: string, kind: "info" | "trouble"): void {
    if (this.#troubles.has(line) || this.#troubles.size >= TROUBLES_LOGGED) return;
    this.#troubles.add(line);
    this.#options.log(line, kind);
  }

  /** One change of the crew after the other. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(change);
    this.#turn = done.catch(() => {});
    return done;
  }
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
