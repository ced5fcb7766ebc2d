import type { ExtraRead } from "./answer/content.js";
import type { Page, Rasterize } from "./answer/page-types.js";
import type { PageOptions } from "./answer/pages.js";
import type { SocialImageOf } from "./pages/kit/page-context.js";

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
  /** Makes PNGs of SVGs, for the pages of all. One extra has it. */
  readonly rasterize?: Rasterize;
  /** Loads what gives pages the pictures that other sites show beside links to them. It needs `rasterize`. */
  readonly socialImage?: () => Promise<SocialImageOf>;
}

/** A thread that makes PNGs of SVGs. */
export interface Rasterizer {
  readonly rasterize: Rasterize;
  close(): Promise<void>;
}

/** What an extra adds to the whole program. */
export interface Extra extends AnswerExtra {
  /** The names of extras that it uses. They are deleted only together. */
  readonly needs?: readonly string[];
  /** Opens a thread that does the work of `rasterize`, for a server. */
  readonly openRasterizer?: () => Promise<Rasterizer>;
}

/** The options of `pagesOf` that some extras give. */
export function pageOptionsOf(extras: readonly AnswerExtra[]): PageOptions {
  const drawing = extras.find(({ rasterize }) => rasterize !== undefined);
  return {
    extra: extras.flatMap(({ pages = [] }) => pages),
    rasterize: drawing?.rasterize,
    socialImage: drawing?.socialImage,
  };
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

/** The extras of this process, in their order. */
export function installedExtras(): readonly Extra[] {
  return installed;
}
