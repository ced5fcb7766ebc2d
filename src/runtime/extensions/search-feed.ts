import type { StoredChange } from "../../contract/change-feed.js";
import { cursorText, readCursor } from "../../contract/changes.js";
import { EXTENSION_LIMITS, type SearchFeedQuery } from "../../contract/extensions.js";
import type { SiteSummary } from "../../contract/listing.js";
import {
  type FilteredFacts,
  factsBefore,
  filteredFacts,
  isFound,
} from "../../contract/matching.js";
import { ListingFilters, queryText } from "../../contract/query.js";
import { changeFeed, type SearchChange } from "../../pages/feeds/change-feed.js";
import type { FeedForm } from "../../pages/kit/page-names.js";
import {
  type Content,
  madeContent,
  madeJson,
  madeOnce,
  type SnapshotView,
} from "../answer/content.js";
import { standardsOf, summariesOf } from "../answer/page-facts.js";
import { cursorAt } from "./changes.js";

/** Changes between two pauses for other requests. */
const IN_A_ROW = 1_000;

export async function searchFeedContent(
  form: FeedForm,
  query: SearchFeedQuery,
  snapshot: SnapshotView,
): Promise<Content> {
  const { feedItems } = EXTENSION_LIMITS;
  const filters = queryText(ListingFilters, query);
  const found: FoundChange[] = [];
  for await (const change of searchChanges(query, filters === "", snapshot)) {
    if (isOlder(change.change, query.before)) found.push(change);
    if (found.length > feedItems) break;
  }
  const shown = found.slice(0, feedItems);
  const engine = await snapshot.engine;
  const sites = await summariesOf(
    shown.map(({ change }) => change.host),
    engine,
  );
  const changes = shown.map((one, at): SearchChange => ({ ...one, site: sites[at] ?? null }));
  const last = changes.at(-1)?.change;
  const before =
    found.length > feedItems && last !== undefined
      ? cursorText({ ...cursorAt(last.generation, snapshot.history), host: last.host })
      : null;
  const { checks } = await standardsOf(snapshot);
  const text = changeFeed(
    form,
    {
      ...{ changes, q: query.q ?? "", query: filters },
      next: before === null ? null : [filters, `before=${before}`].filter(Boolean).join("&"),
      checks: new Map(checks.map(({ id, name }) => [id, name])),
    },
    snapshot.directory,
  );
  return madeContent(text, snapshot);
}

/** Whether a change is before a position. */
function isOlder({ generation, host }: StoredChange, before: string | undefined): boolean {
  if (before === undefined) return true;
  const at = readCursor(before);
  return generation < at.generation || (generation === at.generation && host < (at.host ?? ""));
}

/** A site between two changes: in search with these facts, or not in search; null if that is not known. */
type SiteState = FilteredFacts | "absent" | null;

/** The changes that a feed looks at, the newest first. */
async function* lastChanges(snapshot: SnapshotView): AsyncGenerator<StoredChange> {
  let seen = 0;
  for (const file of snapshot.history.changes.toReversed()) {
    for (const change of (await snapshot.changesIn(file)).toReversed()) {
      if (change.generation <= snapshot.history.since) return;
      if (seen === EXTENSION_LIMITS.feedChangesMax) return;
      seen += 1;
      if (seen % IN_A_ROW === 0) await snapshot.pause();
      yield change;
    }
  }
}

type FoundChange = Pick<SearchChange, "change" | "what">;

/** The current states of all sites that a feed may look at. Reading them takes a fifth of a second in all. */
const statesNow = madeOnce(async (snapshot: SnapshotView) => {
  const hosts = new Set<string>();
  for await (const { host } of lastChanges(snapshot)) hosts.add(host);
  const engine = await snapshot.engine;
  const found = await engine.summariesOf([...hosts]);
  const states = new Map<string, FilteredFacts>();
  let seen = 0;
  for (const json of found) {
    seen += 1;
    if (seen % IN_A_ROW === 0) await snapshot.pause();
    if (json === undefined) continue;
    const site = madeJson<SiteSummary>(json);
    states.set(site.host, filteredFacts(site));
  }
  return states;
});

/**
 * What the last changes mean for a search, the newest first. Goes back from the current state of each site: a change
 * tells the state before it.
 */
async function* searchChanges(
  query: SearchFeedQuery,
  isEverything: boolean,
  snapshot: SnapshotView,
): AsyncGenerator<FoundChange> {
  const known = await statesNow(snapshot);
  const states = new Map<string, SiteState>();
  for await (const change of lastChanges(snapshot)) {
    const { host } = change;
    const now = known.get(host) ?? "absent";
    const later = states.get(host);
    const after = later === undefined ? now : later;
    const before = stateBefore(change, after);
    states.set(host, before);
    const what = meaningOf(change, before, after, query, isEverything);
    if (what !== null) yield { change, what };
  }
}

function stateBefore(change: StoredChange, after: SiteState): SiteState {
  if (change.change === "added") return "absent";
  // The former state of a removed site is not stored.
  return after === null || after === "absent" ? null : factsBefore(after, change);
}

/** What a change means for a search; null if nothing. */
function meaningOf(
  change: StoredChange,
  before: SiteState,
  after: SiteState,
  query: SearchFeedQuery,
  isEverything: boolean,
): SearchChange["what"] | null {
  if (change.change === "removed") return isEverything ? "left" : null;
  if (after === null || after === "absent") return null;
  const is = isFound(after, query);
  if (before === "absent") return is ? "entered" : null;
  const was = before === null ? is : isFound(before, query);
  if (was !== is) return is ? "entered" : "left";
  return is && isVisible(change) ? "changed" : null;
}

/** Whether a change is about facts that a feed names. */
function isVisible({ score, band, checks, was }: StoredChange): boolean {
  if (score === null || band === null || checks === null || was !== null) return true;
  const isMoved = score.from !== score.to || band.from !== band.to;
  return isMoved || checks.gained.length > 0 || checks.lost.length > 0;
}
