import type { QueryReading } from "../contract/query.js";
import type { Report } from "../contract/report.js";
import type { EarlierShares } from "../pages/categories/categories-page.js";
import type { Html } from "../pages/kit/html.js";
import type { LinkedContext, PageContext, SocialImageOf } from "../pages/kit/page-context.js";
import type { Asset } from "../pages/kit/page-names.js";
import type { NamedRoute } from "../pages/kit/routes.js";
import type { PathPattern, Target } from "./address.js";
import type { Answer, Failed, TypedContent } from "./answer.js";
import type { Content, Failure, SnapshotView } from "./content.js";

/** A page, or a file for pages or crawlers: its address and headers, how its query is read, and what draws it. */
export interface Page extends NamedRoute {
  /** Reads the parameters besides `scan`, and gives them as a query in a fixed order. Default: there are none. */
  readonly readState?: ((query: string) => QueryReading<string>) | undefined;
  /** Loads what draws the page: the script of an edge worker starts without that. */
  readonly load: () => Promise<Drawing>;
  /** Loads what draws its section about the latest publications, for the page of trends. Default: there is none. */
  readonly latest?: () => Promise<SectionDrawing>;
  /** Loads what tells the figures of the publication before. Default: there are none. */
  readonly earlier?: () => Promise<EarlierFigures>;
}

/**
 * What tells the figures of the publication before, with which the list of categories compares its own; null if there
 * is none, or if its scores have another meaning.
 */
export type EarlierFigures = (snapshot: SnapshotView) => Promise<EarlierShares | null>;

/** Draws a section of another page. @param context with the links of that page */
export type SectionDrawing = (
  asked: Pick<AskedPage, "snapshot">,
  context: LinkedContext,
) => Promise<DrawnSection>;

interface DrawnSection {
  readonly section: Html;
  /** See `Content.until`. */
  readonly until?: number;
}

export interface Drawing {
  /**
   * Draws the page: its text or content; null if there is no such page. Rejects if a stored file is missing or damaged.
   */
  draw(asked: AskedPage): Promise<string | Content | Failure | null>;
  /**
   * The addresses of these pages in a directory, relative to `/`. Absent if the path has no parameter, or if that is a
   * host or the name of an asset.
   */
  readonly addresses?: (snapshot: SnapshotView) => Promise<readonly string[]>;
}

/** The files that pages use: the exports of the module that the compiler makes of them (`#scripts/texts`). */
interface PageFiles {
  /** Stylesheets, the icon and scripts, with their texts. */
  readonly ASSETS: readonly Asset[];
  /** The images of the directory's icon, in base64. */
  readonly ICON_IMAGES: Readonly<Record<"favicon" | "touchIcon", string>>;
}

/**
 * Makes a PNG of an SVG. The content is made when it is read; a failure if too many others are being made.
 */
export type Rasterize = (svg: string, snapshot: SnapshotView) => Promise<Content | Failure>;

/** The tools that draw the pages of a program. */
export interface Tools {
  /** All pages of the program, in their order. */
  readonly pages: readonly Page[];
  /** Loads the texts of the files that pages use. They are long: an edge worker loads them once a request needs one. */
  readonly assets: () => Promise<PageFiles>;
  /** Null if no extra makes pictures, or if they are switched off. */
  readonly rasterize: Rasterize | null;
  /** Loads what gives pages their pictures for other sites. Absent: they have none. */
  readonly socialImage?: (() => Promise<SocialImageOf>) | undefined;
  /** Makes a page in place of each report; null for the reports themselves. */
  readonly preview: ((report: Report, context: PageContext) => string) | null;
}

/** The page that a request asks for. */
export interface AskedPage {
  /** The path parameter, such as a report's host; "" if the address has none. */
  readonly own: string;
  readonly scan: string | undefined;
  /** The state of the page, as a query in a fixed order. */
  readonly query: string;
  readonly isMarkdown: boolean;
  readonly context: PageContext;
  readonly snapshot: SnapshotView;
  readonly tools: Tools;
}

/** The address of a page. */
export interface PageMatch {
  readonly page: Page;
  /** The path parameter as sent, such as a report's host or a file's name; null if the address has none. */
  readonly parameter: string | null;
}

/** The parameters on which a page depends. */
export interface PageQuery {
  /** The scan whose historical report is requested. */
  readonly scan: string | undefined;
  /** `scan`, or the page's state, as a query in a fixed order; "" if there is none. */
  readonly text: string;
}

/**
 * The pages beside the API, for the code that answers requests. Each rejects if a stored file is missing or damaged.
 */
export interface Pages {
  /** The routes of all pages, in their order. */
  readonly routes: readonly NamedRoute[];
  /** The addresses that an error may name. Their only parameter is a host. */
  readonly suggested: readonly PathPattern[];
  /** Finds the page at a path; null if there is none. */
  match(target: Target): PageMatch | null;
  /** Reads a page's query. Rejects an invalid `scan`, and ignores every other parameter that the page does not use. */
  readQuery(match: PageMatch, query: string): QueryReading<PageQuery>;
  /** Makes a page of a snapshot. @param wantsMarkdown whether the client asks for the page as Markdown */
  content(
    match: PageMatch,
    query: PageQuery,
    wantsMarkdown: boolean,
    snapshot: SnapshotView,
  ): Promise<TypedContent | Failure>;
  /**
   * Redirects to the page that an address means by a term's former slug, with the rest of its query; null if it has no
   * such slug, or if there is no such page.
   */
  renamed(
    match: PageMatch,
    query: PageQuery,
    target: string,
    snapshot: SnapshotView,
  ): Promise<Answer | null>;
  /**
   * The answer at a page's address that is not valid: a redirect if its host means a listing that has a report,
   * otherwise the failure, for a person.
   */
  misnamed(match: PageMatch, target: string, snapshot: SnapshotView): Promise<Answer | Failed>;
  /** Redirects from `/sites/<a whole web address>` to the report of its host; null if there is none. */
  pasted(target: string, snapshot: SnapshotView): Promise<Answer | null>;
  /**
   * The page that shows a person why there is nothing at an address; the error body if that is far below `/api`; at the
   * address of a badge, a badge that says so.
   * @param match null if there is no such address
   * @param target the request target as sent
   * @param snapshot where the page looks for sites that the client may have meant; null for none
   */
  failure(
    failed: Failed,
    match: PageMatch | null,
    target: string,
    snapshot: SnapshotView | null,
  ): Promise<Answer>;
  /**
   * Redirects a client permanently to another address, with the same method.
   * @param location relative to the address that was asked for
   * @param isForBrowsers whether programs get another answer
   */
  redirect(location: string, isForBrowsers?: boolean): Promise<Answer>;
}
