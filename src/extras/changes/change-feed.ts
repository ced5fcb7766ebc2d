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

/** A feed of changes. Addresses are relative to `/`. */
export interface ChangeFeedShown {
  /** The newest first. */
  readonly changes: readonly SearchChange[];
  /** Whose changes these are: `all sites`. */
  readonly about: string;
  /** What an item says has happened to its site. */
  readonly words: Readonly<Record<SearchChange["what"], string>>;
  /** The address of the feed, without its query. */
  readonly address: string;
  /** The query of the feed, without `?`; "" if it has none. */
  readonly query: string;
  /** The page that shows the same sites. */
  readonly home: string;
  /** The query of the next older items; null if there are none. */
  readonly next: string | null;
  /** Names of checks by their ids. */
  readonly checks: ReadonlyMap<string, string>;
}

/** What a change means for a search, and for a site itself. */
export const SEARCH_WORDS = { entered: "found now", left: "no longer found", changed: "changed" };
export const SITE_WORDS = { entered: "added", left: "removed", changed: "changed" };

/** The text of a feed of changes. */
export function changeFeed(
  form: FeedForm,
  { changes, about, words, address, query, home, next, checks }: ChangeFeedShown,
  context: PageContext,
): string {
  const at = (text: string) => absoluteLink(addressWith(address, text), context);
  const facts = {
    self: at(query),
    home: absoluteLink(home, context),
    title: `Changes of ${about} · ${oneLine(context.name)}`,
    next: next === null ? null : at(next),
  };
  const items = changes.map((change) => changeItem(change, words, checks, context));
  return feedText(form, facts, items, context);
}

/** An address with a query, which may be "". */
export function addressWith(path: string, query: string): string {
  return query === "" ? path : `${path}?${query}`;
}

function changeItem(
  { change, what, site }: SearchChange,
  words: ChangeFeedShown["words"],
  checks: ReadonlyMap<string, string>,
  context: PageContext,
): FeedItem {
  const { host, generation, publishedAt } = change;
  const score = site === null ? "" : `, ${feedScore(site, context)}`;
  const lines = [visible(site?.name ?? null), ...changeLines(change, checks)];
  return {
    id: `${context.siteUrl}/sites/${host}#publication-${generation}`,
    url: absoluteLink(site === null ? "" : `sites/${host}`, context),
    title: `${host}: ${words[what]}${score}`,
    text: shown(lines.filter((line) => line !== null).join("\n")),
    updated: publishedAt,
    category: site?.category ?? null,
  };
}

/** The score before and after a change; null if one is missing, or if their scoring versions cannot be compared. */
export function comparedScores({
  score,
  scoreVersion,
}: Pick<StoredChange, "score" | "scoreVersion">): {
  readonly from: number;
  readonly to: number;
} | null {
  const { from = null, to = null } = score ?? {};
  const isComparable = scoreVersion?.from === scoreVersion?.to;
  return isComparable && from !== null && to !== null ? { from, to } : null;
}

/** How a change has moved a score, in a sentence; null if it has not, or if the scores cannot be compared. */
function scoreLine(one: StoredChange): string | null {
  const { from = null, to = null } = one.score ?? {};
  if (from === to) return null;
  if (from === null) return `Score ${to} now, none before.`;
  if (to === null) return `Score ${from} before, none now.`;
  return comparedScores(one) && `Score ${from} before, ${to} now.`;
}

/** A change in sentences. @param names of checks, by their ids */
export function changeLines(one: StoredChange, names: ReadonlyMap<string, string>): string[] {
  const { change, score, checks } = one;
  if (change === "removed") return ["Removed from the directory."];
  const lines = change === "added" ? ["New in the directory."] : [];
  if (score === null || checks === null) return [...lines, "Its scans were corrected."];
  if (change === "added") return lines;
  const moved = scoreLine(one);
  if (moved !== null) lines.push(moved);
  const named = (ids: readonly string[]) =>
    listed(ids.map((id) => oneLine(visible(names.get(id) ?? null) ?? id)));
  const { gained, lost } = checks;
  if (gained.length > 0)
    lines.push(`Passes ${counted(gained.length, "more check")}: ${named(gained)}.`);
  if (lost.length > 0)
    lines.push(`No longer passes ${counted(lost.length, "check")}: ${named(lost)}.`);
  return lines;
}
