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
import { type Content, madeContent, type SnapshotView } from "../answer/content.js";
import { standardsOf } from "../answer/page-facts.js";
import { cursorAt } from "./changes.js";

const decoder = new TextDecoder();

/** Changes between two pauses for other requests. */
const IN_A_ROW = 1_000;

export async function searchFeedContent(
  form: FeedForm,
  query: SearchFeedQuery,
  snapshot: SnapshotView,
): Promise<Content> {
  const { feedItems } = EXTENSION_LIMITS;
  const filters = queryText(ListingFilters, query);
  const found: SearchChange[] = [];
  for await (const change of searchChanges(query, filters === "", snapshot)) {
    if (isOlder(change.change, query.before)) found.push(change);
    if (found.length > feedItems) break;
  }
  const changes = found.slice(0, feedItems);
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

/**
 * What the last changes mean for a search, the newest first. Goes back from what each site is now: a change tells what it
 * was before.
 */
async function* searchChanges(
  query: SearchFeedQuery,
  isEverything: boolean,
  snapshot: SnapshotView,
): AsyncGenerator<SearchChange> {
  const engine = await snapshot.engine;
  const sites = new Map<string, SiteSummary | null>();
  const states = new Map<string, SiteState>();
  for await (const change of lastChanges(snapshot)) {
    const { host } = change;
    let site = sites.get(host);
    if (site === undefined) {
      const json = await engine.summaryOf(host);
      site = json === undefined ? null : (JSON.parse(decoder.decode(json)) as SiteSummary);
      sites.set(host, site);
      states.set(host, site === null ? "absent" : filteredFacts(site));
    }
    const after = states.get(host) ?? null;
    const before = stateBefore(change, after);
    states.set(host, before);
    const what = meaningOf(change, before, after, query, isEverything);
    if (what !== null) yield { change, what, site };
  }
}

function stateBefore(change: StoredChange, after: SiteState): SiteState {
  if (change.change === "added") return "absent";
  // What a removed site was is not kept.
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

/** Whether a change is one of facts that a feed names. */
function isVisible({ score, band, checks, was }: StoredChange): boolean {
  if (score === null || band === null || checks === null || was !== null) return true;
  const isMoved = score.from !== score.to || band.from !== band.to;
  return isMoved || checks.gained.length > 0 || checks.lost.length > 0;
}
