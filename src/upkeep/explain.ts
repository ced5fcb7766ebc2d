import { canonicalHostOf } from "../contract/host.js";
import { editDistance } from "../contract/near.js";
import { byCodeUnit } from "../contract/order.js";
import type { Report } from "../contract/report.js";
import { escapeControls } from "../input/checking/problem.js";
import { checkedOptions, type Rule, requireArgument, STORE_OPTION } from "../lib/options.js";
import type { Tombstone, TombstoneReason } from "../publish/erasure.js";
import { readNotes, rollbackOf } from "../publish/notes.js";
import { newestFirst, requireCurrent } from "../publish/snapshots.js";
import { withdrawalFinder, withdrawalsIn } from "../publish/withdrawals.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { Withdrawal } from "../store/format.js";
import { StoredSnapshot } from "../store/reader.js";
import { answerRef, directoryHosts } from "../store/segments/directory.js";
import { storedJson } from "../store/stored-json.js";
import type { StoredListing } from "../store/stored-segments.js";

/** Options of `explain`. */
export interface ExplainOptions {
  /** The store's folder. Default: "snapshots". */
  readonly store?: string | undefined;
}

const HOST: Rule<string> = {
  expected: "a host, or an address that has one",
  accepts: (value): value is string => typeof value === "string" && canonicalHostOf(value) !== null,
};
const OPTIONS = { store: STORE_OPTION };

/** What a store knows about a host. */
export interface Explanation {
  /** In canonical form. */
  readonly host: string;
  /** The current snapshot, which all other fields describe. */
  readonly snapshot: string;
  /** The snapshot whose content the current one has, if the store was rolled back; else null. */
  readonly rolledBackTo: string | null;
  /** Whether the host has a report. */
  readonly published: boolean;
  /** Whether search, facets and suggestions contain the host. */
  readonly inSearch: boolean;
  /**
   * The reason in one word: the visibility that keeps the host out of search; `listed`; `moved`, by its
   * published scan; `unscanned`; `absent` from the published directory; `former`, the host was like this
   * in the snapshot that was rolled back to; `restored`, a rollback brought it back although it is
   * absent; `unknown`, the builder's notes with the reason are lost.
   */
  readonly why: TombstoneReason | "listed" | "moved" | "absent" | "former" | "restored" | "unknown";
  /** The reason in plain words: one sentence or more. */
  readonly reason: string;
  /** The scan of the latest report; null without a report. */
  readonly publishedScan: string | null;
  /** Scans whose reports the plan makes public, newest first. */
  readonly historical: readonly string[];
  /** Scans whose reports the plan does not make public, newest first. */
  readonly locked: readonly string[];
  /** For a host without a report: the newest of the other snapshots in the store that has one; else null. */
  readonly lastIn: string | null;
  /**
   * For a host that is absent from the published directory: up to three hosts with a report that may have been meant.
   */
  readonly near: readonly string[];
}

/**
 * Explains whether a host is published and in search, and why
 * (docs/contract.md#6-visibility). Reads only the store.
 * @param host a host, or an address that has one; `Explanation.host` is its canonical form
 * @throws NoSnapshotError if there is no snapshot; BadSnapshotError if a file that it reads is damaged; TypeError for a
 * wrong argument
 */
export async function explain(host: string, options: ExplainOptions = {}): Promise<Explanation> {
  requireArgument("explain", "host", host, HOST);
  const { store } = checkedOptions("explain", options, OPTIONS);
  return explanationOf(store, canonicalHostOf(host) ?? host);
}

/** @param host in canonical form */
async function explanationOf(store: string, host: string): Promise<Explanation> {
  const snapshot = await requireCurrent(store);
  const facts = await notedFacts(store, snapshot);
  const stored = await StoredSnapshot.openManifest(store, snapshot);
  try {
    const entry = await stored.entryOf(host);
    if (entry === undefined) return await absent(store, stored, facts, host);
    const { publishedScan, historical, locked } = entry;
    const data = await storedReport(stored, entry);
    const inSearch = entry.search !== null;
    const why = inSearch ? whyInSearch(data) : await whyWithheld(facts, host, async () => data);
    return {
      host,
      snapshot,
      rolledBackTo: facts.rolledBackTo,
      published: true,
      inSearch,
      ...afterRollback(facts, await orRestored(facts, host, why)),
      publishedScan,
      historical: historical.map(({ scan }) => scan),
      locked,
      lastIn: null,
      near: [],
    };
  } finally {
    stored.close();
  }
}

