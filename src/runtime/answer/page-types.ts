import type { QueryReading } from "../../contract/query.js";
import type { PageName } from "../../pages/kit/routes.js";
import type { Match, PathPattern, Target } from "./address.js";
import type { Answer, Failed, TypedContent } from "./answer.js";
import type { Failure, SnapshotView } from "./content.js";

/** The address of a page, or of a file that pages use. Its parameter is a report's host or a file's name. */
export type PageMatch = Match<PageName>;

/** The parameters on which a page depends. */
export interface PageQuery {
  /** The scan whose historical report is requested. */
  readonly scan: string | undefined;
  /** `scan`, the explorer's state or a badge's look, as a query in a fixed order; "" if there is none. */
  readonly text: string;
}

/**
 * The pages beside the API, for the code that answers requests. Each rejects if a stored file is missing or damaged.
 */
export interface Pages {
  /** The addresses that an error may name. Their only parameter is a host. */
  readonly named: readonly PathPattern[];
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
  redirect(location: string, isForBrowsers: boolean): Promise<Answer>;
}
