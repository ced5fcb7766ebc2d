import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Command, Option } from "commander";
import { messageOf } from "../src/files/errors.js";
import type { OutputOptions, Terminal } from "./terminal.js";

/** The options of a command that publishes. */
export interface ThenOptions extends OutputOptions {
  readonly then?: string;
}

/** Lets a command take `--then`: a shell command that runs after each publication. */
export function takesThen<C extends Command>(command: C): C {
  const option = new Option(
    "--then <command>",
    "run this shell command after the publication, with the result as JSON on its input",
  );
  return command.addOption(option.conflicts("dryRun"));
}

/** A snapshot is current, but the command of `--then` has failed. */
class ThenFailedError extends Error {
  override readonly name = "ThenFailedError";
}

/**
 * Prints the result of a publication and runs the command of `--then`. With `--json`, prints the result last, because
 * only one object may be printed, which may be an error.
 * @param lines the result for people
 * @param signal ends the command early
 * @throws ThenFailedError
 */
export async function finishPublication(
  terminal: Terminal,
  { json = false, then }: ThenOptions,
  result: { readonly id: string },
  lines: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (!json) terminal.result(result, lines);
  if (then !== undefined) {
    const how = await failureOf(then, result, signal);
    if (how !== null) {
      throw new ThenFailedError(`snapshot ${result.id} is current, but --then failed: ${how}`);
    }
  }
  if (json) terminal.result(result, lines);
}

/** @returns how the command failed; null if it did not */
async function failureOf(
  command: string,
  result: object,
  signal: AbortSignal,
): Promise<string | null> {
  // The command's output goes to stderr, because stdout is for the result alone.
  const child = spawn(command, { shell: true, stdio: ["pipe", 2, 2], signal });
  // A command that does not read its input has not failed.
  child.stdin?.on("error", () => {});
  child.stdin?.end(`${JSON.stringify(result)}\n`);
  try {
    const [code, killedBy] = await once(child, "close");
    if (code === 0) return null;
    return killedBy === null ? `it exited with ${code}` : `it was ended by ${killedBy}`;
  } catch (error) {
    return messageOf(error);
  }
}
