import type { Command } from "commander";
import type { ZodType } from "zod";
import type { AnswerExtra } from "./answer/extra.js";
import type { Page } from "./answer/page-types.js";
import type { ExtensionDescription } from "./contract/openapi.js";
import type { Option } from "./lib/options.js";
import type { EngineMaker } from "./server/load-snapshot.js";
import type { Log } from "./server/observer.js";
import type { ServeOptions } from "./server/options.js";

export { type AnswerExtra, readsOf } from "./answer/extra.js";

/*
 * What an extra is: one folder of `src/extras`, which can be deleted with its line in `src/extras/index.ts` and its
 * tests. The core asks each extra of a list in turn, and names none of them.
 */

/** A command of an extra, in its `command.ts`. */
export interface ExtraCommand {
  readonly command: Command;
  /** The name of the command that it follows in the help. */
  readonly after: string;
  /** The schemas of what it prints with `--json`, apart from the failure that every command has. */
  readonly results: () => Promise<readonly ZodType[]>;
}

/** An option that an extra adds to a function of the core. */
export interface ExtraOption<T = unknown> extends Option<T> {
  /** The name of the option that it follows in the help. */
  readonly after: string;
}

/** The options of `serve` with their defaults, those of extras included. */
export type CheckedServeOptions = ServeOptions & { readonly log: Log };

/** How a command ends after an error: the names of the exit codes. */
export type ErrorExit = "failed" | "usage" | "badInput" | "badSnapshot" | "locked" | "refused";

/** What an extra adds to the whole program. */
export interface Extra extends AnswerExtra {
  /** The names of extras that it uses. They are deleted only together. */
  readonly needs?: readonly string[];
  /** Loads what the description of the API says of its reads. */
  readonly descriptions?: () => Promise<readonly ExtensionDescription[]>;
  /** Its commands. Only the command line loads them. */
  readonly commands?: () => Promise<readonly ExtraCommand[]>;
  /** How commands end after its errors, by the names of the errors. */
  readonly exits?: Readonly<Record<string, ErrorExit>>;
  /**
   * The options that it adds, by the names of functions, such as `serve`: checked with those of the function, and taken
   * by its command. Their types are declared into an interface of the function, such as `ExtraServeOptions`.
   */
  readonly options?: Readonly<Record<string, Readonly<Record<string, ExtraOption>>>>;
  /**
   * An engine that answers searches in place of ours, if the checked options of `serve` ask for it.
   * @throws TypeError
   */
  readonly engine?: (options: CheckedServeOptions) => Promise<EngineMaker | undefined>;
}

let installed: readonly Extra[] = [];
let described: Promise<readonly ExtensionDescription[]> | undefined;

/**
 * Gives this process its extras. The command line, the library and the threads of both do so, with the list of
 * `src/extras/index.ts`. The fetch handler is given extras as values instead.
 */
export function installExtras(extras: readonly Extra[]): void {
  installed = extras;
  described = undefined;
}

/** The pages of this process's extras. */
export function installedPages(): readonly Page[] {
  return installed.flatMap(({ pages = [] }) => pages);
}

/** The extras of this process, in their order. */
export function installedExtras(): readonly Extra[] {
  return installed;
}

/** What the description of the API says of the reads of this process's extras. The same list each time. */
export function installedDescriptions(): Promise<readonly ExtensionDescription[]> {
  described ??= Promise.all(
    installed.map(async ({ descriptions }) => (await descriptions?.()) ?? []),
  ).then((lists) => lists.flat());
  return described;
}
