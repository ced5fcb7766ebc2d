import { join } from "node:path";
import { Command, CommanderError, type OutputConfiguration } from "commander";
import { installedExtras } from "../src/extra.js";
import { messageOf } from "../src/files/errors.js";
import { PACKAGE_FOLDER } from "../src/files/paths.js";
import type { BadInputError } from "../src/input/checking/problem.js";
import type { TooManyRemovedError } from "../src/publish/removals.js";
import { type OutputOptions, safeText, Terminal } from "./terminal.js";

/** Exit codes of the process. Scripts rely on them. */
export const EXIT = {
  done: 0,
  /** A full or read-only disk, or an internal error. */
  failed: 1,
  usage: 2,
  /** The published directory is bad or missing. */
  badInput: 3,
  badSnapshot: 4,
  /** Another process writes to the same store. */
  locked: 5,
  /**
   * A safety check refused: too many listings would be removed or lose their score or band, or a store ignores
   * conditions.
   */
  refused: 6,
} as const;

/** What each exit code means, for the help and the documentation. */
export const EXIT_MEANINGS: { readonly [name in keyof typeof EXIT]: string } = {
  done: "done",
  failed:
    "failed: disk full, port taken, nothing published yet, no such snapshot, bucket unreachable",
  usage: "wrong usage",
  badInput: "the published directory, or a table to import, is bad or missing",
  badSnapshot: "the snapshot is bad, or not signed with the given public key",
  locked: "another build or export holds the lock, or another push has published meanwhile",
  refused: "a safety check refused",
};

/** Exit codes by error name. Testing for the error's class would load the class and all its imports. */
const EXIT_AFTER: Readonly<Record<string, number>> = {
  BadPublishedError: EXIT.badInput,
  BadSnapshotError: EXIT.badSnapshot,
  PublishedFolderError: EXIT.badInput,
  SampleRefusedError: EXIT.usage,
  SiteRefusedError: EXIT.usage,
  StoreLockedError: EXIT.locked,
  TooManyRemovedError: EXIT.refused,
};

function exitAfter(name: string): number {
  for (const { exits = {} } of installedExtras()) {
    const exit = exits[name];
    if (exit !== undefined) return EXIT[exit];
  }
  return EXIT_AFTER[name] ?? EXIT.failed;
}

function isBadInput(error: unknown): error is BadInputError {
  return error instanceof Error && "problemGroups" in error;
}

function isOneOf<T extends Error>(error: unknown, ...names: readonly T["name"][]): error is T {
  return error instanceof Error && names.includes(error.name);
}

/** What the help of a command shows after its options. */
export interface CommandHelp {
  /** Two command lines that people can copy. */
  readonly examples: readonly [string, string];
  /** The page in `docs/` that describes the command. */
  readonly page: string;
  readonly notes?: string;
}

/** A command with the options that all commands share, and a help that ends with examples and the documentation. */
export class CrawldexCommand extends Command {
  readonly examples: readonly string[];

  constructor(name: string, description: string, { examples, page, notes }: CommandHelp) {
    super(name);
    this.examples = examples;
    this.description(description)
      .option("--json", "print the result as one JSON object on stdout")
      .option("-q, --quiet", "print no progress, and no messages except errors")
      .option("--color", "use colours even if the output is not a terminal")
      .option("--no-color", "use no colours, and no progress bar")
      .on("option:color", () => setColours("FORCE_COLOR", "NO_COLOR"))
      .on("option:no-color", () => setColours("NO_COLOR", "FORCE_COLOR"))
      .addHelpText("after", afterHelp(examples, page, notes))
      .showHelpAfterError("(see --help)")
      .configureOutput(SAFE_ERRORS)
      .hook("preAction", (self) => {
        // An empty path would mean the folder in which the command runs.
        if (![...self.args, ...Object.values(self.opts())].includes("")) return;
        self.error("error: an argument is empty; is a variable in your script unset?");
      })
      .exitOverride();
  }
}

/** Node, commander and the processes that a command starts all follow these variables. */
function setColours(set: string, unset: string): void {
  process.env[set] = "1";
  delete process.env[unset];
}

