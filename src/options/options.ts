/** The values that an argument or an option of a public function may have. */
export interface Rule<T> {
  /** The values in words, such as `a whole number from 1 to 1000`. */
  readonly expected: string;
  accepts(value: unknown): value is T;
}

/** A rule for each option. */
type OptionRules<T> = { readonly [name in keyof T]-?: Rule<Exclude<T[name], undefined>> };

export interface Range {
  readonly min: number;
  readonly max: number;
}

export function wholeNumber({ min, max }: Range): Rule<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    accepts: (value): value is number =>
      typeof value === "number" && Number.isInteger(value) && value >= min && value <= max,
  };
}

/** A text with at least one character. An empty path would mean the folder in which the process runs. */
export function text(expected: string): Rule<string> {
  return {
    expected,
    accepts: (value): value is string =>
      typeof value === "string" && value !== "" && !value.includes("\0"),
  };
}

export const FOLDER = text("the path of a folder");
export const FILE = text("the path of a file");

export const FLAG: Rule<boolean> = {
  expected: "true or false",
  accepts: (value) => typeof value === "boolean",
};

export const SIGNAL: Rule<AbortSignal> = {
  expected: "an AbortSignal",
  accepts: (value) => value instanceof AbortSignal,
};

export function oneOfTexts<T extends string>(values: readonly T[]): Rule<T> {
  return {
    expected: `one of ${values.join(", ")}`,
    accepts: (value): value is T => values.some((one) => one === value),
  };
}

/** A function of any type: its parameters cannot be checked. */
export function callback<F>(): Rule<F> {
  return { expected: "a function", accepts: (value): value is F => typeof value === "function" };
}

/**
 * Checks an argument of a public function.
 * @throws TypeError, such as `diff: "id" must be a snapshot's id, found 7`
 */
export function requireArgument<T>(caller: string, name: string, value: T, rule: Rule<T>): void {
  if (rule.accepts(value)) return;
  throw new TypeError(
    `${caller}: "${name}" must be ${rule.expected}, found ${describedValue(value)}`,
  );
}

/**
 * Checks the options of a public function. An option that is `undefined` counts as absent.
 * @returns the options
 * @throws TypeError that names the first wrong or unknown option
 */
export function checkedOptions<T extends object>(
  caller: string,
  given: T,
  rules: OptionRules<T>,
): T {
  requireArgument(caller, "options", given, OPTIONS);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(rules, name)) {
      const names = Object.keys(rules).join(", ");
      throw new TypeError(`${caller}: there is no option ${JSON.stringify(name)}, only ${names}`);
    }
    if (value !== undefined) requireArgument(caller, name, value, rules[name as keyof T]);
  }
  return given;
}

const OPTIONS: Rule<object> = {
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
