import { type BuilderNotes, readNotes, rollbackOf } from "../build/notes.js";
import { newestFirst, requireCurrent } from "../build/snapshots.js";
import type { Tombstone } from "../build/tombstones.js";
import type { Report } from "../contract/report.js";
import { escapeControls } from "../published/checking/problem.js";
import type { AnswerLocation, ShardEntry } from "../store/format.js";
import { checkedJson, StoredSnapshot } from "../store/reader.js";

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
  readonly why:
    | Tombstone["why"]
    | "listed"
    | "moved"
    | "absent"
    | "former"
    | "restored"
    | "unknown";
  /** The reason in plain words: one sentence or more. */
  readonly reason: string;
  /** The scan of the latest report; null without a report. */
  readonly publishedScan: string | null;
  /** Scans whose reports the plan makes public, newest first. `locked` has the scans whose reports it does not. */
  readonly historical: readonly string[];
  readonly locked: readonly string[];
  /** For a host without a report: the newest of the other snapshots in the store that has one; else null. */
  readonly lastIn: string | null;
}

type Why = Pick<Explanation, "why" | "reason">;
type NotedWhy = Tombstone["why"];

/** The facts about a current snapshot from the builder's notes. */
interface Noted {
  readonly rolledBackTo: string | null;
  /** From the last build, by host. Empty if `built` is null, as is `remembered`. */
  readonly tombstones: ReadonlyMap<string, NotedWhy>;
  readonly remembered: ReadonlyMap<string, NotedWhy>;
  /** As in `Known`. */
  readonly built: string | null;
}

/** The facts about a host from the builder's notes. */
interface Known {
  readonly host: string;
  readonly rolledBackTo: string | null;
  /** From the last build; null if that build has no tombstone for the host. */
  readonly tombstone: Tombstone["why"] | null;
  /**
   * The last visibility that was stated for a listing that is now missing from the input; null if it was
   * `listed`.
   */
  readonly remembered: Tombstone["why"] | null;
  /** The snapshot that was built last; null if the notes are lost, or do not belong to the current snapshot. */
  readonly built: string | null;
  /** Whether the snapshot that was built last has the host. */
  readonly isBuilt: () => Promise<boolean>;
}

/**
 * Explains whether a host is published and in search, and why (decisions, Scans and history; published
 * format, how the build derives what the API serves). Reads only the store.
 * @param host in canonical form
 * @throws NoSnapshotError if there is no snapshot; BadSnapshotError if a file that it reads is damaged
 */
export async function explain(store: string, host: string): Promise<Explanation> {
  const snapshot = await requireCurrent(store);
  const noted = notedAbout(snapshot, await readNotes(store));
  const { built, rolledBackTo } = noted;
  const known = knownOf(noted, host, async () => built !== null && isIn(store, built, host));
  const stored = await StoredSnapshot.openManifest(store, snapshot);
  try {
    const entry = await entryOf(stored, host);
    if (entry === undefined) return await absent(store, snapshot, known);
    const { publishedScan, historical, locked } = entry;
    const data = await reportAt(stored, stored.bucketOf(host), entry.report);
    const inSearch = entry.search !== null;
    const why = inSearch ? whyInSearch(data) : await whyWithheld(known, async () => data);
    return {
      host,
      snapshot,
      rolledBackTo,
      published: true,
      inSearch,
      ...afterRollback(known, await orRestored(known, why)),
      publishedScan,
      historical: historical.map(({ scan }) => scan),
      locked,
      lastIn: null,
    };
  } finally {
    stored.close();
  }
}

/** Reads a listing's latest report. @throws BadSnapshotError if it is damaged */
export async function reportAt(
  snapshot: StoredSnapshot,
  bucket: number,
  location: AnswerLocation,
): Promise<Report> {
  const body = await snapshot.readAnswer(bucket, location);
  return checkedJson<{ data: Report }>(body).data;
}

/** @param id the current snapshot */
export function notedAbout(id: string, notes: BuilderNotes): Noted {
  const { built, tombstones, remembered } = notes;
  const rolledBackTo = rollbackOf(id, notes)?.former ?? null;
  const holds = built !== null && (built.id === id || rolledBackTo !== null);
  const byHost = (all: readonly Tombstone[]) =>
    new Map(holds ? all.map(({ host, why }) => [host, why]) : []);
  return {
    rolledBackTo,
    tombstones: byHost(tombstones),
    // Of several groups with a host, the first counts.
    remembered: byHost(remembered.flatMap((group) => group.tombstones).reverse()),
    built: holds ? built.id : null,
  };
}