/** Reads a listing's latest report. @throws BadSnapshotError if it is damaged */
async function storedReport(
  snapshot: StoredSnapshot,
  { segment, report }: StoredListing,
): Promise<Report> {
  const body = await snapshot.readAnswer(answerRef(segment, report));
  return storedJson<{ data: Report }>(body).data;
}

async function absent(
  store: string,
  stored: StoredSnapshot,
  facts: NotedFacts,
  host: string,
): Promise<Explanation> {
  const snapshot = stored.id;
  const lastIn = await lastSnapshotWith(store, snapshot, host);
  const { why, reason } = await whyAbsent(facts, host);
  const last = lastIn === null ? "" : ` Snapshot ${lastIn}, which is still in the store, has it.`;
  return {
    host,
    snapshot,
    rolledBackTo: facts.rolledBackTo,
    published: false,
    inSearch: false,
    ...afterRollback(facts, { why, reason: `${reason}${last}` }),
    publishedScan: null,
    historical: [],
    locked: [],
    lastIn,
    near: why === "absent" ? nearHosts(host, await stored.listings.hosts()) : [],
  };
}

async function lastSnapshotWith(
  store: string,
  current: string,
  host: string,
): Promise<string | null> {
  for (const id of await newestFirst(store)) {
    if (id !== current && (await isIn(store, id, host))) return id;
  }
  return null;
}

/** Whether a snapshot has a host. False for a damaged snapshot, so that `explain` can still answer. */
async function isIn(store: string, id: string, host: string): Promise<boolean> {
  return StoredSnapshot.openManifest(store, id)
    .then((snapshot) => snapshot.entryOf(host).finally(() => snapshot.close()))
    .then(
      (entry) => entry !== undefined,
      () => false,
    );
}

/** The reason of an explanation, in one word and in sentences. */
type Why = Pick<Explanation, "why" | "reason">;

/** The facts about a current snapshot from the builder's notes. */
interface NotedFacts {
  readonly rolledBackTo: string | null;
  /** The snapshot that was built last; null if the notes are lost, or do not belong to the current snapshot. */
  readonly built: string | null;
  /** By host, from the last build. Empty if `built` is null, as is `lastStated`. */
  readonly tombstones: ReadonlyMap<string, TombstoneReason>;
  /** The last visibility, if it was not `listed`, of listings that are missing from the input now. */
  readonly lastStated: ReadonlyMap<string, TombstoneReason>;
  /** Finds the withdrawal of a host, if it was withdrawn. */
  withdrawal(host: string): Withdrawal | undefined;
  /** Whether the snapshot that was built last has a host. */
  isBuilt(host: string): Promise<boolean>;
}

/** @param current the id of the current snapshot */
async function notedFacts(store: string, current: string): Promise<NotedFacts> {
  const notes = await readNotes(store);
  const { built, tombstones, missing } = notes;
  const rolledBackTo = rollbackOf(current, notes)?.former ?? null;
  const id = built !== null && (built.id === current || rolledBackTo !== null) ? built.id : null;
  const byHost = (all: readonly Tombstone[]) =>
    new Map(id === null ? [] : all.map(({ host, why }) => [host, why]));
  return {
    rolledBackTo,
    built: id,
    tombstones: byHost(tombstones),
    // If several groups have a host, the first counts.
    lastStated: byHost(missing.flatMap((group) => group.tombstones).reverse()),
    withdrawal: withdrawalFinder(await withdrawalsIn(store, notes)),
    isBuilt: async (host) => id !== null && isIn(store, id, host),
  };
}

function whyInSearch({ scan }: Report): Why {
  const score =
    scan.score === null
      ? "has no score, which does not keep it out of search"
      : `scored ${scan.score}`;
  const status = escapeControls(scan.status);
  const reason =
    `It is listed and was scanned: its published scan ${scan.id} (${status}, ${scan.finishedAt}) ` +
    `${score}.`;
  return { why: "listed", reason };
}

