import { extname } from "node:path";
import { editDistance } from "../../contract/near.js";
import { byCodeUnit } from "../../contract/order.js";
import { isWarningCode, type ProblemCode, type WarningCode } from "./codes.js";

/** One error or warning about the published directory, at its position. */
export interface Problem {
  /** What is wrong, in a word that stays the same, such as `host-not-canonical` (docs/validating.md#codes). */
  readonly code: ProblemCode;
  /** Path inside the published folder, with `/`. */
  readonly file: string;
  /** Line in the file, counted from 1. */
  readonly line: number;
  /** Column in the line, counted from 1 in UTF-16 units, without a byte-order mark. */
  readonly column: number;
  /** JSON path inside the record, such as `$.checks[3].status`; `$` is the record. */
  readonly path: string;
  /** The value found, the value expected, and a remedy if one is known. */
  readonly message: string;
}

/** `file:line:column  path  message` (docs/publishing.md#rules-for-all-files), always one line. */
export function formatProblem({ file, line, column, path, message }: Problem): string {
  return `${escapeControls(file)}:${line}:${column}  ${path}  ${message}`;
}

/**
 * Characters that end a line, move a terminal's cursor, turn the reading direction or are invisible:
 * controls, formats, lone surrogates, separators of lines and paragraphs, and default ignorables.
 */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Writes characters that would act on a terminal, or that nobody would see, as `\u` escapes. In a JSON text
 * the escapes mean the same characters.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const units = Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}

/** Problems of one kind: those with the same code at the same field, in files of the same pattern. */
export interface ProblemGroup {
  /** Pattern of the files, such as `scans/*.ndjson`. */
  readonly files: string;
  /** JSON path inside the records, with `[*]` for any index, such as `$.checks[*].status`. */
  readonly path: string;
  /** The number of problems of this kind. */
  readonly count: number;
  /** The first of them by file, line and column. */
  readonly first: Problem;
}

/** Data of a published directory that is left out, not read, or probably a mistake, without being an error. */
export interface Warnings {
  /** Sorted by file, line and column. If there are very many, only the first are here. */
  readonly warnings: readonly Problem[];
  /** The number of all warnings. */
  readonly warningCount: number;
  /** All warnings by their kind, sorted by their first position. */
  readonly warningGroups: readonly ProblemGroup[];
  /** The number of warnings that were accepted by their codes. None of them is among the others. */
  readonly acceptedCount: number;
  /** The codes of those that were accepted, sorted. */
  readonly acceptedCodes: readonly WarningCode[];
}

export const NO_WARNINGS: Warnings = {
  warnings: [],
  warningCount: 0,
  warningGroups: [],
  acceptedCount: 0,
  acceptedCodes: [],
};

/**
 * At least this many kinds are counted separately, far more than one program makes. The limit bounds the memory that
 * millions of random keys take.
 */
const GROUPS_MAX = 1_000;

/** Counts problems by their kind. If there are very many kinds, the most frequent stay. */
class ProblemGroups {
  #groups = new Map<string, ProblemGroup>();

  addProblem(first: Problem): void {
    const files = filePattern(first.file);
    const path = pathPattern(first.path);
    this.add({ files, path, count: 1, first });
  }

