import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Command, Option } from "commander";
import { messageOf } from "../src/files/errors.js";
import type { LingeringSnapshot } from "../src/publish/clean-up.js";
import type { BuildChanges } from "../src/publish/removals.js";
import type { ExtraSignOptions } from "../src/store/signers.js";
import { count, type OutputOptions, plural, type Terminal } from "./terminal.js";

/* Commands that publish: their result in sentences, and `--then`. */

/** The options of a command that publishes. */
export interface PublicationOptions extends OutputOptions {
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
  { json = false, then }: PublicationOptions,
  result: { readonly id: string | null },
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

/**
 * `15 listings not in search: 3 removed, 12 unscanned`
 * @param counts how many listings each reason keeps out of search
 * @returns null if there are none
 */
export function leftOutSentence(counts: Readonly<Record<string, number>>): string | null {
  const found = Object.entries(counts).filter(([, listings]) => listings > 0);
  const total = found.reduce((sum, [, listings]) => sum + listings, 0);
  const reasons = found.map(([why, listings]) => `${count(listings)} ${why}`).join(", ");
  return total === 0 ? null : `${plural(total, "listing")} not in search: ${reasons}`;
}

/** Says until when former snapshots stay that are to be deleted. */
export function lingeringSentences(lingering: readonly LingeringSnapshot[]): string[] {
  return lingering.map(
    ({ id, until }) =>
      `former snapshot ${id} stays until ${until}, since servers may still read it; a run after that deletes it`,
  );
}

/** The number of a publication, and whether it was signed. */
export function generationSentence(generation: number, wasSigned: boolean): string {
  return wasSigned ? `signed as generation ${generation}` : `generation ${generation}`;
}

/** Whether a command that publishes signs what it publishes. @param options those of its function */
export async function isSigned(options: ExtraSignOptions): Promise<boolean> {
  const { signerFor } = await import("../src/store/signers.js");
  return (await signerFor(options)) !== undefined;
}

/** `2,000 reports (1,900 in search), 12 historical` */
export function reportsSentence({
  reports,
  searchable,
  historical,
}: Readonly<Record<"reports" | "searchable" | "historical", number>>): string {
  return `${plural(reports, "report")} (${count(searchable)} in search), ${count(historical)} historical`;
}

/** `+12 listings, 340 changed, 2 gone; scores: 290 up, 31 down, 3 lost` */
export function changesSentence({ added, changed, gone, scores }: BuildChanges): string {
  if (added + changed + gone === 0) return "no listing changed";
  const { up, down, lost, gained } = scores;
  const listings = `+${plural(added, "listing")}, ${count(changed)} changed, ${count(gone)} gone`;
  if (up + down + lost + gained === 0) return listings;
  const more = gained === 0 ? "" : `, ${count(gained)} gained`;
  return `${listings}; scores: ${count(up)} up, ${count(down)} down, ${count(lost)} lost${more}`;
}
