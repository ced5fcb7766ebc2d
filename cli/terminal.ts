import { formatProblem, type Problem } from "../src/published/problem.js";
import type { OnProgress } from "../src/store/progress.js";
import { duration } from "./drawing/amounts.js";
import { safeLines } from "./drawing/cells.js";
import { paintFor } from "./drawing/paint.js";
import { type ProblemKind, parted, problemLines, restLines } from "./drawing/problems.js";
import { type Summary, summaryLines } from "./drawing/table.js";
import { ProgressLine, USUAL_WIDTH } from "./progress-line.js";

/** How a command speaks: `--json` and `--quiet`. */
export interface OutputOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Between two plain lines of progress, where no bar is drawn. */
const PLAIN_MS = 5_000;

/** Errors or warnings that are printed one by one; the rest is counted. */
const PROBLEMS_SHOWN = 50;

/** One for the process: whoever prints must clear it, whoever drew it. */
const progressLine = new ProgressLine(process.stderr);

/** Who reads no more of what is printed, as `head` after ten lines, ends neither a build nor a server. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

/**
 * The result goes to stdout, once; progress and messages go to stderr. What goes to a terminal is for people:
 * a bar, the lines that errors are in, a summary. Elsewhere all is plain lines that stay as they are.
 */
export class Terminal {
  readonly #options: OutputOptions;
  readonly #began = performance.now();
  /** When the last plain line of progress was due. */
  #lastLine = 0;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** Prints the result: one JSON object with `--json`, else a summary on a terminal, else lines. */
  result(value: object, lines: readonly string[], summary?: Summary): void {
    progressLine.hide();
    const { json, quiet } = this.#options;
    const { stdout } = process;
    if (json) stdout.write(`${JSON.stringify(value)}\n`);
    else if (quiet) return;
    else if (!stdout.isTTY) stdout.write(lines.map((line) => `${line}\n`).join(""));
    else if (summary === undefined)
      stdout.write(lines.map((line) => `${safeLines(line)}\n`).join(""));
    else {
      const { rows } = summary;
      const time = { label: "time", value: duration(performance.now() - this.#began) };
      const drawn = { ...summary, rows: [...rows, time] };
      const shown = summaryLines(drawn, stdout.columns || USUAL_WIDTH, paintFor(stdout));
      stdout.write(shown.map((line) => `${line}\n`).join(""));
    }
  }

  /** Prints a message, errors even where `--quiet` asks for none. */
  message(line: string, kind: "info" | ProblemKind = "info"): void {
    progressLine.hide();
    if (this.#options.quiet && kind !== "error") return;
    const safe = safeLines(line);
    const text = kind === "info" ? safe : paintFor(process.stderr)(kind, safe);
    process.stderr.write(`${text}\n`);
  }

  /**
   * Prints errors or warnings of the input, each with its place, as many as a person reads.
   * @param folder the published directory
   * @param count how many there are, also where not all of them are given
   */
  async problems(
    kind: ProblemKind,
    folder: string,
    problems: readonly Problem[],
    count = problems.length,
  ): Promise<void> {
    if (this.#options.quiet && kind !== "error") return;
    if (process.stderr.isTTY && !this.#options.json) {
      await this.#drawProblems(kind, folder, problems, count);
      return;
    }
    const shown = problems.slice(0, PROBLEMS_SHOWN);
    for (const problem of shown) this.message(formatProblem(problem), kind);
    const rest = count - shown.length;
    const where = this.#options.json || count > problems.length ? "" : " (--json has them)";
    if (rest > 0) this.message(`... and ${rest} more${where}`, kind);
  }

  /** Shows how far the work is: a bar on a terminal, a line now and then elsewhere. */
  progress(): OnProgress {
    if (this.#options.quiet) return () => {};
    if (drawsBar(process.stderr.isTTY, this.#options, process.env)) return progressLine.report;
    return (done, total, phase) => {
      const now = performance.now();
      if (this.#lastLine === 0) this.#lastLine = now;
      if (total === 0 || now - this.#lastLine < PLAIN_MS) return;
      this.#lastLine = now;
      const percent = Math.floor(Math.min(1, done / total) * 100);
      process.stderr.write(`${phase.name}: ${percent} %\n`);
    };
  }

  async #drawProblems(
    kind: ProblemKind,
    folder: string,
    problems: readonly Problem[],
    count: number,
  ): Promise<void> {
    const { offendingPlaces } = await import("./offending-lines.js");
    progressLine.hide();
    const { stderr } = process;
    const drawing = { width: stderr.columns || USUAL_WIDTH, paint: paintFor(stderr) };
    const { shown, rest } = parted(problems);
    const places = offendingPlaces(folder, shown);
    const lines = shown.flatMap((problem) =>
      problemLines(problem, kind, places.get(problem) ?? null, drawing),
    );
    const more = count - shown.length;
    if (more > 0) lines.push(...restLines(rest, more, kind, drawing));
    stderr.write(lines.map((line) => `${line}\n`).join(""));
  }
}

/** Whether there is someone who looks at a bar, and a terminal that moves its cursor. */
export function drawsBar(
  isTerminal: boolean,
  { json, quiet }: OutputOptions,
  { CI = "", NO_COLOR = "", TERM }: NodeJS.ProcessEnv,
): boolean {
  const isCi = !["", "0", "false"].includes(CI);
  const isPlain = isCi || NO_COLOR !== "" || TERM === "dumb";
  return isTerminal && !json && !quiet && !isPlain;
}
