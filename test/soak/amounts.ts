/** How much each test of wear takes: `ci` in each run of CI, `long` before a release (`npm run test:soak`). */
type Run = "ci" | "long";

const TABLE = {
  /** Listings of the directory that changes under load. */
  reloadedListings: { ci: 200, long: 10_000 },
  /** Snapshots that are published under load, one a second. */
  publications: { ci: 2, long: 60 },
  /** Clients that keep their connection, and those that take a new one for each request. */
  keptClients: { ci: 8, long: 32 },
  newClients: { ci: 4, long: 16 },
  /** Listings of the directory that is loaded beside the load. */
  stalledListings: { ci: 500, long: 100_000 },
  /** Listings of the sample. */
  sampled: { ci: 200, long: 2_000 },
  /** Mutated requests. */
  mutants: { ci: 1_000, long: 1_000_000 },
  /** The seconds of its calm and its measured attack. */
  malformedSeconds: { ci: 1, long: 30 },
  /** Seconds of four times the load that is answered, and connections. */
  overloadSeconds: { ci: 1, long: 60 },
  crowd: { ci: 300, long: 5_000 },
  /** Minutes of all of it together. */
  mixedMinutes: { ci: 0.1, long: 60 },
} satisfies Record<string, Record<Run, number>>;

const RUN = (process.env.SOAK_RUN ?? "long") as Run;

/** An amount of this run; one alone is set by its name in the environment, as `SOAK_mixedMinutes=5`. */
export function amount(what: keyof typeof TABLE): number {
  return Number(process.env[`SOAK_${what}`] ?? TABLE[what][RUN]);
}

/** Whether times are judged: in each run of CI other work may go on beside. */
export const IS_LONG = RUN === "long";

/** What all chance comes from; a failed run is repeated with `SEED=<it>`. */
export const SEED = Number(process.env.SEED ?? 1);

/** Prints a figure of a test, to be quoted. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
