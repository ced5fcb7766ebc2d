import { type Content, madeContent, madeOnce, type SnapshotView } from "../../answer/content.js";
import { standardsOf, summariesOf } from "../../answer/page-facts.js";
import {
  type FilteredFacts,
  factsBefore,
  filteredFacts,
  isFound,
  mayHaveFound,
} from "../../contract/filters.js";
import type { SiteSummary } from "../../contract/listing.js";
import { ListingFilters, queryText } from "../../contract/query.js";
import type { FeedForm } from "../../pages/kit/page-names.js";
import { storedJson } from "../../store/stored-json.js";
import { changesOf, readChanges } from "./addition.js";
import { changeFeed, type SearchChange } from "./change-feed.js";
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
  const { feedItems } = CHANGES_LIMITS;
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
      changes,
      q: query.q ?? "",
      query: filters,
      next: before === null ? null : [filters, `before=${before}`].filter(Boolean).join("&"),
      checks: new Map(checks.map(({ id, name }) => [id, name])),
    },
    snapshot.directory,
  );
  const content = await madeContent(text, snapshot);
  return { ...content, ...untilUnnamed(changes.map(({ change }) => change)) };
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

type FoundChange = Pick<SearchChange, "what"> & { readonly change: NamedChange };

/**
 * What the last changes mean for a search, the newest first.
 * @param isEverything whether the search has no filter
 */
export async function* searchChanges(
  query: ListingFilters,
  isEverything: boolean,
  snapshot: SnapshotView,
): AsyncGenerator<FoundChange> {
  for (const { change, before, after } of await statedChanges(snapshot)) {
    if (!isNamed(change, snapshot)) continue;
    const what = meaningOf(change, before, after, query, isEverything);
    if (what !== null) yield { change, what };
  }
}

function stateBefore(change: NamedChange, after: SiteState): SiteState {
  if (change.change === "added") return "absent";
  return after === null || after === "absent" ? null : factsBefore(after, change);
}

/** What a change means for a search; null if nothing. */
function meaningOf(
  change: NamedChange,
  before: SiteState,
  after: SiteState,
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
