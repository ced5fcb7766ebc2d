import { canonicalHostOf } from "../../contract/host.js";
import type { CheckDescription, Standards } from "../../contract/standards.js";
import { oneLine } from "./escape.js";

/* Formats values for people. The output does not depend on the machine's locale or time zone. */

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

/** A date-time as a day, in UTC: `9 August 2026`. An invalid date is returned unchanged. */
export function dayOf(dateTime: string): string {
  const date = new Date(dateTime);
  if (Number.isNaN(date.getTime())) return dateTime;
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** A date-time to the minute, in UTC: `9 August 2026, 03:31 UTC`. An invalid date is returned unchanged. */
export function momentOf(dateTime: string): string {
  const date = new Date(dateTime);
  if (Number.isNaN(date.getTime())) return dateTime;
  const two = (part: number) => String(part).padStart(2, "0");
  return `${dayOf(dateTime)}, ${two(date.getUTCHours())}:${two(date.getUTCMinutes())} UTC`;
}

/** A number with thousands separators and at most one decimal: `12,345.6`. */
export function numberOf(value: number): string {
  const rounded = Math.round(Math.abs(value) * 10) / 10;
  // Most numbers need no separators. The pattern that adds them costs more than the rest of a table cell.
  if (rounded < 1_000) return value < 0 && rounded > 0 ? `−${rounded}` : String(rounded);
  const [whole = "", decimals] = String(rounded).split(".");
  const grouped = whole.includes("e") ? whole : whole.replace(/\B(?=(?:\d{3}){1,6}$)/g, ",");
  const sign = value < 0 ? "−" : "";
  return `${sign}${grouped}${decimals === undefined ? "" : `.${decimals}`}`;
}

/** A share as a percentage with at most one decimal: `42.5%`. */
export function percentOf(share: number): string {
  return `${tenth(100 * share)}%`;
}

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A number with one decimal, so that the numbers of a column line up: `5.0`. */
export function decimalOf(value: number): string {
  return tenth(value).toFixed(1);
}

/** `1 fix`, `2 fixes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  const shown = numberOf(count);
  return `${shown} ${shown === "1" ? one : many}`;
}

/** A text, with a full stop unless it already ends like a sentence. */
export function sentenceOf(text: string): string {
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(texts: readonly string[]): string {
  const first = texts.slice(0, -1).join(", ");
  return first === "" ? (texts[0] ?? "") : `${first} and ${texts.at(-1)}`;
}

/** The texts that are neither missing nor empty, with `between` between them. */
export function joined(texts: readonly (string | null)[], between = "\n\n"): string {
  return texts.filter((text) => text !== null && text !== "").join(between);
}

/** Bytes as `812 B`, `12.5 kB`, `3.1 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${numberOf(bytes)} B`;
  return bytes < 1_000_000 ? `${numberOf(bytes / 1_000)} kB` : `${numberOf(bytes / 1_000_000)} MB`;
}

/** Milliseconds as `809 ms`, `4.8 s`. */
export function durationOf(ms: number): string {
  return ms < 1_000 ? `${numberOf(ms)} ms` : `${numberOf(ms / 1_000)} s`;
}

/** The pattern of ids and keys: `not-observed`, `user_fetch`, `robotsTxt`. */
const ID_PATTERN = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$|^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+$/;

/**
 * An id or key as words: `not-observed` becomes `Not observed`, `apiKey` becomes `API key`. Other texts stay
 * unchanged, but a text without visible characters becomes `—`.
 */
export function titleOf(id: string): string {
  return ID_PATTERN.test(id) ? idWords(id) : (visible(id) ?? NO_VALUE);
}

const ACRONYMS = /\b(?:ai|api|css|dns|html|https?|js|json|mcp|url|xml)\b/g;

function idWords(id: string): string {
  const words = id
    .replace(/(?=[A-Z])/g, " ")
    .replace(/[-_]/g, " ")
    .toLowerCase()
    .replace(ACRONYMS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Characters that are visible in every text; most texts start with one. */
const SEEN_ASCII = /[!-~]/;

/** The text unchanged, or null if it has no visible character and so cannot serve as a name. */
export function visible(text: string | null): string | null {
  return text !== null && (SEEN_ASCII.test(text) || oneLine(text) !== "") ? text : null;
}

/** The most characters of a page's description. */
export const DESCRIPTION_MAX = 300;

/**
 * A line of at most so many characters. A longer one ends in an ellipsis, after a whole word unless that is very
 * long.
 */
export function cutText(line: string, most: number): string {
  if (line.length <= most) return line;
  return `${line.slice(0, most).replace(/(?:\s\S{0,30}|.)$/su, "")}…`;
}

/** The text for a missing value. */
export const NO_VALUE = "—";

/** Formats a value, or returns `—` or another text if it is missing. */
export function orNone<T>(
  value: T | null,
  format: (value: T) => string,
  missing: string = NO_VALUE,
): string {
  return value === null ? missing : format(value);
}

/**
 * The names that pages give to the parts of a score. The methodology numbers its two blocks and has no names for them.
 */
export const PART_NAMES = {
  block1: "Core checks",
  block2: "Further checks",
  noBlock: "Other checks",
  penalties: "Penalties",
  capabilities: "Extras",
} as const;

/** The name of the part of a score that a check counts towards. */
export function partNameOf({ kind, block }: Pick<CheckDescription, "kind" | "block">): string {
  if (kind === "penalty") return PART_NAMES.penalties;
  if (kind === "capability") return PART_NAMES.capabilities;
  return { 1: PART_NAMES.block1, 2: PART_NAMES.block2 }[block ?? 0] ?? PART_NAMES.noBlock;
}

/** A scan's band and the scoring version that defines it. */
export interface Banded {
  readonly band: string | null;
  readonly scoreVersion: string | null;
}

/** The band's label if the score uses the current rubric, otherwise its id as words; null without a band. */
export function bandLabel(
  { band, scoreVersion }: Banded,
  { rubric }: { readonly rubric: Pick<Standards["rubric"], "version" | "bands"> },
): string | null {
  if (band === null) return null;
  const known =
    scoreVersion === rubric.version ? rubric.bands.find((one) => one.band === band) : undefined;
  return visible(known?.label ?? null) ?? titleOf(band);
}

/**
 * The colours of bands, from the lowest to the highest; `none` is the colour of a score that the current rubric did
 * not give.
 */
export type Level = 0 | 1 | 2 | 3 | "none";

const LEVELS = [0, 1, 2, 3] as const;

/**
 * The colour of a band, from its rank among a rubric's bands: the lowest has the first colour, the highest the last.
 */
export function bandLevel(band: string, { bands }: Pick<Standards["rubric"], "bands">): Level {
  const ranked = bands.toSorted((one, other) => one.min - other.min);
  const rank = ranked.findIndex((one) => one.band === band);
  if (rank < 0) return "none";
  const share = ranked.length === 1 ? 1 : rank / (ranked.length - 1);
  return LEVELS[Math.round(share * (LEVELS.length - 1))] ?? "none";
}

/** The colour of a score, which is its band's; `none` unless the current rubric gave the band. */
export function levelOf(
  { band, scoreVersion }: Banded,
  { rubric }: { readonly rubric: Pick<Standards["rubric"], "version" | "bands"> },
): Level {
  return band === null || scoreVersion !== rubric.version ? "none" : bandLevel(band, rubric);
}

/** The colours of bands on light pages: of a bar, and of its background (see assets/pages.css). */
export const BAR_COLOURS: Readonly<Record<Level, readonly [string, string]>> = {
  0: ["#b42318", "#fde4e1"],
  1: ["#a85c00", "#fdedcf"],
  2: ["#55781a", "#eaf3d2"],
  3: ["#0e7a4b", "#d9f3e5"],
  none: ["#667180", "#e6e9ee"],
};

/* The parameters of Punycode (RFC 3492, section 5). */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_CODE = 128;
const FIRST_BIAS = 72;
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";
const PREFIX = "xn--";

/**
 * A host in its own script: `münchen.example` for `xn--mnchen-3ya.example`. Null if it has no Punycode, or if the name
 * does not lead back to the same host. Letters of different scripts may look alike, so pages also show the host itself.
 */
export function hostInScript(host: string): string | null {
  if (!host.includes(PREFIX)) return null;
  const labels = host
    .split(".")
    .map((label) => (label.startsWith(PREFIX) ? labelInScript(label.slice(PREFIX.length)) : label));
  const name = labels.join(".");
  return canonicalHostOf(name) === host && oneLine(name) === name ? name : null;
}

/**
 * A host for one line of text: in its own script, with the host itself in brackets; only the host if they are equal.
 */
export function hostText(host: string): string {
  const name = hostInScript(host);
  return name === null ? host : `${name} (${host})`;
}

/** Decodes the part of a label after `xn--`; "" if it is not valid. */
function labelInScript(label: string): string {
  const end = label.lastIndexOf("-");
  const codes = [...label.slice(0, Math.max(0, end))].map((letter) => letter.charCodeAt(0));
  let code = FIRST_CODE;
  let bias = FIRST_BIAS;
  let at = 0;
  let index = end + 1;
  while (index < label.length) {
    const before = at;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = DIGITS.indexOf(label.charAt(index) || "-");
      index += 1;
      if (digit < 0) return "";
      at += digit * weight;
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = codes.length + 1;
    bias = nextBias(at - before, count, before === 0);
    code += Math.floor(at / count);
    if (code > 0x10ffff) return "";
    at %= count;
    codes.splice(at, 0, code);
    at += 1;
  }
  return String.fromCodePoint(...codes);
}

function nextBias(delta: number, count: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? DAMP : 2));
  left += Math.floor(left / count);
  let k = 0;
  for (; left > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) left = Math.floor(left / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW));
}
