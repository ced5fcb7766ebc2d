import { byCodeUnit } from "../../contract/order.js";

/** One error or warning about the published directory, at its place. */
export interface Problem {
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
  /**
   * How often this message applies across all records, if it is shown only once, at its first place. Absent
   * if every place is a problem of its own.
   */
  readonly times?: number;
}

/** `file:line:column  path  message` (published format, general rules), always one line. */
export function formatProblem(problem: Problem): string {
  const { file, line, column, path } = problem;
  return `${escapeControls(file)}:${line}:${column}  ${path}  ${problemText(problem)}`;
}

/** A problem's message, with its count if it applies more than once. */
export function problemText({ message, times = 1 }: Problem): string {
  return times === 1 ? message : `${message} (${times} times, first here)`;
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

/** How many problems a list holds to show. Beyond this only the count grows, so that memory stays bounded. */
const PROBLEMS_KEPT = 50_000;

/** Problems that a list hands over: those that it holds, and how many there were in all. */
export interface TakenProblems {
  readonly problems: readonly Problem[];
  readonly count: number;
}

/**
 * Collects problems, sorted as they are shown: by file, line, column. If there are too many to hold, the
 * first in that order stay, whichever were found first. Problems that are shown once for all records
 * (`times`) are merged by their message.
 */
export class ProblemList {
  readonly #kept: number;
  #problems: Problem[] = [];
  /** Problems with `times`, by message. */
  #merged = new Map<string, Problem>();
  #sorted: readonly Problem[] | null = [];
  #count = 0;

  constructor(kept = PROBLEMS_KEPT) {
    this.#kept = kept;
  }

  /** How many problems there are, including those that are no longer held. Merged problems count once. */
  get count(): number {
    return this.#count;
  }

  add(problems: Iterable<Problem>): void {
    for (const problem of problems) {
      this.#sorted = null;
      if (problem.times !== undefined && this.#merge(problem)) continue;
      this.#problems.push(problem);
      this.#count += 1;
      if (this.#problems.length >= 2 * this.#kept) this.#problems = this.#first(this.#problems);
    }
  }

  /** Hands over the problems collected so far, and empties the list. */
  take(): TakenProblems {
    const taken = { problems: this.sorted, count: this.#count };
    this.#problems = [];
    this.#merged = new Map();
    this.#sorted = [];
    this.#count = 0;
    return taken;
  }

  /** Adds the problems that another list handed over. */
  receive({ problems, count }: TakenProblems): void {
    this.add(problems);
    this.#count += count - problems.length;
  }

  /** The problems held, sorted. The array is the same until a problem is added. */
  get sorted(): readonly Problem[] {
    this.#sorted ??= this.#first([...this.#problems, ...this.#merged.values()]);
    return this.#sorted;
  }

  /** Merges a problem with those of the same message. Returns false if there are too many messages to merge. */
  #merge(problem: Problem): boolean {
    const before = this.#merged.get(problem.message);
    if (before === undefined) {
      if (this.#merged.size >= this.#kept) return false;
      this.#merged.set(problem.message, problem);
      this.#count += 1;
      return true;
    }
    const first = byPlace(before, problem) <= 0 ? before : problem;
    const times = (before.times ?? 1) + (problem.times ?? 1);
    this.#merged.set(problem.message, { ...first, times });
    return true;
  }

  #first(problems: readonly Problem[]): Problem[] {
    return problems.toSorted(byPlace).slice(0, this.#kept);
  }
}

export function byPlace(a: Problem, b: Problem): number {
  return (
    byCodeUnit(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    byCodeUnit(a.path, b.path) ||
    byCodeUnit(a.message, b.message)
  );
}
