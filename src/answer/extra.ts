import type { Downloads, SocialImageOf } from "../pages/kit/page-context.js";
import type { VerifyManifest } from "../store/signature.js";
import type { Extensions } from "./content.js";
import type { Page, Rasterize } from "./page-types.js";
import type { OpenSearch } from "./search-source.js";

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
  /** Makes PNGs of SVGs, for the pages of all. One extra has it. */
  readonly rasterize?: Rasterize;
  /** Loads what gives pages the pictures that other sites show beside links to them. It needs `rasterize`. */
  readonly socialImage?: () => Promise<SocialImageOf>;
  /** At an edge and in pages, opens an engine that needs fewer files than the tables. One extra has it. */
  readonly searchEngine?: OpenSearch;
  /** At an edge, checks the signature of each snapshot, which does not answer before. */
  readonly verifyManifest?: VerifyManifest;
}

/** The files with all listings that some extras add. */
export function downloadsOf(extras: readonly AnswerExtra[]): Downloads[] {
  return extras.flatMap(({ downloads }) => downloads ?? []);
}

/** The reads of some extras, by name. */
export function readsOf(extras: readonly AnswerExtra[]): Extensions {
  return Object.assign({}, ...extras.map(({ reads }) => reads));
}