/** @param report reads the withheld report, if it matters */
async function whyWithheld(
  { tombstones, built, rolledBackTo }: NotedFacts,
  host: string,
  report: () => Promise<Report>,
): Promise<Why> {
  const tombstone = tombstones.get(host);
  const withheld = "Its report is withheld: it shows only that the host is known.";
  if (tombstone !== undefined) {
    return { why: tombstone, reason: `Its visibility is "${tombstone}". ${withheld}` };
  }
  const { scan } = await report();
  if (scan.status === "moved") {
    const target = scan.redirect?.host ?? null;
    const where = target === null ? "another domain" : `another domain, ${escapeControls(target)}`;
    const reason = `Its published scan ${scan.id} found that it moved: the homepage redirects to ${where}. ${withheld}`;
    return { why: "moved", reason };
  }
  if (built !== null && rolledBackTo !== null) {
    return { why: "former", reason: `It was withheld in snapshot ${rolledBackTo}. ${withheld}` };
  }
  const reason =
    "Its visibility is blocked, opted-out or redirected. The builder's notes would say which, but " +
    `they are lost or belong to another snapshot. ${withheld}`;
  return { why: "unknown", reason };
}

/** Adds that a rollback brought the host back, if it has a report although the last build's input does not have it. */
async function orRestored(facts: NotedFacts, host: string, why: Why): Promise<Why> {
  const { tombstones, built, rolledBackTo, isBuilt } = facts;
  const isRolledBack = rolledBackTo !== null && built !== null && !tombstones.has(host);
  if (!isRolledBack || (await isBuilt(host))) return why;
  const restored = "A rollback brought it back: it is no longer in the published directory.";
  return { why: "restored", reason: `${why.reason} ${restored}` };
}

/** Adds that the explanation describes a snapshot that was rolled back to. */
function afterRollback({ rolledBackTo }: NotedFacts, { why, reason }: Why): Why {
  if (rolledBackTo === null) return { why, reason };
  const said =
    `The current snapshot comes from a rollback: it has the answers of ${rolledBackTo}, and the next ` +
    "build publishes its input again.";
  return { why, reason: `${reason} ${said}` };
}

async function whyAbsent(facts: NotedFacts, host: string): Promise<Why> {
  const { tombstones, lastStated, built, rolledBackTo, isBuilt } = facts;
  const tombstone = tombstones.get(host);
  const withdrawal = facts.withdrawal(host);
  if (withdrawal !== undefined) {
    const reason =
      `It has no report: it was withdrawn at ${new Date(withdrawal.at).toISOString()}. It stays away until its ` +
      "record states that it is removed or deleted, or until crawldex withdraw --restore lifts that.";
    return { why: "withdrawn", reason };
  }
  if (built === null) {
    const reason =
      "It has no report: it is not in the published directory, has no scan there, or its visibility is " +
      "removed or deleted. The builder's notes would say which, but they are lost or belong to another " +
      "snapshot.";
    return { why: "unknown", reason };
  }
  if (tombstone === "unscanned") {
    return {
      why: tombstone,
      reason: "It has no report: it is listed, but the published directory has no scan of it.",
    };
  }
  if (tombstone === "withdrawn") {
    const reason =
      "It has no report: it was withdrawn, and the withdrawal is lifted. The next build publishes it if the " +
      "published directory lists it.";
    return { why: tombstone, reason };
  }
  if (tombstone === "removed" || tombstone === "deleted") {
    return { why: tombstone, reason: `It has no report: its visibility is "${tombstone}".` };
  }
  if (rolledBackTo !== null && (await isBuilt(host))) {
    return { why: "former", reason: `It has no report: snapshot ${rolledBackTo} has none of it.` };
  }
  if (tombstone !== undefined) {
    const reason = `It has no report: its visibility is "${tombstone}", and the published directory has no scan of it.`;
    return { why: tombstone, reason };
  }
  const visibility = lastStated.get(host);
  const last = visibility && ` Its visibility was last stated as "${visibility}".`;
  const reason = `It has no report: it is not in the published directory.${last ?? ""}`;
  return { why: "absent", reason };
}

