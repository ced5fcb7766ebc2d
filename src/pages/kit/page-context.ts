import type { FormerSlugs } from "../../contract/former.js";
import type { PublisherFacts } from "../../contract/publisher.js";
import type { Report } from "../../contract/report.js";
import type { Standards } from "../../contract/standards.js";
import type { Html } from "./html.js";
import type { LinkTo, TreeLinks } from "./links.js";
import { checkAddress } from "./page-names.js";
import type { NamedRoute } from "./routes.js";
import { visible } from "./words.js";

/** What pages know about their directory. */
export interface PageContext {
  /** The directory's name. */
  readonly name: string;
  /** The addresses of the API and of the pages, without a trailing slash. */
  readonly baseUrl: string;
  readonly siteUrl: string;
  readonly rubric: Standards["rubric"];
  /** Ids of the checks in the current methodology; a report may have checks that were dropped since. */
  readonly checkIds: readonly string[];
  /** Ids of the achievements in the current methodology, in its order. */
  readonly achievements: readonly string[];
  /** What each check of the current methodology is about, by its id. */
  readonly overviews: Readonly<Record<string, string>>;
  /** The slugs that renamed terms had before. Default: no term was renamed. */
  readonly former?: FormerSlugs | undefined;
  /** Who publishes the directory. Default: nothing is known. */
  readonly publisher?: PublisherFacts | undefined;
  /** False if the addresses beyond the contract are switched off. */
  readonly extensions?: false | undefined;
  /** The files with all listings that extras add. Default: none. */
  readonly downloads?: readonly Downloads[] | undefined;
  /** The routes of all pages of the program, in their order. Default: those of the core. */
  readonly pages?: readonly NamedRoute[] | undefined;
  /** Whether pages name pictures: each its own for other sites, and charts as PNG. Default: false. */
  readonly hasPictures?: boolean;
  /** Gives the pictures that other sites show. Default: there are none. */
  readonly socialImage?: SocialImageOf | undefined;
  /** The tree of files that the pages are in. Absent if a server answers with them. */
  readonly tree?: TreeLinks;
}

/** Files that each have all listings, in several formats. */
export interface Downloads {
  /** The address of the list of the files, relative to `/`. It has the size and the sha256 of each file. */
  readonly index: string;
  /** The names of the formats, as a sentence has them. */
  readonly formats: string;
  /** The latest files, with their addresses relative to `/`. */
  readonly files: readonly { readonly address: string; readonly contentType: string }[];
}

/** A picture that other sites show beside a link to a page (Open Graph). It is a PNG. */
export interface SocialImage {
  readonly url: string;
  /** The alternative text. */
  readonly text: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Gives the picture of a listing's latest report, or of the directory. @param report null for the directory */
export type SocialImageOf = (report: Report | null, context: PageContext) => SocialImage;

/** The language that pages declare, as a BCP 47 tag. */
export function languageOf({ publisher }: Pick<PageContext, "publisher">): string {
  return publisher?.lang ?? "en";
}

/** A page's context with the links of the page. */
export interface LinkedContext extends PageContext {
  readonly to: LinkTo;
}

/** The text of a page's link to the directory. */
export function homeText({ name }: Pick<PageContext, "name">): string {
  return visible(name) ?? "Directory";
}

/** A section of a page; the table of contents lists it. */
export interface Section {
  /** The section's id within the page. */
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** The id of a check's element on the methodology page and on a report. */
export function checkAnchor(checkId: string): string {
  return `check-${checkId}`;
}

/** Links to the page of a check; null for a check that the methodology does not have. */
export function checkLinks({ checkIds, to }: LinkedContext): (checkId: string) => string | null {
  const known = new Set(checkIds);
  return (checkId) => (known.has(checkId) ? to(checkAddress(checkId)) : null);
}

/**
 * Whether a host may be the example of the API page: Punycode is hard to read. The page takes the first such host, in
 * the store's order, whose report has a score.
 */
export function isExample(host: string): boolean {
  return !host.includes("xn--");
}
