import { escapeControls } from "./problem.js";

/** Keys and array indexes from the record down to a value. */
export type Path = readonly (string | number)[];

/** A broken rule inside a record, before its line and column are known. */
export interface Finding {
  readonly path: Path;
  /**
   * The place to show: the path's value, the path's key, the object that lacks the path's last key, or an
   * offset in the record's text, in UTF-16 units.
   */
  readonly at: "value" | "key" | "object" | number;
  readonly message: string;
  /** Set if findings with the same message are shown once, with their count (`Problem.times`). */
  readonly counted?: true;
}

export const NO_FINDINGS: readonly Finding[] = [];

/** How many findings of one record are shown. If there are more, one last finding says so. */
export const FINDINGS_MAX = 1_000;

/** Formats a path, as in `$.checks[3].status`. Keys that are not plain words are in brackets and quotes. */
export function formatPath(path: Path): string {
  const steps = path.map((step) => {
    if (typeof step === "number") return `[${step}]`;
    return /^[A-Za-z_]\w{0,59}$/.test(step) ? `.${step}` : `[${quote(step)}]`;
  });
  return `$${steps.join("")}`;
}

/** How many characters of a text a message shows. */
const QUOTED_MAX = 60;

/** Quotes a text for a message: on one line, safe for a terminal, cut if it is long. */
export function quote(text: string): string {
  return escapeControls(JSON.stringify(cut(text)));
}

/** Prepares a piece of a file for a message: on one line, safe for a terminal, cut if it is long. */
export function excerpt(text: string): string {
  return escapeControls(cut(text));
}

function cut(text: string): string {
  if (text.length <= QUOTED_MAX) return text;
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(QUOTED_MAX - 1));
  return `${text.slice(0, splitsPair ? QUOTED_MAX - 1 : QUOTED_MAX)}…`;
}

/** Describes a value for a message. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}
