import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Facets, SiteSummary } from "../../../src/contract/listing.js";
import type { ListingFilters, SearchQuery } from "../../../src/contract/query.js";
import { ROOT } from "../engine/paths.js";
import { type Fields, fold } from "../engine/text.js";

/** A listing as peers get it: what may be made beforehand is made. */
export interface Entry {
  readonly summary: SiteSummary;
  readonly folded: Fields;
  /** Place in each order. */
  readonly places: Readonly<Record<Sort, number>>;
  readonly summaryJson: string;
  readonly suggestionJson: string;
}

export type Sort = SearchQuery["sort"];
export const SORTS: readonly Sort[] = ["score", "score-asc", "host", "recent"];

export interface Catalog {
  /** In the default order. */
  readonly entries: readonly Entry[];
  /** By order, the entries' numbers. */
  readonly orders: Readonly<Record<Sort, readonly number[]>>;
  /** What facets count; its counts are those of all listings. */
  readonly facets: Facets;
}

/** Loads a package of the peers' own, which the project's type check does not know. */
export function requirePeer<T>(name: string): T {
  return createRequire(join(ROOT, "test/bench/peers/package.json"))(name) as T;
}

/** Reads what `prepare` wrote. */
export function readCatalog(folder: string): Catalog {
  const summaries = readFileSync(join(folder, "listings.ndjson"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as SiteSummary);
  const byHost = (a: SiteSummary, b: SiteSummary) => (a.host < b.host ? -1 : 1);
  const score = ({ latestScore }: SiteSummary) => latestScore ?? -1;
  summaries.sort((a, b) => score(b) - score(a) || byHost(a, b));
  const order = (compare: (a: SiteSummary, b: SiteSummary) => number) =>
    [...summaries.keys()].sort(
      (a, b) => compare(summaries[a]!, summaries[b]!) || byHost(summaries[a]!, summaries[b]!),
    );
  const instant = ({ latestScannedAt }: SiteSummary) => Date.parse(latestScannedAt ?? "1970");
  const ascending = ({ latestScore }: SiteSummary) => latestScore ?? 101;
  const orders = {
    score: [...summaries.keys()],
    "score-asc": order((a, b) => ascending(a) - ascending(b)),
    host: order(() => 0),
    recent: order((a, b) => instant(b) - instant(a)),
  };
  const { data } = JSON.parse(readFileSync(join(folder, "facets.json"), "utf8")) as {
    data: Facets;
  };
  return { entries: entriesOf(summaries, orders), orders, facets: data };
}

function entriesOf(summaries: readonly SiteSummary[], orders: Catalog["orders"]): Entry[] {
  const places = summaries.map(() => ({ score: 0, "score-asc": 0, host: 0, recent: 0 }));
  for (const sort of SORTS) {
    for (const [place, number] of orders[sort].entries()) places[number]![sort] = place;
  }
  return summaries.map((summary, number) => {
    const { host, name, tagline, logoUrl } = summary;
    return {
      summary,
      folded: [fold(host), fold(name ?? ""), fold(tagline ?? "")],
      places: places[number]!,
      summaryJson: JSON.stringify(summary),
      suggestionJson: JSON.stringify({ host, name, logoUrl }),
    };
  });
}

/** The numbers of the entries in a range of scores: they are neighbours, unscored ones come after them. */
export function scoreRange(
  { entries }: Catalog,
  query: ListingFilters,
): [from: number, to: number] {
  const { minScore, maxScore } = query;
  if (minScore === undefined && maxScore === undefined) return [0, entries.length];
  const firstBelow = (score: number): number => {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((entries[middle]!.summary.latestScore ?? -1) < score) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return [firstBelow((maxScore ?? 100) + 1), firstBelow(minScore ?? 0)];
}
