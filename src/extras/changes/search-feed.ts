import { type Content, madeContent, madeOnce, type SnapshotView } from "../../answer/content.js";
import { type Documents, standardsOf, summariesOf } from "../../answer/page-facts.js";
import {
  type FilteredFacts,
  factsBefore,
  filteredFacts,
  isFound,
  mayHaveFound,
} from "../../contract/filters.js";
import type { SiteSummary } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import { ListingFilters, queryText } from "../../contract/query.js";
import { addTo } from "../../contract/tables.js";
import { oneLine } from "../../pages/kit/escape.js";
import type { FeedForm } from "../../pages/kit/page-names.js";
import { storedJson } from "../../store/stored-json.js";
import { changesOf, readChanges } from "./addition.js";
import {
  addressWith,
  type ChangeFeedShown,
  changeFeed,
  SEARCH_WORDS,
  type SearchChange,
} from "./change-feed.js";
import { cursorAt, isNamed, type NamedChange, untilUnnamed } from "./changes.js";
import { withCurrentTerms } from "./current-terms.js";
import { cursorText, readCursor } from "./cursor.js";
import { CHANGES_LIMITS, type SearchFeedQuery } from "./reads.js";
import type { StoredChange } from "./stored-change.js";

/** Changes between two pauses for other requests. */
const IN_A_ROW = 250;

export async function searchFeedContent(
  form: FeedForm,
  query: SearchFeedQuery,
  snapshot: SnapshotView,
): Promise<Content> {
  const filters = queryText(ListingFilters, query);
  const { q = "" } = query;
  const about = filters === "" ? "all sites" : q === "" ? "a search" : `“${oneLine(q)}”`;
  const feed = { about, words: SEARCH_WORDS, address: `search-feed.${form}`, query: filters };
  const found = searchChanges(query, filters === "", snapshot);
  const home = addressWith("", filters);
  return feedContent(form, { ...feed, home }, found, query.before, snapshot);
}

/** What a feed is about, whatever its items are. */
type FeedSubject = Omit<ChangeFeedShown, "changes" | "next" | "checks">;

/**
 * The content of a feed.
 * @param found its items, the newest first
 * @param before the cursor of an earlier answer, which the items are older than
 */
export async function feedContent(
  form: FeedForm,
  subject: FeedSubject,
  found: AsyncIterable<FoundChange> | Iterable<FoundChange>,
  before: string | undefined,
  snapshot: SnapshotView,
): Promise<Content> {
  const { feedItems } = CHANGES_LIMITS;
  const older: FoundChange[] = [];
  for await (const one of found) {
    if (isOlder(one.change, before)) older.push(one);
    if (older.length > feedItems) break;
  }
  const shown = older.slice(0, feedItems);
  const hosts = shown.map(({ change }) => change.host);
  const sites = await summariesOf(hosts, await snapshot.engine);
  const changes = shown.map((one, at): SearchChange => ({ ...one, site: sites[at] ?? null }));
  const last = changes.at(-1)?.change;
  const cursor =
    older.length > feedItems && last !== undefined
      ? cursorText({ ...cursorAt(last.generation, snapshot.history), host: last.host })
      : null;
  const next =
    cursor === null ? null : [subject.query, `before=${cursor}`].filter(Boolean).join("&");
  const checks = await checkNames(snapshot);
  const text = changeFeed(form, { ...subject, changes, next, checks }, snapshot.directory);
  const content = await madeContent(text, snapshot);
  return { ...content, ...untilUnnamed(shown.map(({ change }) => change)) };
}

/** Names of checks, by their ids. */
export async function checkNames(snapshot: Documents): Promise<ReadonlyMap<string, string>> {
  const { checks } = await standardsOf(snapshot);
  return new Map(checks.map(({ id, name }) => [id, name]));
}

/** Whether a change is before a position. */
function isOlder({ generation, host }: NamedChange, before: string | undefined): boolean {
  if (before === undefined) return true;
  const at = readCursor(before);
  return generation < at.generation || (generation === at.generation && host < (at.host ?? ""));
}

/** A site between two changes: in search with these facts, or not in search; null if that is not known. */
type SiteState = FilteredFacts | "absent" | null;

