import type { OnProgress } from "../src/build/progress.js";
import { escapeControls, formatProblem, type Problem } from "../src/published/checking/problem.js";
import { annotation, isGitHubActions, withoutCommands } from "./annotation.js";
import { duration, plural } from "./drawing/amounts.js";
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

/** What the checks of a published directory found; of very many the first, and how many there are. */
interface Findings {
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  readonly warnings: readonly Problem[];
  readonly warningCount: number;
}

/** Between two plain lines of progress, where no bar is drawn. */
const PLAIN_MS = 5_000;

/** Errors or warnings that are printed one by one; the rest is counted. */
const PROBLEMS_SHOWN = 50;

/** One for the process: everything that prints must clear it first. */
const progressLine = new ProgressLine(process.stderr);

/**
 * Lets builds and servers finish their work where nobody reads their output any more, as after `| head`, or its
 * disk is full. A result that cannot be written to a file is a failure of its own, told once.
 */
export function outliveReaders(): void {
  process.stderr.on("error", () => {});
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE" || process.exitCode !== undefined) return;
    process.exitCode = 1;
    process.stderr.write(`error: the result cannot be written: ${code}\n`);
  });
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
    if (json) stdout.write(`${escapeControls(JSON.stringify(value))}\n`);
    else if (quiet) return;
    else if (!stdout.isTTY) stdout.write(lines.map((line) => `${plainText(line)}\n`).join(""));
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
    if (!this.#options.quiet || kind === "error") this.#print(kind, line);
  }

  /** Prints the error that ends a command, also with `--quiet`. */
  error(text: string): void {
    // A name in it may have line ends, which must begin no line of their own.
    this.#print("error", `error: ${escapeControls(text)}`);
    if (isGitHubActions()) process.stderr.write(`${annotation("error", text)}\n`);
  }

  /**
   * Prints what was found in the input: warnings, then errors, each with its place and as many as a person
   * reads, and last how many there are. With `--quiet`, errors alone.
   * @param folder the published directory
   * @param outcome what became of it, behind the counts
   */
  async findings(folder: string, findings: Findings, outcome = ""): Promise<void> {
    const { problems, problemCount, warnings, warningCount } = findings;
    if (this.#options.quiet && problemCount === 0) return;
    if (!this.#options.quiet) await this.#problems("warning", folder, warnings, warningCount);
    await this.#problems("error", folder, problems, problemCount);
    if (problemCount + warningCount === 0) return;
    const counts = `${plural(problemCount, "error")}, ${plural(warningCount, "warning")}`;
    this.#print(problemCount > 0 ? "error" : "warning", `${counts}${outcome}`);
  }

  async #problems(
    kind: ProblemKind,
    folder: string,
    problems: readonly Problem[],
    count: number,
  ): Promise<void> {
    progressLine.hide();
    if (isGitHubActions()) {
      const { stderr } = process;
      for (const problem of problems.slice(0, PROBLEMS_SHOWN)) {
        stderr.write(`${annotation(kind, problem, folder)}\n`);
      }
    }
    if (process.stderr.isTTY && !this.#options.json) {
      await this.#drawProblems(kind, folder, problems, count);
      return;
    }
    const shown = problems.slice(0, PROBLEMS_SHOWN);
    for (const problem of shown) this.#print(kind, `${kind}: ${formatProblem(problem)}`);
    const rest = count - shown.length;
    const where = this.#options.json || count > problems.length ? "" : " (--json has them)";
    if (rest > 0) this.#print(kind, `${kind}: ... and ${rest} more${where}`);
  }

  #print(kind: "info" | ProblemKind, line: string): void {
    progressLine.hide();
    const safe = isGitHubActions() ? withoutCommands(safeLines(line)) : safeLines(line);
    const text = kind === "info" ? safe : paintFor(process.stderr)(kind, safe);
    process.stderr.write(`${text}\n`);
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

/** A text of whatever origin as it may go through a pipe: its lines and tabs stay, other controls do not. */
function plainText(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (/^[\n\t]$/.test(part) ? part : escapeControls(part)))
    .join("");
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
