import type { SiteSummary } from "../../contract/listing.js";
import { type FeedItem, feedScore, feedText } from "../../pages/feeds/feed.js";
import { oneLine, shown } from "../../pages/kit/escape.js";
import { absoluteLink } from "../../pages/kit/links.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import type { FeedForm } from "../../pages/kit/page-names.js";
import { counted, listed, visible } from "../../pages/kit/words.js";
import type { StoredChange } from "./stored-change.js";

/** What a change means for a search. */
export interface SearchChange {
  readonly change: StoredChange & { readonly host: string };
  readonly what: "entered" | "left" | "changed";
  /** The site as it is now; null if it is not in search. */
  readonly site: SiteSummary | null;
}

/** A search's feed. */
export interface ChangeFeedShown {
  /** The newest first. */
  readonly changes: readonly SearchChange[];
  /** The text of the search; "" if it has none. */
  readonly q: string;
  /** The filters of the search as a query, without `?`; "" if there are none. */
  readonly query: string;
  /** The query of the next older items; null if there are none. */
  readonly next: string | null;
  /** Names of checks by their ids. */
  readonly checks: ReadonlyMap<string, string>;
}

/** The text of a search's feed. */
export function changeFeed(
  form: FeedForm,
  { changes, q, query, next, checks }: ChangeFeedShown,
  context: PageContext,
): string {
  const address = (path: string, text: string) =>
    absoluteLink(`${path}${text === "" ? "" : "?"}${text}`, context);
  const name = oneLine(context.name);
  const about = query === "" ? "all sites" : q === "" ? "a search" : `“${oneLine(q)}”`;
  const facts = {
    self: address(`search-feed.${form}`, query),
    home: address("", query),
    title: `Changes of ${about} · ${name}`,
    next: next === null ? null : address(`search-feed.${form}`, next),
  };
  const items = changes.map((change) => changeItem(change, checks, context));
  return feedText(form, facts, items, context);
}

const WHAT = { entered: "found now", left: "no longer found", changed: "changed" } as const;

function changeItem(
  { change, what, site }: SearchChange,
  checks: ReadonlyMap<string, string>,
  context: PageContext,
): FeedItem {
  const { host, generation, publishedAt } = change;
  const score = site === null ? "" : `, ${feedScore(site, context)}`;
  const lines = [visible(site?.name ?? null), ...changeLines(change, checks)];
  return {
    id: `${context.siteUrl}/sites/${host}#publication-${generation}`,
    url: absoluteLink(site === null ? "" : `sites/${host}`, context),
    title: `${host}: ${WHAT[what]}${score}`,
    text: shown(lines.filter((line) => line !== null).join("\n")),
    updated: publishedAt,
    category: site?.category ?? null,
  };
}

/** A change in sentences. */
function changeLines(
  { change, score, scoreVersion, checks }: StoredChange,
  names: ReadonlyMap<string, string>,
): string[] {
  if (change === "removed") return ["Removed from the directory."];
  const lines = change === "added" ? ["New in the directory."] : [];
  if (score === null || checks === null) return [...lines, "Its scans were corrected."];
  const isComparable = scoreVersion?.from === scoreVersion?.to;
  if (isComparable && score.from !== null && score.to !== null && score.from !== score.to)
    lines.push(`Score ${score.from} before, ${score.to} now.`);
  if (change === "added") return lines;
  const named = (ids: readonly string[]) =>
    listed(ids.map((id) => oneLine(visible(names.get(id) ?? null) ?? id)));
  const { gained, lost } = checks;
  if (gained.length > 0)
    lines.push(`Passes ${counted(gained.length, "more check")}: ${named(gained)}.`);
  if (lost.length > 0)
    lines.push(`No longer passes ${counted(lost.length, "check")}: ${named(lost)}.`);
  return lines;
}