/** The changes that a feed looks at, the newest first. */
async function* lastChanges(snapshot: SnapshotView): AsyncGenerator<NamedChange> {
  const { former } = snapshot.directory;
  const { changes, since } = changesOf(snapshot);
  const { feedChangesMax, feedDays } = CHANGES_LIMITS;
  const oldest = Date.parse(changes.at(-1)?.until ?? "") - feedDays * DAY_MS;
  let seen = 0;
  for (const file of changes.toReversed()) {
    if (Date.parse(file.until) < oldest) return;
    for (const change of (await readChanges(snapshot, file)).toReversed()) {
      const isTooOld = change.generation <= since || Date.parse(change.publishedAt) < oldest;
      if (isTooOld || seen === feedChangesMax) return;
      seen += 1;
      if (seen % IN_A_ROW === 0) await snapshot.pause();
      const { host } = change;
      if (host !== null) yield withCurrentTerms({ ...change, host }, former);
    }
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A change with the states of its site around it, which are the same for all searches. */
interface StatedChange {
  readonly change: NamedChange;
  readonly before: SiteState;
  readonly after: SiteState;
}

/**
 * The last changes with their states, the newest first. Goes back from the current state of each site: a change tells
 * the state before it. Reading the current states takes a fifth of a second in all.
 */
const statedChanges = madeOnce(async (snapshot: SnapshotView): Promise<readonly StatedChange[]> => {
  const changes: NamedChange[] = [];
  for await (const change of lastChanges(snapshot)) changes.push(change);
  const hosts = [...new Set(changes.map(({ host }) => host))];
  const found = await (await snapshot.engine).summariesOf(hosts);
  const states = new Map<string, SiteState>();
  for (const [at, host] of hosts.entries()) {
    if ((at + 1) % IN_A_ROW === 0) await snapshot.pause();
    const json = found[at];
    states.set(host, json === undefined ? "absent" : filteredFacts(storedJson<SiteSummary>(json)));
  }
  return changes.map((change) => {
    const after = states.get(change.host) ?? null;
    const before = stateBefore(change, after);
    states.set(change.host, before);
    return { change, before, after };
  });
});

/** A change with what it means for a search, or for a site. */
export type FoundChange = Pick<SearchChange, "what"> & { readonly change: NamedChange };

/**
 * What the last changes mean for a search, the newest first.
 * @param isEverything whether the search has no filter
 */
export async function* searchChanges(
  query: ListingFilters,
  isEverything: boolean,
  snapshot: SnapshotView,
): AsyncGenerator<FoundChange> {
  for (const stated of await statedChanges(snapshot)) {
    if (!isNamed(stated.change, snapshot)) continue;
    const what = meaningOf(stated, query, isEverything);
    if (what !== null) yield { change: stated.change, what };
  }
}

/** By host, what the last changes mean for the site, the newest first: the items of feeds without filters. */
const changesByHost = madeOnce(
  async (snapshot: SnapshotView): Promise<ReadonlyMap<string, readonly FoundChange[]>> => {
    const hosts = new Map<string, FoundChange[]>();
    for (const stated of await statedChanges(snapshot)) {
      const what = meaningOf(stated, {}, true);
      if (what !== null) addTo(hosts, stated.change.host, { change: stated.change, what });
    }
    return hosts;
  },
);

/** What the last changes mean for some sites, the newest first, each once. */
export async function changesOfHosts(
  hosts: readonly string[],
  snapshot: SnapshotView,
): Promise<FoundChange[]> {
  const known = await changesByHost(snapshot);
  const found = hosts.flatMap((host) => known.get(host) ?? []);
  return found
    .filter(({ change }) => isNamed(change, snapshot))
    .sort(
      ({ change: a }, { change: b }) => b.generation - a.generation || byCodeUnit(b.host, a.host),
    );
}

function stateBefore(change: NamedChange, after: SiteState): SiteState {
  if (change.change === "added") return "absent";
  return after === null || after === "absent" ? null : factsBefore(after, change);
}

/** What a change means for a search; null if nothing. */
function meaningOf(
  { change, before, after }: StatedChange,
  query: ListingFilters,
  isEverything: boolean,
): SearchChange["what"] | null {
  if (change.change === "removed") {
    const { host, left } = change;
    return isEverything || (left !== undefined && mayHaveFound(host, left, query)) ? "left" : null;
  }
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
