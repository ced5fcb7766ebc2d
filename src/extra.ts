import type { Extensions, SnapshotView } from "./answer/content.js";
import type { Page } from "./answer/page-types.js";
import type { ExtensionDescription } from "./contract/openapi.js";
import type { AddedFile } from "./export/documents.js";
import type { TreeKind } from "./export/headers.js";
import type { Downloads } from "./pages/kit/page-context.js";

/*
 * What an extra is: one folder of `src/extras`, which can be deleted with its line in `src/extras/index.ts` and its
 * tests. The core asks each extra of a list in turn, and names none of them.
 */

/** What an extra adds wherever requests are answered: in a server, at an edge, in an export. Needs nothing of Node. */
export interface AnswerExtra {
  /** The name of its folder. */
  readonly name: string;
  /** The reads beyond the contract, by name. */
  readonly reads?: Extensions;
  /** The pages, and the files for pages and crawlers, in the order of the navigation. */
  readonly pages?: readonly Page[];
  /** The files with all listings, to which pages link. */
  readonly downloads?: Downloads;
}

/** What an extra adds to the whole program. */
export interface Extra extends AnswerExtra {
  /** The names of extras that it uses. They are deleted only together. */
  readonly needs?: readonly string[];
  /** Loads what the description of the API says of its reads. */
  readonly descriptions?: () => Promise<readonly ExtensionDescription[]>;
  /** The files that it adds to a tree, besides those of pages. */
  readonly tree?: TreeExtra;
}

export interface TreeExtra {
  /** The kinds of its files. */
  readonly kinds: readonly TreeKind[];
  /** The content types of endings that no other file of a tree has. */
  readonly types?: Readonly<Record<string, string>>;
  /** The files that a snapshot has. @throws BadSnapshotError */
  files(snapshot: SnapshotView): Promise<readonly AddedFile[]>;
}

/** The files with all listings that extras add, for a directory's pages. */
export function downloadsOf(extras: readonly AnswerExtra[]): Downloads[] {
  return extras.flatMap(({ downloads }) => downloads ?? []);
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

/** The reads of some extras, by name. */
export function readsOf(extras: readonly AnswerExtra[]): Extensions {
  return Object.assign({}, ...extras.map(({ reads }) => reads));
}
