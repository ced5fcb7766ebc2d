import { escapeControls } from "./problem.js";

/** Keys and array indexes from the record down to a value. */
export type Path = readonly (string | number)[];

/** A broken rule inside a record, before its line and column are known. */
export interface Finding {
  readonly path: Path;
  /**
   * Where it is shown: at the path's value, at the path's key, at the object that lacks the path's
   * last key, or at an offset in the record's text, in UTF-16 units.
   */
  readonly at: "value" | "key" | "object" | number;
  readonly message: string;
  /** Whether findings with the same message are shown once, with their number (`Problem.times`). */
  readonly counted?: true;
}

export const NO_FINDINGS: readonly Finding[] = [];

/** Findings that are shown of one record. Past them a last one says that there are more. */
export const FINDINGS_MAX = 1_000;

/** `$.checks[3].status`; keys that are no plain words stand in brackets and quotes. */
export function formatPath(path: Path): string {
  const steps = path.map((step) => {
    if (typeof step === "number") return `[${step}]`;
    return /^[A-Za-z_]\w{0,59}$/.test(step) ? `.${step}` : `[${quote(step)}]`;
  });
  return `$${steps.join("")}`;
}

/** Characters of a text that a message shows. */
const SHOWN_MAX = 60;

/** A text in quotes as messages show it: on one line, harmless to a terminal, cut where it is long. */
export function quote(text: string): string {
  return escapeControls(JSON.stringify(cut(text)));
}

/** A piece of a file as messages show it. */
export function excerpt(text: string): string {
  return escapeControls(cut(text));
}

function cut(text: string): string {
  if (text.length <= SHOWN_MAX) return text;
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(SHOWN_MAX - 1));
  return `${text.slice(0, splitsPair ? SHOWN_MAX - 1 : SHOWN_MAX)}…`;
}

/** Names a value that was found. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}