  /** Adds problems that another list has counted. */
  add(group: ProblemGroup): void {
    const { files, path, count, first } = group;
    const key = [files, path, first.code].join("\n");
    const before = this.#groups.get(key);
    if (before !== undefined) {
      const isFirst = byPlace(first, before.first) < 0;
      this.#groups.set(key, { ...(isFirst ? group : before), count: before.count + count });
      return;
    }
    this.#groups.set(key, group);
    if (this.#groups.size < 2 * GROUPS_MAX) return;
    const byCount = [...this.#groups].sort(([, a], [, b]) => b.count - a.count);
    this.#groups = new Map(byCount.slice(0, GROUPS_MAX));
  }

  /** All kinds, sorted by their first position. */
  get sorted(): readonly ProblemGroup[] {
    return [...this.#groups.values()].sort((a, b) => byPlace(a.first, b.first));
  }
}

// `scans/*.ndjson` for `scans/a.ndjson`, and `scans/**/*.json` for `scans/2026/a.json`.
function filePattern(file: string): string {
  const [folder = "", ...below] = file.split("/");
  if (below.length === 0) return file;
  return `${folder}/${below.length > 1 ? "**/" : ""}*${extname(file)}`;
}

function pathPattern(path: string): string {
  return path.replace(/\[\d+\]/g, "[*]");
}

/** How many problems a list holds to show. Beyond this only the count grows, so that memory stays bounded. */
const PROBLEMS_KEPT = 50_000;

/** Problems as a list shows them. A thread can post them to another one. */
export interface Problems {
  /** Sorted by file, line and column. If there are very many, only the first are here. */
  readonly sorted: readonly Problem[];
  /** The number of all problems. */
  readonly count: number;
  /** All problems by their kind, sorted by their first position. */
  readonly groups: readonly ProblemGroup[];
}

/**
 * Collects problems, sorted as they are shown: by file, line, column. If there are too many to hold, the
 * first in that order stay, whichever were found first.
 */
export class ProblemList implements Problems {
  readonly #kept: number;
  #problems: Problem[] = [];
  #groups = new ProblemGroups();
  #sorted: readonly Problem[] | null = [];
  #count = 0;

  constructor(kept = PROBLEMS_KEPT) {
    this.#kept = kept;
  }

  /** How many problems there are, including those that are no longer held. */
  get count(): number {
    return this.#count;
  }

  add(problems: Iterable<Problem>): void {
    for (const problem of problems) {
      this.#groups.addProblem(problem);
      this.#hold(problem);
    }
  }

  /** Hands over the problems collected so far, and empties the list. */
  take(): Problems {
    const taken = { sorted: this.sorted, count: this.#count, groups: this.groups };
    this.#problems = [];
    this.#groups = new ProblemGroups();
    this.#sorted = [];
    this.#count = 0;
    return taken;
  }

  /** Adds the problems that another list handed over. */
  receive({ sorted, count, groups }: Problems): void {
    for (const problem of sorted) this.#hold(problem);
    for (const group of groups) this.#groups.add(group);
    this.#count += count - sorted.length;
  }

  /** All problems by their kind, sorted by their first position. */
  get groups(): readonly ProblemGroup[] {
    return this.#groups.sorted;
  }

  /** The problems held, sorted. The array is the same until a problem is added. */
  get sorted(): readonly Problem[] {
    this.#sorted ??= this.#first(this.#problems);
    return this.#sorted;
  }

  #hold(problem: Problem): void {
    this.#sorted = null;
    this.#problems.push(problem);
    this.#count += 1;
    if (this.#problems.length >= 2 * this.#kept) this.#problems = this.#first(this.#problems);
  }

  #first(problems: readonly Problem[]): Problem[] {
    return problems.toSorted(byPlace).slice(0, this.#kept);
  }
}

function byPlace(a: Problem, b: Problem): number {
  return (
    byCodeUnit(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    byCodeUnit(a.path, b.path) ||
    byCodeUnit(a.message, b.message)
  );
}

/** What a pass over the input has found. A thread takes its findings, and another one receives them. */
export class Findings {
  readonly problems = new ProblemList();
  /** Data that is left out, not read, or probably a mistake, without being an error. */
  readonly warnings = new ProblemList();
  /**
   * Hashes that several hosts share, and those of hosts whose records have warnings, among the records read so far. The
   * next build reads them again.
   */
  readonly rereads = new Set<number>();
  /** Hashes of further hosts all of whose warnings are accepted, which the next build may not accept. */
  readonly acceptedRereads = new Set<number>();
  readonly #accepts: Set<WarningCode>;
  /** The number of warnings that were accepted. */
  acceptedCount = 0;
  /** The same, by their codes. */
  #accepted = new Map<WarningCode, number>();

  /** @param accepts the codes of warnings that are counted but not collected */
  constructor(accepts: Iterable<WarningCode> = []) {
    this.#accepts = new Set(accepts);
  }

  /** The codes of the warnings that are accepted. */
  get accepts(): readonly WarningCode[] {
    return [...this.#accepts];
  }

  /**
   * Accepts warnings with these codes as well, also among those found so far. Call it while they are few: it forgets
   * those that the list no longer holds.
   */
  accept(codes: Iterable<WarningCode>): void {
    for (const code of codes) this.#accepts.add(code);
    this.warn(this.warnings.take().sorted);
  }

  warn(warnings: readonly Problem[]): void {
    this.warnings.add(this.notAccepted(warnings));
  }

  /** Those of some warnings that are not accepted. The others are counted. */
  notAccepted<T extends { readonly code: ProblemCode }>(warnings: readonly T[]): readonly T[] {
    if (this.#accepts.size === 0) return warnings;
    return warnings.filter(({ code }) => {
      if (!isWarningCode(code) || !this.#accepts.has(code)) return true;
      this.#countAccepted(code, 1);
      return false;
    });
  }

  /** The warnings as results list them. */
  get listed(): Warnings {
    const { sorted, count, groups } = this.warnings;
    return {
      warnings: sorted,
      warningCount: count,
      warningGroups: groups,
      acceptedCount: this.acceptedCount,
      acceptedCodes: [...this.#accepted.keys()].sort(byCodeUnit),
    };
  }

  /** Hands over everything found so far. */
  take(): TakenFindings {
    const taken = {
      problems: this.problems.take(),
      warnings: this.warnings.take(),
      accepted: this.#accepted,
      rereads: new Set(this.rereads),
      acceptedRereads: new Set(this.acceptedRereads),
    };
    this.#accepted = new Map();
    this.acceptedCount = 0;
    this.rereads.clear();
    this.acceptedRereads.clear();
    return taken;
  }

  receive({ problems, warnings, accepted, rereads, acceptedRereads }: TakenFindings): void {
    this.problems.receive(problems);
    this.warnings.receive(warnings);
    for (const [code, count] of accepted) this.#countAccepted(code, count);
    for (const hash of rereads) this.rereads.add(hash);
    for (const hash of acceptedRereads) this.acceptedRereads.add(hash);
  }

  #countAccepted(code: WarningCode, count: number): void {
    this.#accepted.set(code, (this.#accepted.get(code) ?? 0) + count);
    this.acceptedCount += count;
  }
}

/** Findings as one thread posts them to another. */
export interface TakenFindings {
  readonly problems: Problems;
  readonly warnings: Problems;
  readonly accepted: ReadonlyMap<WarningCode, number>;
  readonly rereads: ReadonlySet<number>;
  readonly acceptedRereads: ReadonlySet<number>;
}

/** An input has errors, so nothing was written. Its subclass for a published directory is `BadPublishedError`. */
export class BadInputError extends Error {
  /** The input's folder or file, as the caller passed it. */
  readonly folder: string;
  /** Sorted by file, line and column. If there are very many, only the first are here. */
  readonly problems: readonly Problem[];
  /** The number of all problems. */
  readonly problemCount: number;
  /** All problems by their kind, sorted by their first position. */
  readonly problemGroups: readonly ProblemGroup[];
  /** Sorted as `problems` are. Empty if warnings count as errors. */
  readonly warnings: readonly Problem[];
  /** The number of all warnings. */
  readonly warningCount: number;
  /** All warnings by their kind. */
  readonly warningGroups: readonly ProblemGroup[];
  /** The number of warnings that were accepted by their codes. */
  readonly acceptedCount: number;
  /** The codes of those that were accepted, sorted. */
  readonly acceptedCodes: readonly WarningCode[];
  /** What was not written because of the problems, in words. */
  readonly unwritten: string = "nothing";

  /** @param input names the kind of input, for the message */
  constructor(folder: string, input: string, problems: Problems, warned = NO_WARNINGS) {
    super(`${problems.count} ${problems.count === 1 ? "error" : "errors"} in the ${input}`);
    this.folder = folder;
    this.problems = problems.sorted;
    this.problemCount = problems.count;
    this.problemGroups = problems.groups;
    this.warnings = warned.warnings;
    this.warningCount = warned.warningCount;
    this.warningGroups = warned.warningGroups;
    this.acceptedCount = warned.acceptedCount;
    this.acceptedCodes = warned.acceptedCodes;
  }
}

/** Keys and array indexes from the record down to a value. */
export type Path = readonly (string | number)[];

/** A broken rule inside a record, before its line and column are known. */
export interface Finding {
  readonly code: ProblemCode;
  readonly path: Path;
  /**
   * The position to show if it is not that of the path's value: the path's key, the object that lacks the path's last
   * key, or an offset in the record's text, in UTF-16 units.
   */
  readonly at?: "key" | "object" | number;
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