function afterHelp(examples: readonly string[], page: string, notes?: string): string {
  const exits = Object.entries(EXIT).map(
    ([name, code]) => `  ${code}  ${EXIT_MEANINGS[name as keyof typeof EXIT]}`,
  );
  return [
    "",
    "Examples:",
    ...examples.map((line) => `  $ ${line}`),
    ...(notes === undefined ? [] : ["", notes]),
    "",
    "Exit codes:",
    ...exits,
    "",
    documentationAt(page),
  ].join("\n");
}

/** Names a page of the documentation, which is installed beside the program. */
export function documentationAt(page: string): string {
  return `Documentation: ${join(PACKAGE_FOLDER, "docs", page)}`;
}

/** Says "value" where commander says "command-argument value". */
function plainUsage(text: string): string {
  return text.replace("command-argument value", "value");
}

/** Usage errors repeat the arguments, which may have been pasted from anywhere. */
export const SAFE_ERRORS: OutputConfiguration = {
  outputError: (text, write) => write(safeText(plainUsage(text))),
};

/**
 * Says how to choose another port or address, if the system refuses the given one.
 * @param variables the environment variables that the host and the port come from; undefined for one that was typed
 */
export function listenError(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  variables: { readonly host?: string | undefined; readonly port?: string | undefined } = {},
): unknown {
  const message = messageOf(error);
  const withHost = `with --host${orVariable(variables.host)}`;
  const withPort = `with --port${orVariable(variables.port)}`;
  const causes: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is in use on ${host}: choose another ${withPort}, or 0 for any free port`,
    EACCES: `this user may not open port ${port}: choose one above 1023 ${withPort}`,
    EADDRNOTAVAIL: `this machine has no address ${host}: choose another ${withHost}`,
    ENOTFOUND: `the address ${host} is unknown: choose another ${withHost}`,
  };
  const code = Object.keys(causes).find((each) => message.includes(each));
  return code === undefined ? error : new Error(`${causes[code]} (${code})`);
}

function orVariable(name: string | undefined): string {
  return name === undefined ? "" : ` or in the environment variable ${name}, where it comes from`;
}

/** Signals within this many milliseconds of the first count as one: npm repeats signals that the terminal sends. */
const SAME_SIGNAL_MS = 500;

/** The first SIGINT or SIGTERM aborts the signal returned here. A later one ends the process with code 1. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  const stop = (name: NodeJS.Signals) => {
    if (!controller.signal.aborted) {
      first = performance.now();
      controller.abort(new Error(`stopped by ${name}, nothing was published`));
    } else if (performance.now() - first > SAME_SIGNAL_MS) process.exit(EXIT.failed);
  };
  for (const name of ["SIGINT", "SIGTERM"]) process.on(name, stop);
  return controller.signal;
}

/** Reports an error in the form that the options ask for. @returns the exit code. */
export async function failure(error: unknown, options: OutputOptions): Promise<number> {
  const terminal = new Terminal(options);
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.done;
    // commander has already printed the error and a hint to the help on stderr.
    const said = plainUsage(error.message).replace(/^error: /, "");
    if (options.json) terminal.result({ ok: false, error: said }, []);
    return EXIT.usage;
  }
  const message = messageOf(error);
  if (isBadInput(error)) {
    const { folder, problems, problemCount, warnings, warningCount, unwritten } = error;
    const { acceptedCount, acceptedCodes } = error;
    terminal.findings(folder, error, `; ${unwritten} was written`);
    const accepted = { acceptedCount, acceptedCodes };
    const counts = { problemCount, problems, warningCount, warnings, ...accepted };
    if (options.json) terminal.result({ ok: false, error: message, ...counts }, []);
    return EXIT.badInput;
  }
  let details = {};
  if (isOneOf<TooManyRemovedError>(error, "TooManyRemovedError")) {
    const { name: _, input, ...counts } = error;
    const { folder, warnings, warningCount, acceptedCount, acceptedCodes } = input;
    terminal.findings(folder, input, " in the published directory");
    details = { ...counts, warningCount, warnings, acceptedCount, acceptedCodes };
  }
  const { name = "" } = error instanceof Error ? error : {};
  const remedy =
    name === "BadSnapshotError"
      ? "; crawldex verify names every bad file, and crawldex build --full repairs the store"
      : "";
  terminal.error(`${message}${remedy}`);
  if (options.json) terminal.result({ ok: false, error: `${message}${remedy}`, ...details }, []);
  return exitAfter(name);
}