export function knownOf(
  { tombstones, remembered, built, rolledBackTo }: Noted,
  host: string,
  isBuilt: Known["isBuilt"],
): Known {
  return {
    host,
    rolledBackTo,
    tombstone: tombstones.get(host) ?? null,
    remembered: remembered.get(host) ?? null,
    built,
    isBuilt,
  };
}

async function entryOf(snapshot: StoredSnapshot, host: string): Promise<ShardEntry | undefined> {
  const entries = await snapshot.readShard(snapshot.bucketOf(host));
  return entries.find((entry) => entry.host === host);
}

function whyInSearch({ scan }: Report): Why {
  const score =
    scan.score === null
      ? "has no score, which does not keep it out of search"
      : `scored ${scan.score}`;
  const status = escapeControls(scan.status);
  const reason = `It is listed and was scanned: its published scan ${scan.id} (${status}, ${scan.finishedAt}) ${score}.`;
  return { why: "listed", reason };
}

/** @param report reads the withheld report, if it matters */
async function whyWithheld(
  { tombstone, built, rolledBackTo }: Known,
  report: () => Promise<Report>,
): Promise<Why> {
  const withheld = "Its report is withheld and says no more than that the host is known.";
  if (tombstone !== null) {
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
  const reason = `Its visibility is blocked, opted-out or redirected. The builder's notes would say which, but they are lost or belong to another snapshot. ${withheld}`;
  return { why: "unknown", reason };
}

/** Adds that a rollback brought the host back, if it has a report although the last build's input does not have it. */
async function orRestored(known: Known, why: Why): Promise<Why> {
  const { tombstone, built, rolledBackTo, isBuilt } = known;
  const isRolledBack = rolledBackTo !== null && built !== null && tombstone === null;
  return isRolledBack && !(await isBuilt()) ? whyRestored(why) : why;
}

function whyRestored({ reason }: Why): Why {
  const restored = "A rollback brought it back: it is no longer in the published directory.";
  return { why: "restored", reason: `${reason} ${restored}` };
}

/** Adds that the explanation describes a snapshot that was rolled back to. */
function afterRollback({ rolledBackTo }: Known, { why, reason }: Why): Why {
  if (rolledBackTo === null) return { why, reason };
  const said = `The current snapshot comes from a rollback: it has the answers of ${rolledBackTo}, and the next build publishes its input again.`;
  return { why, reason: `${reason} ${said}` };
}

async function absent(store: string, snapshot: string, known: Known): Promise<Explanation> {
  const { host, rolledBackTo } = known;
  const lastIn = await lastSnapshotWith(store, snapshot, host);
  const { why, reason } = await whyAbsent(known);
  const last = lastIn === null ? "" : ` Snapshot ${lastIn}, which is still in the store, has it.`;
  return {
    host,
    snapshot,
    rolledBackTo,
    published: false,
    inSearch: false,
    ...afterRollback(known, { why, reason: `${reason}${last}` }),
    publishedScan: null,
    historical: [],
    locked: [],
    lastIn,
  };
}

/**
 * Why a listing has no report, or only a withheld one: as `explain` says it, but for the words about a rollback.
 * @param report reads its withheld report; null if it has none
 */
export async function whyLeftOut(
  known: Known,
  report: (() => Promise<Report>) | null,
): Promise<Why> {
  return report === null ? whyAbsent(known) : orRestored(known, await whyWithheld(known, report));
}

async function whyAbsent(known: Known): Promise<Why> {
  const { tombstone, remembered, built, rolledBackTo, isBuilt } = known;
  if (built === null) {
    const reason =
      "It has no report: it is not in the published directory, has no scan there, or its visibility is removed or deleted. The builder's notes would say which, but they are lost or belong to another snapshot.";
    return { why: "unknown", reason };
  }
  if (tombstone === "unscanned") {
    return {
      why: tombstone,
      reason: "It has no report: it is listed, but the published directory has no scan of it.",
    };
  }
  if (tombstone === "removed" || tombstone === "deleted") {
    return { why: tombstone, reason: `It has no report: its visibility is "${tombstone}".` };
  }
  if (rolledBackTo !== null && (await isBuilt())) {
    return { why: "former", reason: `It has no report: snapshot ${rolledBackTo} has none of it.` };
  }
  if (tombstone !== null) {
    const reason = `It has no report: its visibility is "${tombstone}", and the published directory has no scan of it.`;
    return { why: tombstone, reason };
  }
  const last = remembered === null ? "" : ` Its visibility was last stated as "${remembered}".`;
  const reason = `It has no report: it is not in the published directory.${last}`;
  return { why: "absent", reason };
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
    .then((snapshot) => entryOf(snapshot, host))
    .then(
      (entry) => entry !== undefined,
      () => false,
    );
}
