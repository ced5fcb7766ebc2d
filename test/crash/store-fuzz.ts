import { type ChildProcess, fork } from "node:child_process";
import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GoodStore, StoreMutant } from "./damaged-stores.js";
import { pathsOf } from "./store-questions.js";
import type { Read } from "./store-reader.js";

/** What a mutant was found to do. Only the first two are allowed. */
export type Outcome = "refused" | "right" | "wrong" | "crash" | "hang" | "memory";

const SCRIPT = fileURLToPath(new URL("./store-reader.ts", import.meta.url));

/** A child process that is told of one mutant at a time; starting another one when it is ended. */
class Reader {
  readonly #dist: string;
  #child: ChildProcess | null = null;

  constructor(dist: string) {
    this.#dist = dist;
  }

  async run(task: object, watchdogMs: number): Promise<Read | "crash" | "hang"> {
    const child = this.#child ?? (await this.#start());
    this.#child = child;
    const outcome = await new Promise<Read | "crash" | "hang">((resolve) => {
      const settle = (result: Read | "crash" | "hang") => {
        clearTimeout(timer);
        child.off("exit", onExit);
        child.off("message", settle);
        resolve(result);
      };
      const timer = setTimeout(() => settle("hang"), watchdogMs);
      const onExit = () => settle("crash");
      child.once("exit", onExit);
      child.once("message", settle);
      child.send(task);
    });
    if (typeof outcome === "string" || outcome.peakMemory > MEMORY_MAX) this.end();
    return outcome;
  }

  end(): void {
    this.#child?.kill("SIGKILL");
    this.#child = null;
  }

  #start(): Promise<ChildProcess> {
    const child = fork(SCRIPT, [this.#dist], {
      execArgv: ["--import", "tsx"],
      serialization: "advanced",
    });
    return new Promise((resolve, reject) => {
      child.once("message", () => resolve(child));
      child.once("error", reject);
    });
  }
}

/** Bytes of memory that no mutant of so small a store may take: a good one takes a fifth. */
const MEMORY_MAX = 1024 ** 3;

export interface Fuzzed {
  readonly mutant: StoreMutant;
  readonly outcome: Outcome;
  readonly refusal: string;
}

interface FuzzOptions {
  readonly processes?: number;
  /** Milliseconds until a process is taken to hang. */
  readonly watchdogMs?: number;
}

/** Has each mutant loaded, and asked for answers, by a process of its own. */
export async function fuzzStore(
  dist: string,
  good: GoodStore,
  mutants: readonly StoreMutant[],
  { processes = 2, watchdogMs = 120_000 }: FuzzOptions = {},
): Promise<Fuzzed[]> {
  if (mutants.length === 0) return [];
  const paths = pathsOf(good);
  const expected = await goodAnswers(dist, good, paths);
  const found: Fuzzed[] = [];
  let next = 0;
  const work = async (folder: string) => {
    const reader = new Reader(dist);
    for (let at = next++; at < mutants.length; at = next++) {
      const mutant = mutants[at]!;
      // Only mutants of whole files damage what the others share.
      if (!existsSync(folder) || mutants[at - processes]?.kind === "file")
        copyStore(good.store, folder);
      found.push(await tryMutant(reader, { store: folder, paths, expected }, mutant, watchdogMs));
    }
    reader.end();
    rmSync(folder, { recursive: true, force: true });
  };
  const folders = Array.from({ length: processes }, (_, at) => `${good.store}-try-${at}`);
  await Promise.all(folders.map(work));
  return found;
}

function copyStore(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}

interface Trial {
  readonly store: string;
  readonly paths: readonly string[];
  readonly expected: readonly string[];
}

async function tryMutant(
  reader: Reader,
  { store, paths: all, expected }: Trial,
  { kind, truth, publish, ...named }: StoreMutant,
  watchdogMs: number,
): Promise<Fuzzed> {
  const mutant = { kind, truth, publish, ...named };
  const id = publish(store);
  if (id === null) return { mutant, outcome: "refused", refusal: "the writer refuses it" };
  const isPointer = kind === "pointer";
  if (isPointer) writeFileSync(join(store, "current.json"), id);
  const isAsked = (path: string) => truth !== "reports and searches" || !path.includes("facets");
  const paths = all.filter(isAsked);
  const answers = expected.filter((_, at) => isAsked(all[at] ?? ""));
  const right = truth === null ? null : answers;
  const task = { store, id: isPointer ? null : id, paths, expected: right };
  const read = await reader.run(task, watchdogMs);
  if (typeof read === "string") return { mutant, outcome: read, refusal: "" };
  return { mutant, outcome: outcomeOf(read), refusal: read.refusal ?? "" };
}

function outcomeOf(read: Read): Outcome {
  if (read.peakMemory > MEMORY_MAX) return "memory";
  if (read.refusal !== null) return "refused";
  return read.isRight ? "right" : "wrong";
}

async function goodAnswers(
  dist: string,
  good: GoodStore,
  paths: readonly string[],
): Promise<readonly string[]> {
  const reader = new Reader(dist);
  const task = { store: good.store, id: good.id, paths, expected: null };
  const read = await reader.run(task, 60_000);
  reader.end();
  if (typeof read === "string" || read.refusal !== null) {
    throw new Error(`the good store is not read: ${JSON.stringify(read)}`);
  }
  return read.answers;
}

/** How many mutants of each kind did what. */
export function tally(found: readonly Fuzzed[]): Record<string, Partial<Record<Outcome, number>>> {
  const counts: Record<string, Partial<Record<Outcome, number>>> = {};
  for (const { mutant, outcome } of found) {
    for (const kind of [mutant.kind, "all"]) {
      counts[kind] ??= {};
      const ofKind = counts[kind];
      ofKind[outcome] = (ofKind[outcome] ?? 0) + 1;
    }
  }
  return counts;
}
