import type { Report } from "../contract/report.js";
import type { ShardEntry } from "./format.js";
import { StoredSnapshot } from "./reader.js";
import { newestFirst, requireCurrent } from "./snapshots.js";

/** What a store can say of a host. */
export interface Explanation {
  /** Canonical. */
  readonly host: string;
  /** The current snapshot, of which all else is said. */
  readonly snapshot: string;
  /** Whether it has a report. */
  readonly published: boolean;
  /** Whether search, facets and suggestions have it. */
  readonly inSearch: boolean;
  /** Why, in plain words: one sentence or more. */
  readonly reason: string;
  /** The scan whose report is the latest one; null without a report. */
  readonly publishedScan: string | null;
  /** Scans whose reports the plan opens, newest first, and those that it does not. */
  readonly historical: readonly string[];
  readonly locked: readonly string[];
  /** For a host without a report: the newest of the former snapshots in the store that has one. */
  readonly lastIn: string | null;
}

/**
 * Says whether a host is published and in search, and why (decisions, Scans and history; published
 * format, how the build derives what the API serves). The store alone is asked: what a listing without a
 * report was in the input is not in it.
 * @param host canonical.
 * @throws BadSnapshotError where there is no snapshot, or what is read of it is damaged.
 */
export async function explain(store: string, host: string): Promise<Explanation> {
  const id = await requireCurrent(store);
  const snapshot = await StoredSnapshot.openManifest(store, id);
  try {
    const entry = await entryOf(snapshot, host);
    if (entry === undefined) return await absent(store, id, host);
    const { publishedScan, historical, locked } = entry;
    const report = await snapshot.readAnswer(snapshot.bucketOf(host), entry.report);
    const { data } = JSON.parse(report.toString("utf8")) as { data: Report };
    return {
      host,
      snapshot: id,
      published: true,
      inSearch: entry.search !== null,
      reason: entry.search === null ? whyWithheld(data) : whyInSearch(data),
      publishedScan,
      historical: historical.map(({ scan }) => scan),
      locked,
      lastIn: null,
    };
  } finally {
    snapshot.close();
  }
}

async function entryOf(snapshot: StoredSnapshot, host: string): Promise<ShardEntry | undefined> {
  const entries = await snapshot.readShard(snapshot.bucketOf(host));
  return entries.find((entry) => entry.host === host);
}

function whyInSearch({ scan }: Report): string {
  const score =
    scan.score === null ? "has no score, which keeps nothing out" : `scored ${scan.score}`;
  return `It is listed and was scanned: its published scan ${scan.id} (${scan.status}, ${scan.finishedAt}) ${score}.`;
}

function whyWithheld({ scan }: Report): string {
  const report = "Its report is withheld and says no more than that the host is known.";
  if (scan.status !== "moved") {
    return `Its visibility is not "listed" but blocked, opted-out or redirected: which of these, only the published directory says. ${report}`;
  }
  const target = scan.redirect?.host ?? null;
  const where = target === null ? "another domain" : `another domain, ${target}`;
  return `Its published scan ${scan.id} found that it moved: the homepage redirects to ${where}. ${report}`;
}

async function absent(store: string, snapshot: string, host: string): Promise<Explanation> {
  const lastIn = await lastSnapshotWith(store, snapshot, host);
  const reason =
    lastIn === null
      ? "It has no report: it is not in the published directory, was never scanned, or its visibility is removed or deleted. Nothing of it is kept that says which, and no former snapshot in the store has it."
      : `It has no report any more: it was removed or deleted, or is gone from the published directory. Snapshot ${lastIn}, which is still in the store, has it.`;
  return {
    host,
    snapshot,
    published: false,
    inSearch: false,
    reason,
    publishedScan: null,
    historical: [],
    locked: [],
    lastIn,
  };
}

async function lastSnapshotWith(
  store: string,
  current: string,
  host: string,
): Promise<string | null> {
  for (const id of await newestFirst(store)) {
    if (id === current) continue;
    // A former snapshot that is damaged has nothing to say, and is no reason not to answer.
    const entry = await StoredSnapshot.openManifest(store, id)
      .then((former) => entryOf(former, host))
      .catch(() => undefined);
    if (entry !== undefined) return id;
  }
  return null;
}
