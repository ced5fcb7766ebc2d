import type { AnswerExtra } from "./answer/extra.js";
import type { Page } from "./answer/page-types.js";
import type { ExtensionDescription } from "./contract/openapi.js";
import type { Adder, PublicationStart } from "./publish/additions.js";
import type { StoredSnapshot } from "./store/reader.js";
import type { VerifyFacts } from "./upkeep/verify.js";

/*
 * What an extra is: one folder of `src/extras`, which can be deleted with its line in `src/extras/index.ts` and its
 * tests. The core asks each extra of a list in turn, and names none of them.
 */

/** What an extra adds to the whole program. */
export interface Extra extends AnswerExtra {
  /** The names of extras that it uses. They are deleted only together. */
  readonly needs?: readonly string[];
  /** Begins what the extra adds to the next snapshot of a store. */
  readonly beginAddition?: (start: PublicationStart) => Promise<Adder>;
  /** Checks what the extra added to a snapshot. That the files have the right bytes is checked before. */
  readonly verifyAddition?: (snapshot: StoredSnapshot, facts: VerifyFacts) => Promise<void>;
  /** Loads what the description of the API says of its reads. */
  readonly descriptions?: () => Promise<readonly ExtensionDescription[]>;
}

export { type AnswerExtra, readsOf } from "./answer/extra.js";

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
