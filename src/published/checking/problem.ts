import { byCodeUnit } from "../../contract/order.js";

/** One error or warning about the published directory, at its place. */
export interface Problem {
  /** Path inside the published folder, with `/`. */
  readonly file: string;
  /** Line in the file, counted from 1. */
  readonly line: number;
  /** Column in the line, counted from 1 in UTF-16 units; a byte-order mark is not counted. */
  readonly column: number;
  /** JSON path inside the record, such as `$.checks[3].status`; `$` is the record. */
  readonly path: string;
  /** What was found, what was expected, and a remedy where one is known. */
  readonly message: string;
  /**
   * How often this message holds in all records, where it is shown once for all of them and its place is
   * the first. Absent where every place is a problem of its own.
   */
  readonly times?: number;
}

/** `file:line:column  path  message` (published format, general rules), always one line. */
export function formatProblem(problem: Problem): string {
  const { file, line, column, path } = problem;
  return `${escapeControls(file)}:${line}:${column}  ${path}  ${messageOf(problem)}`;
}

/** A problem's message, with how often it holds where that is more than once. */
export function messageOf({ message, times = 1 }: Problem): string {
  return times === 1 ? message : `${message} (${times} times, first here)`;
}

/**
 * Characters that end a line, move a terminal's cursor, turn the reading direction or cannot be seen:
 * controls, formats, lone surrogates, separators of lines and paragraphs, and what Unicode ignores.
 */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Writes characters that a terminal would act upon, or that nobody would see, as `\u` escapes. In a JSON
 * text these mean the same characters.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const units = Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}

/** Problems that are kept to be shown; past them only the count grows, so that memory stays bounded. */
const PROBLEMS_KEPT = 50_000;

/** Problems that a list has handed over: those that are kept, and how many there were. */
export interface TakenProblems {
  readonly problems: readonly Problem[];
  readonly count: number;
}

/**
 * Collects problems in the order in which they are shown: by file, line, column. Of more than can be
 * kept the first stay, whatever the order in which they were found. Those that are shown once for all
 * records (`times`) are merged by their message.
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

  /** How many were added, those that were not kept included. */
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

  /** Hands over what was collected, and begins anew. */
  take(): TakenProblems {
    const taken = { problems: this.sorted, count: this.#count };
    this.#problems = [];
    this.#merged = new Map();
    this.#sorted = [];
    this.#count = 0;
    return taken;
  }

  /** Adds what another list has handed over. */
  receive({ problems, count }: TakenProblems): void {
    this.add(problems);
    this.#count += count - problems.length;
  }

  /** The kept problems, sorted; the same array until one is added. */
  get sorted(): readonly Problem[] {
    this.#sorted ??= this.#first([...this.#problems, ...this.#merged.values()]);
    return this.#sorted;
  }

  /** Merges a problem with those of the same message. False where there are too many messages to do so. */
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
