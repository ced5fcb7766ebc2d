import { oneLine } from "./escape.js";

/* Values as people read them, the same on every machine. */

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** A date-time as a day, in UTC: `9 August 2026`. What is no date comes out as it is. */
export function dayOf(dateTime: string): string {
  const date = new Date(dateTime);
  if (Number.isNaN(date.getTime())) return dateTime;
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** A date-time to the minute, in UTC: `9 August 2026, 03:31 UTC`. */
export function momentOf(dateTime: string): string {
  const date = new Date(dateTime);
  if (Number.isNaN(date.getTime())) return dateTime;
  const two = (part: number) => String(part).padStart(2, "0");
  return `${dayOf(dateTime)}, ${two(date.getUTCHours())}:${two(date.getUTCMinutes())} UTC`;
}

/** A number with its thousands parted and at most one decimal: `12,345.6`. */
export function numberOf(value: number): string {
  const [whole = "", decimals] = String(Math.round(Math.abs(value) * 10) / 10).split(".");
  const grouped = whole.includes("e") ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  const isZero = grouped === "0" && decimals === undefined;
  const sign = value < 0 && !isZero ? "−" : "";
  return `${sign}${grouped}${decimals === undefined ? "" : `.${decimals}`}`;
}

/** `1 fix`, `2 fixes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  const shown = numberOf(count);
  return `${shown} ${shown === "1" ? one : many}`;
}

/** Bytes as `812 B`, `12.5 kB`, `3.1 MB`. */
export function bytesOf(bytes: number): string {
  if (bytes < 1_000) return `${numberOf(bytes)} B`;
  return bytes < 1_000_000 ? `${numberOf(bytes / 1_000)} kB` : `${numberOf(bytes / 1_000_000)} MB`;
}

/** Milliseconds as `809 ms`, `4.8 s`. */
export function durationOf(ms: number): string {
  return ms < 1_000 ? `${numberOf(ms)} ms` : `${numberOf(ms / 1_000)} s`;
}

/** What ids and keys look like: `not-observed`, `user_fetch`, `robotsTxt`. */
const ID = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$|^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+$/;

/**
 * An id or key as words: `not-observed` is `Not observed`, `robotsTxt` is `Robots txt`. What is neither stays as it is, but
 * for what shows nothing.
 */
export function titleOf(id: string): string {
  if (!ID.test(id)) return visible(id) ?? NONE;
  const words = id
    .replace(/(?=[A-Z])/g, " ")
    .replace(/[-_]/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A text that shows something; null for one that is empty or invisible, too: it can name nothing. */
export function visible(text: string | null): string | null {
  return text === null || oneLine(text) === "" ? null : text;
}

/** What stands where there is no value. */
export const NONE = "—";

/** A value that may be missing. */
export function orNone<T>(value: T | null, format: (value: T) => string): string {
  return value === null ? NONE : format(value);
}
