import type { ExtraRead } from "./answer/content.js";
import type { Page } from "./answer/page-types.js";
import { CORE_ROUTES, joinedPages, type NamedRoute } from "./pages/kit/routes.js";

/*
 * What an extra is: one folder of `src/extras`, which can be deleted with its line in `src/extras/index.ts` and its
 * tests. The core asks each extra of a list in turn, and names none of them.
 */

/** What an extra adds wherever requests are answered: in a server, at an edge, in an export. Needs nothing of Node. */
export interface AnswerExtra {
  /** The name of its folder. */
  readonly name: string;
  /** The reads beyond the contract, by name. */
  readonly reads?: Readonly<Record<string, ExtraRead>>;
  /** The pages, and the files for pages and crawlers, in the order of the navigation. */
  readonly pages?: readonly Page[];
}

/** What an extra adds to the whole program. */
export interface Extra extends AnswerExtra {
  /** The names of extras that it uses. They are deleted only together. */
  readonly needs?: readonly string[];
}

let installed: readonly Extra[] = [];

/**
 * Gives this process its extras. The command line, the library and the threads of both do so, with the list of
 * `src/extras/index.ts`. The fetch handler is given extras as values instead.
 */
export function installExtras(extras: readonly Extra[]): void {
  installed = extras;
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
