import { isAbsolute, relative, resolve } from "node:path";
import { styleText } from "node:util";
import {
  escapeControls,
  formatProblem,
  type Problem,
  type ProblemGroup,
} from "../src/input/checking/problem.js";
import type { OnProgress, Phase } from "../src/lib/options.js";

/** Formats `1234567` as `1,234,567`. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3}){1,6}$)/g, ",");
}

/** Formats seconds as `0:09`, `3:05`, `1:02:03`. */
function clock(seconds: number): string {
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
function paintFor(stream: NodeJS.WriteStream): Paint {
  return (colour, text) => (text === "" ? text : styleText(colour, text, { stream }));
}

/** Milliseconds between two drawings. */
const REDRAW_MS = 100;
/** Before this time has passed, an estimate of the time left is not meaningful. In milliseconds. */
const SETTLED_MS = 1_000;
/** The width in columns if the terminal does not report its own. */
const USUAL_WIDTH = 80;
/** Columns that stay free: a terminal prints `^C` after the line on Ctrl-C, and that must not wrap to a new line. */
const SPARE = 3;
const BAR_CELLS = 30;
const CLEAR_LINE = "\r\x1b[K";

/**
 * The line of a terminal that shows a run's progress. Redraws at most ten times a second. Short runs draw nothing.
 */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  #phase: Phase | null = null;
  /** When the phase began, and when the line was drawn last, or the run began. */
  #since = 0;
  #lastDrawn = 0;
  #isDrawn = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  readonly report: OnProgress = (done, total, phase) => {
    const now = performance.now();
    if (this.#phase === null) this.#lastDrawn = now;
    if (this.#phase !== phase) this.#since = now;
    this.#phase = phase;
    if (now - this.#lastDrawn < REDRAW_MS) return;
    this.#lastDrawn = now;
    this.#isDrawn = true;
    const share = total === 0 ? null : Math.min(1, done / total);
    const width = this.#stream.columns || USUAL_WIDTH;
    const line = barLine(phase.name, share, now - this.#since, width, paintFor(this.#stream));
    this.#stream.write(`${CLEAR_LINE}${line}`);
  };

  /** Clears the line. The next report starts a new one. */
  hide(): void {
    this.#phase = null;
    if (this.#isDrawn) this.#stream.write(CLEAR_LINE);
    this.#isDrawn = false;
  }
}

/**
 * Draws a phase on one line that is narrower than the terminal. If there is little room, leaves out the bar and the
 * time left.
 * @param share how much is done, from 0 to 1; null if the amount of work is unknown
 * @param elapsed milliseconds since the phase began
 */
export function barLine(
  name: string,
  share: number | null,
  elapsed: number,
  width: number,
  paint: Paint,
): string {
  const room = Math.max(0, width - SPARE);
  const short = (end: string) => {
    const text = name + end;
    return paint("bold", text.length > room ? `${text.slice(0, room - 1)}…` : text);
  };
  if (share === null) return short(` ${clock(Math.floor(elapsed / 1_000))}`);
  const percent = `${Math.floor(share * 100)}%`.padStart(5);
  const seconds = Math.round((elapsed / 1_000) * (1 / share - 1));
  const left = elapsed < SETTLED_MS || share === 0 ? "" : `  ${clock(seconds)} left`;
  if (name.length + 1 + BAR_CELLS + percent.length + left.length > room) return short(percent);
  const full = Math.floor(share * BAR_CELLS);
  const bar = paint("cyan", "█".repeat(full)) + paint("dim", "░".repeat(BAR_CELLS - full));
  return `${paint("bold", name)} ${bar}${percent}${paint("dim", left)}`;
}

type ProblemKind = "warning" | "error";

const COLOURS = { warning: "yellow", error: "red" } as const;

/** The output options of every command: `--json` and `--quiet`. */
export interface OutputOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The findings in a published directory, by their kind. */
interface PrintedFindings {
  /** Default: none. */
  readonly problemGroups?: readonly ProblemGroup[];
  readonly problemCount?: number;
  readonly warningGroups: readonly ProblemGroup[];
  readonly warningCount: number;
  readonly acceptedCount: number;
  readonly acceptedCodes: readonly string[];
}

/** Milliseconds between two plain lines of progress, if no bar is drawn. */
const PLAIN_MS = 5_000;

/** How many kinds of errors or warnings are printed. */
const GROUPS_SHOWN = 50;

/** A single line for the whole process: everything that prints must clear it first. */
const progressLine = new ProgressLine(process.stderr);

/**
 * Lets builds and servers finish their work if their output has no reader any more, as after `| head`, or if its
 * disk is full. A result that cannot be written to a file is an error, reported once.
 */
export function outliveReaders(): void {
  process.stderr.on("error", () => {});
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE" || process.exitCode !== undefined) return;
    process.exitCode = 1;
    process.stderr.write(`error: the result cannot be written: ${code}\n`);
  });
}

/** Prints the result to stdout, once; progress and messages go to stderr, as plain lines in a stable form. */
export class Terminal {
  readonly #options: OutputOptions;
  /** The time of the last plain line of progress, or of the first report before there is one. */
  #lastLine = 0;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** Prints the result: one JSON object with `--json`, otherwise lines. */
  result(value: object, lines: readonly string[]): void {
    progressLine.hide();
    const { json, quiet } = this.#options;
    if (json) process.stdout.write(`${escapeControls(JSON.stringify(value))}\n`);
    else if (!quiet) process.stdout.write(lines.map((line) => `${safeText(line)}\n`).join(""));
  }

  /** Prints a message. With `--quiet`, prints only errors. */
  message(line: string, kind: "info" | ProblemKind = "info"): void {
    if (!this.#options.quiet || kind === "error") this.#print(kind, line);
  }

  /** Prints the error that ends a command, even with `--quiet`. */
  error(text: string): void {
    // A name in the text may have line ends; they must not start new lines.
    this.#print("error", `error: ${escapeControls(text)}`);
    if (isGitHubActions()) process.stderr.write(`${annotation("error", text)}\n`);
  }

  /**
   * Prints the findings in the input: warnings, then errors, a line for each kind with its first position, limited to
   * an amount that people read; then how many warnings were accepted, and the counts. With `--quiet`, leaves out the
   * warnings, and prints nothing if there are no errors.
   * @param folder the published directory
   * @param outcome the consequence, printed after the counts
   */
  findings(folder: string, findings: PrintedFindings, outcome = ""): void {
    const { problemGroups = [], problemCount = 0, warningGroups, warningCount } = findings;
    const { acceptedCount, acceptedCodes } = findings;
    if (this.#options.quiet && problemCount === 0) return;
    if (!this.#options.quiet) this.#groups("warning", folder, warningGroups);
    this.#groups("error", folder, problemGroups);
    if (acceptedCount > 0) {
      this.message(`${plural(acceptedCount, "warning")} accepted: ${acceptedCodes.join(", ")}`);
    }
    if (problemCount + warningCount === 0) return;
    const counts = `${plural(problemCount, "error")}, ${plural(warningCount, "warning")}`;
    this.#print(problemCount > 0 ? "error" : "warning", `${counts}${outcome}`);
  }

  #groups(kind: ProblemKind, folder: string, groups: readonly ProblemGroup[]): void {
    const shown = mostFrequent(groups, GROUPS_SHOWN);
    if (isGitHubActions()) {
      progressLine.hide();
      for (const group of shown) {
        process.stderr.write(`${annotation(kind, firstProblem(group), folder)}\n`);
      }
    }
    for (const group of shown) this.#print(kind, `${kind}: ${groupLine(group)}`);
    const rest = groups.length - shown.length;
    const where = this.#options.json ? "" : " (--json lists them)";
    if (rest > 0) this.#print(kind, `${kind}: ... and ${plural(rest, "more kind")}${where}`);
  }

  #print(kind: "info" | ProblemKind, line: string): void {
    progressLine.hide();
    const safe = isGitHubActions() ? withoutCommands(safeText(line)) : safeText(line);
    const text = kind === "info" ? safe : paintFor(process.stderr)(COLOURS[kind], safe);
    process.stderr.write(`${text}\n`);
  }

  /** Shows progress: a bar on a terminal, otherwise a line now and then. */
  progress(): OnProgress {
    if (this.#options.quiet) return () => {};
    if (drawsBar(process.stderr.isTTY, this.#options, process.env)) return progressLine.report;
    return (done, total, phase) => {
      const now = performance.now();
      if (this.#lastLine === 0) this.#lastLine = now;
      if (total === 0 || now - this.#lastLine < PLAIN_MS) return;
      this.#lastLine = now;
      const percent = Math.floor(Math.min(1, done / total) * 100);
      process.stderr.write(`${phase.name}: ${percent}%\n`);
    };
  }
}

/** Whether to draw a bar: there is a reader, and a terminal that can move its cursor. */
export function drawsBar(
  isTerminal: boolean,
  { json, quiet }: OutputOptions,
  { CI = "", NO_COLOR = "", TERM }: NodeJS.ProcessEnv,
): boolean {
  const isCi = !["", "0", "false"].includes(CI);
  const isPlain = isCi || NO_COLOR !== "" || TERM === "dumb";
  return isTerminal && !json && !quiet && !isPlain;
}

/** Whether the output goes to GitHub Actions. */
function isGitHubActions(): boolean {
  return process.env.GITHUB_ACTIONS === "true";
}

/** Escapes text that GitHub Actions would read as a command in the middle of a line. The text may be untrusted. */
function withoutCommands(text: string): string {
  return text.replaceAll("##[", "##\\u005b");
}

/**
 * A GitHub workflow command that shows an error or warning. A problem of the input is shown at its file's line.
 * @param folder the published directory, as the user gave it
 */
function annotation(kind: ProblemKind, problem: Problem | string, folder = ""): string {
  if (typeof problem === "string") return `::${kind}::${data(problem)}`;
  const { code, file, line, column, path, message } = problem;
  const place = `file=${property(repositoryPath(resolve(folder, file)))},line=${line},col=${column}`;
  return `::${kind} ${place},title=${code}::${data(`${path}  ${message}`)}`;
}

/** GitHub expects paths relative to the repository's root. A path outside the repository stays absolute. */
function repositoryPath(path: string): string {
  const inside = relative(process.env.GITHUB_WORKSPACE ?? process.cwd(), path);
  return inside.startsWith("..") || isAbsolute(inside) ? path : inside;
}

function data(text: string): string {
  return escapeControls(text).replaceAll("%", "%25");
}

/** Percent-escapes a property. GitHub decodes the escapes, so it still finds the file. */
function property(text: string): string {
  const percent = (character: string) => `%${Buffer.from(character).toString("hex").toUpperCase()}`;
  return escapeControls(text.replace(/[%\r\n:,]/g, percent));
}

/** The most frequent kinds of problems, at most `most`, in the order of the groups. */
function mostFrequent(groups: readonly ProblemGroup[], most: number): ProblemGroup[] {
  const chosen = new Set(groups.toSorted((a, b) => b.count - a.count).slice(0, most));
  return groups.filter((group) => chosen.has(group));
}

/** `7,305 x scans/*.ndjson $.score: message; first at scans/all.ndjson:1:88 [code]`. A single problem has no count. */
function groupLine(group: ProblemGroup): string {
  const { files, path, first } = group;
  if (group.count === 1) return `${formatProblem(first)} [${first.code}]`;
  const position = `${first.file}:${first.line}:${first.column}`;
  const line = `${count(group.count)} x ${files} ${path}: ${first.message}; first at ${position}`;
  return `${escapeControls(line)} [${first.code}]`;
}

/** The first problem of a group, with how many there are of its kind in its message. */
function firstProblem(group: ProblemGroup): Problem {
  const { first, files } = group;
  if (group.count === 1) return first;
  const many = `${count(group.count)} x ${files}, first here`;
  return { ...first, message: `${first.message} (${many})` };
}
