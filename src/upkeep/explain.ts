import { z } from "zod";
import { readNotes } from "../build/notes.js";
import { newestFirst, requireCurrent } from "../build/snapshots.js";
import type { TombstoneReason } from "../build/tombstones.js";
import { canonicalHostOf } from "../contract/host.js";
import type { Report } from "../contract/report.js";
import { STORE } from "../options/defaults.js";
import { checkedOptions, FOLDER, requireArgument } from "../options/options.js";
import { StoredSnapshot } from "../store/reader.js";
import { answerRef } from "../store/segments/directory.js";
import type { StoredListing } from "../store/snapshot-reader.js";
import { checkedJson } from "../store/source.js";
import { nearHosts } from "./near-hosts.js";
import {
  afterRollback,
  type KnownHost,
  knownOf,
  notedAbout,
  orRestored,
  whyAbsent,
  whyInSearch,
  whyWithheld,
} from "./reasons.js";

/** Options of `explain`. */
export interface ExplainOptions {
  /** The store's folder. Default: "snapshots". */
  readonly store?: string | undefined;
}

const HOST = z
  .string()
  .refine((text) => canonicalHostOf(text) !== null)
  .describe("a host, or an address that has one");
const OPTIONS = { store: FOLDER.default(STORE) };

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
  const noted = notedAbout(snapshot, await readNotes(store));
  const { built, rolledBackTo } = noted;
  const known = knownOf(noted, host, async () => built !== null && isIn(store, built, host));
  const stored = await StoredSnapshot.openManifest(store, snapshot);
  try {
    const entry = await stored.entryOf(host);
    if (entry === undefined) return await absent(store, stored, known);
    const { publishedScan, historical, locked } = entry;
    const data = await storedReport(stored, entry);
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
      near: [],
    };
  } finally {
    stored.close();
  }
}

/** Reads a listing's latest report. @throws BadSnapshotError if it is damaged */
export async function storedReport(
  snapshot: StoredSnapshot,
  { segment, report }: StoredListing,
): Promise<Report> {
  const body = await snapshot.readAnswer(answerRef(segment, report));
  return checkedJson<{ data: Report }>(body).data;
}

async function absent(
  store: string,
  stored: StoredSnapshot,
  known: KnownHost,
): Promise<Explanation> {
  const { host, rolledBackTo } = known;
  const snapshot = stored.id;
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
    .then((snapshot) => snapshot.entryOf(host))
    .then(
      (entry) => entry !== undefined,
      () => false,
    );
}
