/**
 * How often each test of crashes repeats itself: `quick` in `npm test`, `ci` in each run of CI,
 * `long` before a release (`npm run test:crash`).
 */
type Run = "quick" | "ci" | "long";

const TABLE = {
  /** P1: builds that are killed at a random time. */
  randomKills: { quick: 0, ci: 14, long: 2_000 },
  /** Exports that are killed at a random time. */
  exportKills: { quick: 1, ci: 4, long: 1_000 },
  /** Builds of a part that are killed at a random time. */
  partKills: { quick: 0, ci: 3, long: 20 },
  /** P2, P3: of the calls of a build, each so many-th is tried; the first of them is by chance. */
  strideOfCalls: { quick: 24, ci: 8, long: 1 },
  /** Times that a lock is held by processes that contend for it and are killed. */
  contendedLocks: { quick: 0, ci: 100, long: 10_000 },
  /** Pairs of builds in two containers, of which one is killed in every other pair. */
  containers: { quick: 0, ci: 6, long: 500 },
  /** Of the calls of a build, each so many-th is where another build takes its lock over. */
  strideOfLostLocks: { quick: 60, ci: 20, long: 1 },
  /** P3: errors that each call of the system fails with; the quick run takes them in turn. */
  errorsACall: { quick: 1, ci: 1, long: 6 },
  /** P4: sizes of a disk that is full before a build is done. */
  diskSizes: { quick: 0, ci: 4, long: 19 },
  /** P5: states that a loss of power may leave. */
  powerLosses: { quick: 30, ci: 200, long: 50_000 },
  /** P13: seconds of serving while builds clean up. */
  racedSeconds: { quick: 0, ci: 4, long: 60 },
  /** I10: files of a directory. */
  manyFiles: { quick: 0, ci: 4_000, long: 100_000 },
} satisfies Record<string, Record<Run, number>>;

const RUN = (process.env.CRASH_RUN ?? "quick") as Run;

export function repetitions(what: keyof typeof TABLE): number {
  return TABLE[what][RUN];
}

/** What all chance comes from; a failed run is repeated with `SEED=<it>`. */
export const SEED = Number(process.env.SEED ?? 1);

/** A source of chance of its own for each test: numbers from 0 to below 1. */
export function chance(name: string): () => number {
  let state = SEED;
  for (const letter of name) state = (Math.imul(state, 31) + letter.charCodeAt(0)) | 0;
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: () => number, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}
