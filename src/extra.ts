import type { Command } from "commander";
import type { ZodType } from "zod";
import type { SnapshotView } from "./answer/content.js";
import type { AnswerExtra } from "./answer/extra.js";
import type { Page, Rasterize } from "./answer/page-types.js";
import type { ExtensionDescription } from "./contract/openapi.js";
import type { Report } from "./contract/report.js";
import type { AddedFile } from "./export/documents.js";
import type { TreeKind } from "./export/headers.js";
import type { ExportOptions } from "./export/options.js";
import type { Option } from "./lib/options.js";
import { CORE_ROUTES, joinedPages, type NamedRoute } from "./pages/kit/routes.js";
import type { Adder, PublicationStart, VerifyFacts } from "./publish/additions.js";
import type { BuildSettings } from "./publish/options.js";
import type { EngineMaker } from "./server/load-snapshot.js";
import type { Log } from "./server/observer.js";
import type { ServeOptions } from "./server/options.js";
import type { StoreElsewhere } from "./server/server.js";
import type { Addition, Facts } from "./store/format.js";
import type { StoredSnapshot } from "./store/reader.js";
import type { SignManifest, VerifyManifest } from "./store/signature.js";
import type { ExtraSignOptions, ExtraVerifyOptions } from "./store/signers.js";

export { type AnswerExtra, downloadsOf, readsOf } from "./answer/extra.js";

/*
 * What an extra is: one folder of `src/extras`, which can be deleted with its line in `src/extras/index.ts` and its
 * tests. The core asks each extra of a list in turn, and names none of them.
 */

/** A thread that makes PNGs of SVGs. */
export interface Rasterizer {
  readonly rasterize: Rasterize;
  close(): Promise<void>;
}

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
  /** A command line that shows it, for the help of the command. */
  readonly example?: string;
}

/** The options of `serve` with their defaults, those of extras included. */
export type CheckedServeOptions = ServeOptions & { readonly log: Log };

/** How a command ends after an error: the names of the exit codes. */
export type ErrorExit = "failed" | "usage" | "badInput" | "badSnapshot" | "locked" | "refused";

/** What an extra adds to the whole program. */
export interface Extra extends AnswerExtra {
  /** The names of extras that it uses. They are deleted only together. */
  readonly needs?: readonly string[];
  /**
   * What it needs of each listing's latest report whenever a snapshot is published: a text that is stored with the row
   * of a listing in search, and goes with it. Equal texts of a segment are stored once. Loads nothing.
   */
  readonly gistOf?: (report: Report) => string;
  /** Begins what the extra adds to the next snapshot of a store. */
  readonly beginAddition?: (start: PublicationStart) => Promise<Adder>;
  /** Checks what the extra added to a snapshot. That the files have the right bytes is checked before. */
  readonly verifyAddition?: (snapshot: StoredSnapshot, facts: VerifyFacts) => Promise<void>;
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
  /** Opens a thread that does the work of `rasterize`, for a server. */
  readonly openRasterizer?: () => Promise<Rasterizer>;
  /** Whether the checked options of an export ask for the pictures of reports. */
  readonly exportsPictures?: (options: ExportOptions) => boolean;
  /** The files that it adds to a tree, besides those of pages. */
  readonly tree?: TreeExtra;
  /** The schemas of what it has commands of the core print with `--json`, by their names. */
  readonly results?: () => Promise<Readonly<Record<string, readonly ZodType[]>>>;
  /** Changes commands of the core, by their names. Only the command line loads it. */
  readonly changeCommands?: () => Promise<Readonly<Record<string, (command: Command) => void>>>;
  /** What a build does in place of what these settings say; undefined if its options ask for nothing else. */
  readonly changeBuild?: (settings: BuildSettings) => Promise<BuildSettings | undefined>;
  /** The names of files beside the documents of a published directory that it reads: they get no warning. */
  readonly inputFiles?: readonly string[];
  /**
   * Opens a store for `serve`, if it is at an address that the extra knows; undefined for a folder and other addresses.
   * @param onPublished called when another snapshot has become current in the store
   * @throws TypeError for a wrong address, or an option that does not go with it
   */
  readonly openStore?: (
    store: string,
    options: CheckedServeOptions,
    onPublished: () => void,
  ) => Promise<StoreElsewhere | undefined>;
  /**
   * What signs manifests, if the checked options of a function that publishes ask for it. The options are declared into
   * `ExtraSignOptions`.
   * @throws TypeError
   */
  readonly signer?: (options: ExtraSignOptions) => Promise<SignManifest | undefined>;
  /**
   * What checks signatures, if the checked options of a function that reads stores ask for it. The options are declared
   * into `ExtraVerifyOptions`.
   * @throws TypeError
   */
  readonly verifier?: (options: ExtraVerifyOptions) => Promise<VerifyManifest | undefined>;
  /** Adds options to a command, and what reads their values before the command runs. Loads no package. */
  readonly extendCommand?: (command: Command) => void;
}

/** What an extra adds to a tree of files. */
export interface TreeExtra {
  /** The kinds of its files. */
  readonly kinds: readonly TreeKind[];
  /** The content types of endings that no other file of a tree has. */
  readonly types?: Readonly<Record<string, string>>;
  /** The files that a snapshot has. @throws BadSnapshotError */
  files(snapshot: SnapshotView): Promise<readonly AddedFile[]>;
  /** What it adds to a tree's `data/`. */
  readonly data?: TreeData;
}

/** Files that an extra added to a snapshot, in a tree's `data/`. */
export interface TreeData {
  /** Whether a tree has a file. @param facts what the extra says of it */
  copies(facts: Facts): boolean;
  /** The files that each search reads before it can begin. @param files all files of the extra */
  readFirst(files: Addition["files"]): Addition["files"];
  /** Whether scripts need no tables if a tree has any of these files. */
  readonly replacesTables: boolean;
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

/** The routes of all pages of this process, in their order. */
export function pageRoutes(): NamedRoute[] {
  return joinedPages<NamedRoute>(CORE_ROUTES, installedPages());
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
