import {
  FOLDER,
  type OnProgress,
  type OptionTable,
  PROGRESS_OPTION,
  type Rule,
  SIGNAL_OPTION,
  wholeNumber,
  withDefault,
} from "../../lib/options.js";

/** What `crawldex split` writes about a part's folder. A build of a part reads it. */
export const SPLIT_FILE = "split.json";

/** The most parts that an input is divided into. */
const PARTS_MAX = 1_000;

/** One of the parts that an input is divided into by the hashes of its hosts: `number` of `count`, from 1. */
export interface Share {
  readonly number: number;
  readonly count: number;
}

/** Reads a part such as `3/16`; null for any other value. */
export function parseShare(value: unknown): Share | null {
  const [, number, count] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(String(value)) ?? [];
  const part = { number: Number(number), count: Number(count) };
  const isPart = part.number <= part.count && part.count <= PARTS_MAX;
  return typeof value === "string" && isPart ? part : null;
}

/** A part as `parseShare` reads it. */
export const PART: Rule<string> = {
  expected: `a part such as 3/16, of at most ${PARTS_MAX} parts`,
  accepts: (value): value is string => parseShare(value) !== null,
};

/** Options of `splitPublished`. */
export interface SplitOptions {
  /** How many parts: 1 to 1000. Default: 16. */
  readonly parts?: number | undefined;
  /** A new or empty folder for the parts, outside the published directory. Default: "parts". */
  readonly out?: string | undefined;
  /** Ends the run early. The call then rejects with the signal's reason, and no part remains. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress of reading. */
  readonly onProgress?: OnProgress | undefined;
}

export const SPLIT = {
  parts: withDefault(wholeNumber(1, PARTS_MAX), 16, {
    flags: "--parts <count>",
    help: "how many parts",
  }),
  out: withDefault(FOLDER, "parts", {
    flags: "-o, --out <folder>",
    help: "a new or empty folder for the parts",
  }),
  signal: SIGNAL_OPTION,
  onProgress: PROGRESS_OPTION,
} satisfies OptionTable<SplitOptions>;
