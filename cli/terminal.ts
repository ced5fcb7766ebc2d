import { styleText } from "node:util";

/** How a command speaks: `--json` and `--quiet`. */
export interface OutputOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const BAR_CELLS = 24;
/** Between two drawings of the bar on a terminal, and between two plain lines elsewhere. */
const REDRAW_MS = 100;
const PLAIN_MS = 5_000;

/** The result goes to stdout, once; progress and messages go to stderr. */
export class Terminal {
  readonly #options: OutputOptions;
  readonly #interactive = process.stderr.isTTY === true;
  #drawn = false;
  #lastDrawn = 0;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** Prints the result: one JSON object with `--json`, else lines for people. */
  result(value: object, lines: readonly string[]): void {
    this.#clear();
    if (this.#options.json) process.stdout.write(`${JSON.stringify(value)}\n`);
    else if (!this.#options.quiet) process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  }

  /** Prints a message, errors even where `--quiet` asks for none. */
  message(line: string, kind: "info" | "warning" | "error" = "info"): void {
    this.#clear();
    if (this.#options.quiet && kind !== "error") return;
    const colour = { info: null, warning: "yellow", error: "red" } as const;
    process.stderr.write(`${paint(colour[kind], line)}\n`);
  }

  /** Shows how far the work is: a bar on a terminal, a line now and then elsewhere. */
  progress(what: string): (done: number, total: number) => void {
    return (done, total) => {
      if (this.#options.quiet) return;
      const now = Date.now();
      const wait = this.#interactive ? REDRAW_MS : PLAIN_MS;
      if (this.#lastDrawn === 0 && !this.#interactive) this.#lastDrawn = now;
      if (now - this.#lastDrawn < wait) return;
      this.#lastDrawn = now;
      const share = total === 0 ? 1 : done / total;
      const percent = `${Math.floor(share * 100)} %`;
      if (!this.#interactive) {
        process.stderr.write(`${what}: ${percent}\n`);
        return;
      }
      const full = Math.round(share * BAR_CELLS);
      const bar = "█".repeat(full) + "░".repeat(BAR_CELLS - full);
      process.stderr.write(`\r\x1b[K${what} ${bar} ${percent}`);
      this.#drawn = true;
    };
  }

  #clear(): void {
    if (this.#drawn) process.stderr.write("\r\x1b[K");
    this.#drawn = false;
  }
}

function paint(colour: "yellow" | "red" | null, text: string): string {
  if (colour === null) return text;
  return styleText(colour, text, { stream: process.stderr });
}
