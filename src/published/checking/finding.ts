import { editDistance } from "../../contract/near.js";
import { escapeControls } from "./problem.js";

/** Keys and array indexes from the record down to a value. */
export type Path = readonly (string | number)[];

/** A broken rule inside a record, before its line and column are known. */
export interface Finding {
  readonly path: Path;
  /**
   * The position to show: the path's value, the path's key, the object that lacks the path's last key, or an
   * offset in the record's text, in UTF-16 units.
   */
  readonly at: "value" | "key" | "object" | number;
  readonly message: string;
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

/** Returns `; did you mean "x"?` with the candidate nearest to a misspelt text, or "" if none is near. */
export function didYouMean(text: string, candidates: Iterable<string>): string {
  const nearest = nearestOf(text, candidates);
  return nearest === null ? "" : `; did you mean ${quote(nearest)}?`;
}

/**
 * The candidate with the least edit distance, the first one if several are equal. Null if none is within
 * two edits or, for longer texts, a third of the text's length.
 */
export function nearestOf(text: string, candidates: Iterable<string>): string | null {
  let nearest: string | null = null;
  let limit = Math.max(2, Math.floor(text.length / 3));
  for (const candidate of candidates) {
    // If every character could be replaced, any text would match any other.
    const bound = Math.min(limit, Math.max(text.length, candidate.length) - 1);
    const distance = editDistance(text, candidate, bound);
    if (distance > bound) continue;
    nearest = candidate;
    limit = distance - 1;
    if (limit < 0) break;
  }
  return nearest;
}
