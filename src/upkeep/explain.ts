import { type BuilderNotes, readNotes, rollbackOf } from "../build/notes.js";
import { newestFirst, requireCurrent } from "../build/snapshots.js";
import type { Tombstone, TombstoneReason } from "../build/tombstones.js";
import { canonicalHostOf } from "../contract/host.js";
import type { Report } from "../contract/report.js";
import { STORE } from "../options/defaults.js";
import { checkedOptions, FOLDER, type Rule, requireArgument } from "../options/options.js";
import { escapeControls } from "../published/checking/problem.js";
import type { ShardEntry } from "../store/format.js";
import { StoredSnapshot } from "../store/reader.js";

/** Options of `explain`. */
export interface ExplainOptions {
  /** The store's folder. Default: "snapshots". */
  readonly store?: string | undefined;
}

const HOST: Rule<string> = {
  expected: "a host, or an address that has one",
  accepts: (value): value is string => typeof value === "string" && canonicalHostOf(value) !== null,
};
const RULES = { store: FOLDER };

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
}

type Why = Pick<Explanation, "why" | "reason">;

/** The host in the current snapshot, with the facts from the builder's notes. */
interface Known {
  readonly store: string;
  readonly host: string;
  readonly id: string;
  readonly rolledBackTo: string | null;
  /** From the last build; null if that build has no tombstone for the host. */
  readonly tombstone: TombstoneReason | null;
  /**
   * The last visibility that was stated for a listing that is now missing from the input; null if it was
   * `listed`.
   */
  readonly remembered: TombstoneReason | null;
  /** The snapshot that was built last; null if the notes are lost, or do not belong to the current snapshot. */
  readonly built: string | null;
}

/**
 * Explains whether a host is published and in search, and why (decisions, Scans and history; published
 * format, how the build derives what the API serves). Reads only the store.
 * @param host a host, or an address that has one; `Explanation.host` is its canonical form
 * @throws NoSnapshotError if there is no snapshot; BadSnapshotError if a file that it reads is damaged; TypeError for a
 * wrong argument
 */
export async function explain(host: string, options: ExplainOptions = {}): Promise<Explanation> {
  requireArgument("explain", "host", host, HOST);
  const { store = STORE } = checkedOptions("explain", options, RULES);
  return explanationOf(store, canonicalHostOf(host) ?? host);
}

/** @param host in canonical form */
async function explanationOf(store: string, host: string): Promise<Explanation> {
  const known = knownOf(store, host, await requireCurrent(store), await readNotes(store));
  const { id: snapshot, rolledBackTo } = known;
  const stored = await StoredSnapshot.openManifest(store, snapshot);
  try {
    const entry = await entryOf(stored, host);
    if (entry === undefined) return await absent(known);
    const { publishedScan, historical, locked } = entry;
    const report = await stored.readAnswer(stored.bucketOf(host), entry.report);
    const { data } = JSON.parse(report.toString("utf8")) as { data: Report };
    const inSearch = entry.search !== null;
    const why = inSearch ? whyInSearch(data) : whyWithheld(data, known);
    return {
      host,
      snapshot,
      rolledBackTo,
      published: true,
      inSearch,
      ...afterRollback(known, (await isRestored(known)) ? whyRestored(why) : why),
      publishedScan,
      historical: historical.map(({ scan }) => scan),
      locked,
      lastIn: null,
    };
  } finally {
    stored.close();
  }
}

function knownOf(store: string, host: string, id: string, notes: BuilderNotes): Known {
  const { built, tombstones, remembered } = notes;
  const rolledBackTo = rollbackOf(id, notes)?.former ?? null;
  const holds = built !== null && (built.id === id || rolledBackTo !== null);
  const whyIn = (all: readonly Tombstone[]) => all.find((one) => one.host === host)?.why ?? null;
  return {
    store,
    host,
    id,
    rolledBackTo,
    tombstone: holds ? whyIn(tombstones) : null,
    remembered: holds ? whyIn(remembered.flatMap((group) => group.tombstones)) : null,
    built: holds ? built.id : null,
  };
}

async function entryOf(snapshot: StoredSnapshot, host: string): Promise<ShardEntry | undefined> {
  const entries = await snapshot.readShard(snapshot.bucketOf(host));
  return entries.find((entry) => entry.host === host);
}

function whyInSearch({ scan }: Report): Why {
  const score =
    scan.score === null ? "has no score, which keeps nothing out" : `scored ${scan.score}`;
  const status = escapeControls(scan.status);
  const reason = `It is listed and was scanned: its published scan ${scan.id} (${status}, ${scan.finishedAt}) ${score}.`;
  return { why: "listed", reason };
}

function whyWithheld({ scan }: Report, { tombstone, built, rolledBackTo }: Known): Why {
  const withheld = "Its report is withheld and says no more than that the host is known.";
  if (tombstone !== null) {
    return { why: tombstone, reason: `Its visibility is "${tombstone}". ${withheld}` };
  }
  if (scan.status === "moved") {
    const target = scan.redirect?.host ?? null;
    const where = target === null ? "another domain" : `another domain, ${escapeControls(target)}`;
    const reason = `Its published scan ${scan.id} found that it moved: the homepage redirects to ${where}. ${withheld}`;
    return { why: "moved", reason };
  }
  if (built !== null && rolledBackTo !== null) {
    return { why: "former", reason: `It was withheld in snapshot ${rolledBackTo}. ${withheld}` };
  }
  const reason = `Its visibility is not "listed" but blocked, opted-out or redirected: which of these, the builder's notes do not say: they are lost, or not of this snapshot. ${withheld}`;
  return { why: "unknown", reason };
}

/** Whether a host with a report is not in the last build's input, so that a rollback must have brought it back. */
async function isRestored({
  store,
  host,
  tombstone,
  built,
  rolledBackTo,
}: Known): Promise<boolean> {
  const isRolledBack = rolledBackTo !== null && built !== null && tombstone === null;
  return isRolledBack && !(await isIn(store, built, host));
}

function whyRestored({ reason }: Why): Why {
  const restored = "A rollback brought it back: the published directory does not have it any more.";
  return { why: "restored", reason: `${reason} ${restored}` };
}

/** Adds that the explanation describes a snapshot that was rolled back to. */
function afterRollback({ rolledBackTo }: Known, { why, reason }: Why): Why {
  if (rolledBackTo === null) return { why, reason };
  const said = `The current snapshot was rolled back to: it has the answers of ${rolledBackTo}, and the next build publishes its input again.`;
  return { why, reason: `${reason} ${said}` };
}

async function absent(known: Known): Promise<Explanation> {
  const { store, host, id, rolledBackTo } = known;
  const lastIn = await lastSnapshotWith(store, id, host);
  const { why, reason } = await whyAbsent(known);
  const last = lastIn === null ? "" : ` Snapshot ${lastIn}, which is still in the store, has it.`;
  return {
    host,
    snapshot: id,
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

async function whyAbsent(known: Known): Promise<Why> {
  const { store, host, tombstone, remembered, built, rolledBackTo } = known;
  if (built === null) {
    const reason =
      "It has no report: it is not in the published directory, has no scan there, or its visibility is removed or deleted. Which of these, the builder's notes do not say: they are lost, or not of this snapshot.";
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
  const isBuilt = rolledBackTo !== null && (await isIn(store, built, host));
  if (isBuilt) {
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
