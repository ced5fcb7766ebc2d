import { installedExtras } from "../extra.js";

/*
 * Options of public functions. Each function has one table of its options: what each accepts, its default, and how the
 * command line has it. The checks of arguments and the flags of the commands are made from it. Commands load the tables
 * when they start, so a table loads no package.
 */

/** The store's folder if none is given. */
export const STORE = "snapshots";

/** The values that an argument or an option of a public function may have. */
export interface Rule<T> {
  /** The values in words, such as `a whole number from 1 to 1000`. */
  readonly expected: string;
  accepts(value: unknown): value is T;
  /** The value that a text of the command line stands for, which may be wrong. Left out: the text is the value. */
  readonly fromText?: (text: string) => unknown;
  /** All values, if they are a few words. */
  readonly words?: readonly string[];
  /** What to add to a refusal of a value, such as `; did you mean "x"?`. */
  readonly hint?: (value: unknown) => string;
  /** The rule for each item of an array. The command line takes the option several times, an item each. */
  readonly item?: Rule<unknown>;
  /** Whether a value may hold a password, so that no message repeats it. */
  readonly isSecret?: true;
}

/** An option of the command line. */
interface Flag {
  /**
   * As help shows it, such as `--keep <count>`. Without dashes and in camel case, the long one is the option's name.
   */
  readonly flags: string;
  readonly help: string;
  /** The environment variable that has the value if no flag gives one. */
  readonly env?: string;
}

/** An option of a function. `usual` is its value if none is given. */
export interface Option<T, D extends T | undefined = T | undefined> {
  readonly rule: Rule<T>;
  readonly usual: D;
  /** Left out if only the library has the option. */
  readonly flag?: Flag;
}

/** All options of a function that has the options `T`. */
export type OptionTable<T> = {
  readonly [N in keyof T]-?: Option<Exclude<T[N], undefined>>;
};
type AnyTable = Readonly<Record<string, Option<unknown>>>;
/** The options with their defaults. */
export type Settings<S> = {
  readonly [N in keyof S]: S[N] extends Option<infer T, infer D>
    ? T | (undefined extends D ? undefined : never)
    : never;
};

/** An option without a default. */
export function optional<T>(rule: Rule<T>, flag?: Flag): Option<T, undefined> {
  return { rule, usual: undefined, ...(flag && { flag }) };
}

export function withDefault<T>(rule: Rule<T>, usual: T, flag?: Flag): Option<T, T> {
  return { rule, usual, ...(flag && { flag }) };
}

export function wholeNumber(min: number, max: number): Rule<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    accepts: (value): value is number =>
      Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
    fromText: (text) => (/^[0-9]+$/.test(text) ? Number(text) : Number.NaN),
  };
}

/** A text with at least one character. An empty path would mean the folder in which the process runs. */
export function text(expected: string): Rule<string> {
  return {
    expected,
    accepts: (value): value is string => typeof value === "string" && /^[^\0]+$/.test(value),
  };
}

export function oneOfTexts<const W extends string>(words: readonly W[]): Rule<W> {
  return {
    expected: `one of ${words.join(", ")}`,
    accepts: (value): value is W => words.some((word) => word === value),
    words,
  };
}

export function listOf<T>(item: Rule<T>, expected: string): Rule<readonly T[]> {
  return {
    expected,
    accepts: (value): value is readonly T[] => Array.isArray(value) && value.every(item.accepts),
    item,
  };
}

/** A function of any type: its parameters cannot be checked. */
export function callback<F>(): Rule<F> {
  return { expected: "a function", accepts: (value): value is F => typeof value === "function" };
}

export const FLAG: Rule<boolean> = {
  expected: "true or false",
  accepts: (value): value is boolean => typeof value === "boolean",
};

/** An option that is true or false, and false if it is not given. */
export function flag(flags: string, help: string): Option<boolean, boolean> {
  return withDefault(FLAG, false, { flags, help });
}

/** Like `flag`, but its usual value is true, and the command line has a flag that makes it false. */
export function flagUnless(flags: string, help: string): Option<boolean, boolean> {
  return withDefault(FLAG, true, { flags, help });
}

