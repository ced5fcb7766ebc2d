import { Command, CommanderError, InvalidArgumentError } from "commander";
import { PublishedFolderError } from "../src/published/published.js";
import { SiteRefusedError } from "../src/site/record.js";
import { BadSnapshotError } from "../src/store/bad-snapshot.js";
import { BadPublishedError } from "../src/store/build.js";
import { StoreLockedError } from "../src/store/lock.js";
import { type OutputOptions, Terminal } from "./terminal.js";

/** What a process ends with; others rely on them. */
export const EXIT = {
  done: 0,
  /** Disk full, read-only, an internal error. */
  failed: 1,
  usage: 2,
  /** The published directory is bad or not there. */
  badInput: 3,
  badSnapshot: 4,
  locked: 5,
} as const;

/** A command with what every one has: `--json`, `--quiet`, an example in its help. */
export function command(name: string, description: string, example: string): Command {
  return new Command(name)
    .description(description)
    .option("--json", "print the result as one JSON object on stdout")
    .option("--quiet", "no progress and no messages but errors")
    .addHelpText("after", `\nExample:\n  $ ${example}`)
    .showHelpAfterError("(see --help)")
    .exitOverride();
}

/** Reads an option's value as a whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^[0-9]+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Is aborted by the first SIGINT or SIGTERM; a second one ends the process as it always would. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () =>
      controller.abort(new Error(`stopped by ${name}, nothing was published`)),
    );
  }
  return controller.signal;
}

/** Says what went wrong in the command's way of speaking. @returns the exit code. */
export function failure(error: unknown, options: OutputOptions): number {
  const terminal = new Terminal(options);
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.done;
    // What is wrong, and where help is, was said on stderr already.
    const said = error.message.replace(/^error: /, "");
    if (options.json) terminal.result({ ok: false, error: said }, []);
    return EXIT.usage;
  }
  if (error instanceof BadPublishedError) {
    const { folder, problems, problemCount, warnings } = error;
    terminal.problems("error", folder, problems, problemCount);
    terminal.message(`${error.message}; nothing was written`, "error");
    if (options.json) terminal.result({ ok: false, problemCount, problems, warnings }, []);
    return EXIT.badInput;
  }
  const { message } = error as Error;
  terminal.message(`crawldex: ${message}`, "error");
  if (options.json) terminal.result({ ok: false, error: message }, []);
  if (error instanceof SiteRefusedError) return EXIT.usage;
  if (error instanceof PublishedFolderError) return EXIT.badInput;
  if (error instanceof BadSnapshotError) return EXIT.badSnapshot;
  if (error instanceof StoreLockedError) return EXIT.locked;
  return EXIT.failed;
}
