/*
 * Ranges and defaults that library and commands share. Commands load it when they start, so it loads no package.
 */

/** The store's folder if none is given. */
export const STORE = "snapshots";

/** The path of key files, without their endings, if none is given. */
export const KEY_NAME = "crawldex";

/** The address that the server listens on if none is given. */
export const HOST = "127.0.0.1";

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Options that are whole numbers: the values that they may have, and `usual`, the value if none is given. */
export const NUMBERS = {
  /** Snapshots that stay in the store. */
  keep: { min: 1, max: 1_000, usual: 3 },
  /** Threads. Without a value, one for each core. */
  jobs: { min: 1, max: 256 },
  /** A TCP port; 0 takes a free one. */
  port: { min: 0, max: 65_535, usual: 3000 },
  /** Megabytes (2^20 bytes) of answers that a process keeps in memory. */
  cacheMb: { min: 0, max: 65_536, usual: 64 },
  /** Seconds between two pulls of a server that follows a remote store. */
  refreshSeconds: { min: 1, max: 86_400, usual: 10 },
  /** Parts that an input is divided into. */
  parts: { min: 1, max: 1_000, usual: 16 },
  /** Listings of a sample; the package has no more. */
  listings: { min: 0, max: 500, usual: 500 },
} as const;

/** The values that an argument or an option of a public function may have. */
export interface Rule<T> {
  /** The values in words, such as `a whole number from 1 to 1000`. */
  readonly expected: string;
  accepts(value: unknown): value is T;
}

/** One of the parts that an input is divided into by the hashes of its hosts: `number` of `count`, from 1. */
export interface Share {
  readonly number: number;
  readonly count: number;
}

/** Reads a part such as `3/16`; null for any other value. */
export function parseShare(value: unknown): Share | null {
  const [, number, count] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(String(value)) ?? [];
  const part = { number: Number(number), count: Number(count) };
  const isPart = part.number <= part.count && part.count <= NUMBERS.parts.max;
  return typeof value === "string" && isPart ? part : null;
}

/** A part as `parseShare` reads it. */
export const PART: Rule<string> = {
  expected: `a part such as 3/16, of at most ${NUMBERS.parts.max} parts`,
  accepts: (value): value is string => parseShare(value) !== null,
};

/** The grace time if none is given. */
export const GRACE = "1h";

/** In milliseconds: a minute, and a year. */
const DURATION_MS = { min: 60_000, max: 366 * 86_400_000 };
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a time such as `90s`, `10m`, `1h` or `7d` as milliseconds; NaN for any other value. */
export function durationMs(value: unknown): number {
  const [, digits, unit = ""] = /^([0-9]{1,9})([smhd])$/.exec(String(value)) ?? [];
  const ms = Number(digits) * (UNIT_MS[unit] ?? 0);
  return typeof value === "string" && ms >= DURATION_MS.min && ms <= DURATION_MS.max
    ? ms
    : Number.NaN;
}

/** A time as `durationMs` reads it. */
export const DURATION: Rule<string> = {
  expected: "a time such as 90s, 10m, 1h or 7d, from 60s to 366d",
  accepts: (value): value is string => durationMs(value) > 0,
};

/** A grace time, with the reason for its lower limit. */
export const GRACE_TIME: Rule<string> = {
  ...DURATION,
  expected: `${DURATION.expected} (slow readers, and a refused push that is run again, need the files for as long)`,
};

/** One step of a long run. */
export interface Phase {
  /** The name that people see, such as `compiling`. */
  readonly name: string;
  /** The unit of the counts. */
  readonly unit: "bytes" | "parts" | "files" | "segments";
}

/**
 * Receives a phase's progress whenever a piece of work is done. A total of 0 means that the amount of
 * work is unknown. Must not throw.
 */
export type OnProgress = (done: number, total: number, phase: Phase) => void;

/** The phases of all long runs. */
export const PHASES = {
  listings: { name: "reading listings", unit: "bytes" },
  scans: { name: "reading scans", unit: "bytes" },
  checking: { name: "checking", unit: "parts" },
  compiling: { name: "compiling", unit: "parts" },
  publishing: { name: "publishing", unit: "files" },
  verifying: { name: "verifying", unit: "bytes" },
  rollingBack: { name: "rolling back", unit: "segments" },
  removing: { name: "removing", unit: "files" },
  uploading: { name: "uploading", unit: "bytes" },
  downloading: { name: "downloading", unit: "bytes" },
  exporting: { name: "exporting", unit: "files" },
} as const satisfies Record<string, Phase>;
