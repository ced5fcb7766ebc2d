import { styleText } from "node:util";
import type { BuildChanges } from "../src/build/removals.js";
import {
  escapeControls,
  formatProblem,
  type Problem,
  type ProblemGroup,
} from "../src/published/checking/problem.js";

/** Formats `1234567` as `1,234,567`. */
function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3}){1,6}$)/g, ",");
}

/** Formats seconds as `0:09`, `3:05`, `1:02:03`. */
export function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** A count with its noun: `1 error`, `2,000 errors`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/**
 * `15 listings not in search: 3 removed, 12 unscanned`
 * @param counts how many listings each reason keeps out of search
 * @returns null if there are none
 */
export function leftOutSentence(counts: Readonly<Record<string, number>>): string | null {
  const found = Object.entries(counts).filter(([, listings]) => listings > 0);
  const total = found.reduce((sum, [, listings]) => sum + listings, 0);
  const reasons = found.map(([why, listings]) => `${count(listings)} ${why}`).join(", ");
  return total === 0 ? null : `${plural(total, "listing")} not in search: ${reasons}`;
}

/** The number of a publication, and whether it was signed. */
export function generationSentence(generation: number, signingKey: string | undefined): string {
  return signingKey === undefined
    ? `generation ${generation}`
    : `signed as generation ${generation}`;
}

/** `2,000 reports (1,900 in search), 12 historical` */
export function reportsSentence({
  reports,
  searchable,
  historical,
}: Readonly<Record<"reports" | "searchable" | "historical", number>>): string {
  return `${plural(reports, "report")} (${count(searchable)} in search), ${count(historical)} historical`;
}

/** `+12 listings, 340 changed, 2 gone; scores: 290 up, 31 down, 3 lost` */
export function changesSentence({ added, changed, gone, scores }: BuildChanges): string {
  if (added + changed + gone === 0) return "no listing changed";
  const { up, down, lost, gained } = scores;
  const listings = `+${plural(added, "listing")}, ${count(changed)} changed, ${count(gone)} gone`;
  if (up + down + lost + gained === 0) return listings;
  const more = gained === 0 ? "" : `, ${count(gained)} gained`;
  return `${listings}; scores: ${count(up)} up, ${count(down)} down, ${count(lost)} lost${more}`;
}

/** Makes untrusted text safe to print: nothing in it acts on a terminal. Line feeds and tabs stay. */
export function safeText(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (/^[\n\t]$/.test(part) ? part : escapeControls(part)))
    .join("");
}

/** Puts a colour around a text. */
export type Paint = (colour: Parameters<typeof styleText>[0], text: string) => string;

/** Colours if the stream supports them and the environment does not forbid them (`NO_COLOR`, `FORCE_COLOR`, `TERM`). */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  return (colour, text) => (text === "" ? text : styleText(colour, text, { stream }));
}

/** The most frequent kinds of problems, at most `most`, in the order of the groups. */
export function mostFrequent(groups: readonly ProblemGroup[], most: number): ProblemGroup[] {
  const chosen = new Set(groups.toSorted((a, b) => b.count - a.count).slice(0, most));
  return groups.filter((group) => chosen.has(group));
}

/** `7,305 x scans/*.ndjson $.score: message; first at scans/all.ndjson:1:88`. A single problem is formatted as such. */
export function groupLine(group: ProblemGroup): string {
  const { files, path, first } = group;
  if (group.count === 1) return formatProblem(first);
  const position = `${first.file}:${first.line}:${first.column}`;
  const line = `${count(group.count)} x ${files} ${path}: ${first.message}; first at ${position}`;
  return escapeControls(line);
}

/** The first problem of a group, with how many there are of its kind in its message. */
export function firstProblem(group: ProblemGroup): Problem {
  const { first, files } = group;
  if (group.count === 1) return first;
  const many = `${count(group.count)} x ${files}, first here`;
  return { ...first, message: `${first.message} (${many})` };
}