export const FOLDER = text("the path of a folder");
export const FILE = text("the path of a file");
/** As `findSnapshot` reads it. */
export const SNAPSHOT_NAME = text("a snapshot's generation or id, or the beginning of an id");

/** The store's folder. Commands take it as `takesStore` says. */
export const STORE_OPTION = withDefault(FOLDER, STORE);
const KEPT = wholeNumber(1, 1_000);
/** How many snapshots stay. @param where the place that they stay in */
export function keepOption(where: string) {
  const help = `how many snapshots to keep in ${where}`;
  return withDefault(KEPT, 3, { flags: "--keep <count>", help });
}
/** How many snapshots stay in the store, after what keeps all of them by default. */
export const KEEP_ALL_OPTION = optional(KEPT, {
  flags: "--keep <count>",
  help: "how many snapshots to keep in the store (default: all)",
});
/** Whether nothing is published. @param what the part of the result that the run then only says */
export function dryRunOption(what: string) {
  return flag("--dry-run", `say ${what}, but publish nothing`);
}
export const PURGE_LIST_OPTION = optional(FILE, {
  flags: "--purge-list <file>",
  help: "write the addresses to purge from caches, one per line",
});
/** Threads. The functions say how many there are if none is given. */
export const JOBS_MAX = 256;
export const JOBS_OPTION = optional(wholeNumber(1, JOBS_MAX), {
  flags: "--jobs <count>",
  help: "worker threads (default: all cores)",
});
export const SIGNAL_OPTION = optional<AbortSignal>({
  expected: "an AbortSignal",
  accepts: (value): value is AbortSignal => value instanceof AbortSignal,
});

/**
 * Checks an argument of a public function.
 * @throws TypeError, such as `diff: "id" must be a snapshot's id, found 7`
 */
export function requireArgument(
  caller: string,
  name: string,
  value: unknown,
  rule: Rule<unknown>,
): void {
  if (rule.item !== undefined && Array.isArray(value)) {
    for (const [at, one] of value.entries())
      requireArgument(caller, `${name}[${at}]`, one, rule.item);
  }
  if (rule.accepts(value)) return;
  const found = rule.isSecret ? "" : `, found ${describedValue(value)}`;
  throw new TypeError(
    `${caller}: "${name}" must be ${rule.expected}${found}${rule.hint?.(value) ?? ""}`,
  );
}

/** The options of a function with those that extras add to it, in the order of the help. */
export function withExtraOptions<S extends AnyTable>(caller: string, table: S): S {
  const rows = Object.entries<Option<unknown>>(table);
  for (const { options } of installedExtras()) {
    for (const [name, option] of Object.entries(options?.[caller] ?? {})) {
      const before = rows.findIndex(([each]) => each === option.after);
      rows.splice(before < 0 ? rows.length : before + 1, 0, [name, option]);
    }
  }
  return Object.fromEntries(rows) as S;
}

/**
 * Checks the options of a public function, those of extras included. One that is `undefined` counts as absent.
 * @returns the options with their defaults
 * @throws TypeError that names the first unknown or wrong option
 */
export function checkedOptions<S extends AnyTable>(
  caller: string,
  given: { readonly [N in keyof S]?: unknown },
  table: S,
): Settings<S> {
  requireArgument(caller, "options", given, OBJECT);
  const all = withExtraOptions(caller, table);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined) {
    const names = Object.keys(all).join(", ");
    throw new TypeError(`${caller}: there is no option ${JSON.stringify(unknown)}, only ${names}`);
  }
  const checked = Object.entries(all).map(([name, { rule, usual }]) => {
    const value: unknown = given[name];
    if (value === undefined) return [name, usual];
    requireArgument(caller, name, value, rule);
    return [name, value];
  });
  return Object.fromEntries(checked) as Settings<S>;
}

const OBJECT: Rule<object> = {
  expected: "an object",
  accepts: (value): value is object =>
    typeof value === "object" && value !== null && !Array.isArray(value),
};

/** The most characters of a text that a message repeats. */
const SHOWN_MAX = 60;

function describedValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return JSON.stringify(value.slice(0, SHOWN_MAX));
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

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

export const PROGRESS_OPTION = optional(callback<OnProgress>());
