import { z } from "zod";
import type { Range, Rule } from "./defaults.js";

/*
 * The types of arguments and options of public functions. The description of each type says in words which values it
 * accepts, for messages.
 */

export function wholeNumber({ min, max }: Range) {
  return z.int().min(min).max(max).describe(`a whole number from ${min} to ${max}`);
}

/** A text with at least one character. An empty path would mean the folder in which the process runs. */
export function text(expected: string) {
  return z
    .string()
    .regex(/^[^\0]+$/)
    .describe(expected);
}

export const FOLDER = text("the path of a folder");
export const FILE = text("the path of a file");
/** As `findSnapshot` reads it. */
export const SNAPSHOT_NAME = text("a snapshot's generation or id, or the beginning of an id");
export const FLAG = z.boolean().describe("true or false");
export const SIGNAL = z.instanceof(AbortSignal).describe("an AbortSignal");

export function oneOfTexts<const T extends readonly string[]>(values: T) {
  return z.enum(values).describe(`one of ${values.join(", ")}`);
}

/** A function of any type: its parameters cannot be checked. */
export function callback<F>() {
  return z.custom<F>((value) => typeof value === "function").describe("a function");
}

/** The type of the values that a rule accepts. */
export function ruled<T>({ expected, accepts }: Rule<T>) {
  return z.custom<T>(accepts).describe(expected);
}

/** A type for each option. */
type OptionTypes<T> = { readonly [name in keyof T]-?: z.ZodType<unknown, T[name] | undefined> };

/**
 * Checks an argument of a public function.
 * @throws TypeError, such as `diff: "id" must be a snapshot's id, found 7`
 */
export function requireArgument(
  caller: string,
  name: string,
  value: unknown,
  type: z.ZodType,
): void {
  if (!type.safeParse(value).success) throw wrongValue(caller, name, value, type);
}

/**
 * Checks the options of a public function. An option that is `undefined` counts as absent.
 * @returns the options with their defaults
 * @throws TypeError that names the first wrong or unknown option
 */
export function checkedOptions<T extends object, S extends z.ZodRawShape & OptionTypes<T>>(
  caller: string,
  given: T,
  types: S,
): z.output<z.ZodObject<S>> {
  requireArgument(caller, "options", given, OPTIONS);
  const parsed = z.strictObject(types).safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === "unrecognized_keys") {
    const [name] = issue.keys;
    const names = Object.keys(types).join(", ");
    throw new TypeError(`${caller}: there is no option ${JSON.stringify(name)}, only ${names}`);
  }
  const name = String(issue?.path[0]) as keyof T & string;
  throw wrongValue(caller, name, given[name], types[name]);
}

const OPTIONS = z
  .custom((value) => typeof value === "object" && value !== null && !Array.isArray(value))
  .describe("an object");

function wrongValue(caller: string, name: string, value: unknown, type: z.ZodType): TypeError {
  const expected = expectedBy(type);
  return new TypeError(`${caller}: "${name}" must be ${expected}, found ${describedValue(value)}`);
}

/** A type that is optional or has a default has the description of the type that it wraps. */
function expectedBy(type: z.ZodType): string {
  if (!(type instanceof z.ZodOptional || type instanceof z.ZodDefault))
    return `${type.description}`;
  return expectedBy(type.unwrap() as z.ZodType);
}

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