/** A listing that search does not contain. */
export type ListingNotInSearch = Pick<Explanation, "host" | "published" | "why" | "reason">;

/** The listings that search does not contain. */
export interface ListingsNotInSearch extends Pick<Explanation, "snapshot" | "rolledBackTo"> {
  /** Sorted by host. */
  readonly listings: readonly ListingNotInSearch[];
  /**
   * Whether these are all. False if the builder's notes are lost or belong to another snapshot: then listings without a
   * report are unknown.
   */
  readonly complete: boolean;
}

/**
 * Explains why listings of the published directory have no report in the current snapshot, or are not in search. Reads
 * the tables one after another, and only the answers of listings that the builder's notes do not explain.
 * @throws NoSnapshotError if there is no snapshot; BadSnapshotError if a file that it reads is damaged
 */
export async function explainNotInSearch(store: string): Promise<ListingsNotInSearch> {
  const snapshot = await requireCurrent(store);
  const noted = await notedFacts(store, snapshot);
  const { built, rolledBackTo, tombstones } = noted;
  // Only after a rollback does the current snapshot differ from the one that was built last.
  const inBuilt = new Set(
    rolledBackTo === null || built === null ? [] : await hostsIn(store, built),
  );
  const facts = { ...noted, isBuilt: async (host: string) => inBuilt.has(host) };
  const listings: ListingNotInSearch[] = [];
  const add = async (host: string, report: (() => Promise<Report>) | null) => {
    const why =
      report === null
        ? await whyAbsent(facts, host)
        : await orRestored(facts, host, await whyWithheld(facts, host, report));
    listings.push({ host, published: report !== null, ...why });
  };
  const withoutReport = new Set([...tombstones.keys(), ...inBuilt]);
  const stored = await StoredSnapshot.openManifest(store, snapshot);
  try {
    for await (const entry of stored.listings.allEntries()) {
      const { host, search } = entry;
      withoutReport.delete(host);
      if (search === null) await add(host, () => storedReport(stored, entry));
    }
  } finally {
    stored.close();
  }
  for (const host of withoutReport) await add(host, null);
  listings.sort((a, b) => byCodeUnit(a.host, b.host));
  return { snapshot, rolledBackTo, listings, complete: built !== null };
}

/** The hosts of a snapshot. None if it is damaged, so that the listings can still be explained. */
async function hostsIn(store: string, id: string): Promise<string[]> {
  try {
    const snapshot = await StoredSnapshot.openManifest(store, id);
    const directories = await snapshot.listings.directories().finally(() => snapshot.close());
    return directories.flatMap(directoryHosts);
  } catch (error) {
    if (error instanceof BadSnapshotError) return [];
    throw error;
  }
}

/** How many hosts are proposed. */
const NEAR_MAX = 3;
/** The most characters in which a mistyped host differs. More would propose hosts that only have the same ending. */
const EDITS_MAX = 2;

/**
 * The hosts that may have been meant, the nearest first, then by code unit: the same site with or without a subdomain,
 * the same name with another ending, and hosts that differ by a mistyped character or two.
 */
export function nearHosts(host: string, hosts: Iterable<string>): string[] {
  const found: { readonly host: string; readonly distance: number }[] = [];
  for (const other of hosts) {
    const distance = distanceOf(host, other);
    if (distance < Infinity) found.push({ host: other, distance });
  }
  found.sort((a, b) => a.distance - b.distance || byCodeUnit(a.host, b.host));
  return found.slice(0, NEAR_MAX).map((near) => near.host);
}

/** Infinity if they are not near each other. */
function distanceOf(a: string, b: string): number {
  if (a.endsWith(`.${b}`) || b.endsWith(`.${a}`)) return 0;
  const name = withoutEnding(a);
  const other = withoutEnding(b);
  if (name !== "" && name === other) return 1;
  // Any two short names are near each other.
  const bound = Math.min(EDITS_MAX, Math.floor(name.length / 3));
  const distance = editDistance(a, b, bound);
  return distance > bound ? Infinity : distance;
}

/** A host without its last label. */
function withoutEnding(host: string): string {
  return host.slice(0, Math.max(0, host.lastIndexOf(".")));
}
