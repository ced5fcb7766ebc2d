import { byCodeUnit } from "../contract/order.js";

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
}

/** `file:line:column  path  message` (published format, general rules), always one line. */
export function formatProblem({ file, line, column, path, message }: Problem): string {
  return `${escapeControls(file)}:${line}:${column}  ${path}  ${message}`;
}

/** Characters that end a line, move a terminal's cursor or turn the reading direction. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Writes characters that a terminal would act upon, or that nobody would see, as `\u` escapes. */
export function escapeControls(text: string): string {
  return text.replace(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
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
 * kept the first stay, whatever the order in which they were found.
 */
export class ProblemList {
  readonly #kept: number;
  #problems: Problem[] = [];
  #sorted = true;
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
      this.#problems.push(problem);
      this.#count += 1;
      this.#sorted = false;
      if (this.#problems.length >= 2 * this.#kept) this.#tidy();
    }
  }

  /** Hands over what was collected, and begins anew. */
  take(): TakenProblems {
    const taken = { problems: this.sorted, count: this.#count };
    this.#problems = [];
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
    if (!this.#sorted) this.#tidy();
    return this.#problems;
  }

  #tidy(): void {
    this.#problems = this.#problems.toSorted(byPlace).slice(0, this.#kept);
    this.#sorted = true;
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
