import { stat } from "node:fs/promises";
import {
  CHANGES_NAMED,
  type FirstOf,
  type NamedSite,
  type PublicationChanges,
} from "../contract/changes.js";
import { FIGURES_DOCUMENT, type Figures } from "../contract/figures.js";
import type { SiteSummary } from "../contract/listing.js";
import { byCodeUnit } from "../contract/order.js";
import { addTo } from "../contract/tables.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import { type ListingChange, snapshotChanges } from "./changes.js";
import { layout } from "./layout.js";
import { currentId, StoredSnapshot, snapshotIds } from "./reader.js";

const ROWS_MAX = 10_000;
/** Listings that are compared in a row. */
const IN_A_ROW = 250;

/** How the publications of a store are compared. */
export interface ComparingOptions {
  /** Whether an earlier snapshot counts; by default, each does. */
  readonly isTrusted?: (id: string) => Promise<boolean>;
  /** Resolves after other work has had a turn. */
  readonly pause: () => Promise<void>;
  /** The most rows of segments that a comparison reads. Default: 10,000, which take about a tenth of a second. */
  readonly rowsMax?: number;
}

/**
 * Compares a snapshot with each earlier publication that its store still has, the latest first. Reads the rows of those
 * segments alone that only one of the two has. An earlier snapshot that is gone or damaged is left out.
 * @throws BadSnapshotError if the snapshot itself is damaged
 */
export async function publicationChanges(
  store: string,
  id: string,
  { isTrusted = async () => true, pause, rowsMax = ROWS_MAX }: ComparingOptions,
): Promise<PublicationChanges[]> {
  // Another snapshot has become current, so that the others are not all earlier than this one.
  if ((await currentId(store)) !== id) return [];
  const others: { id: string; at: number }[] = [];
  for (const other of await snapshotIds(store)) {
    if (other === id) continue;
    const written = await stat(layout.manifest(store, other)).catch(() => null);
    if (written !== null && (await isTrusted(other)))
      others.push({ id: other, at: written.mtimeMs });
  }
  others.sort((a, b) => b.at - a.at || byCodeUnit(a.id, b.id));
  const after = await StoredSnapshot.openManifest(store, id);
  const found: PublicationChanges[] = [];
  try {
    for (const other of others) {
      const one = await comparedWith(store, other.id, after, { pause, rowsMax }).catch(
        (error: unknown) => {
          if (error instanceof BadSnapshotError) return null;
          throw error;
        },
      );
      if (one !== null) found.push(one);
    }
  } finally {
    after.close();
  }
  return found;
}

async function comparedWith(
  store: string,
  beforeId: string,
  after: StoredSnapshot,
  { pause, rowsMax }: Required<Pick<ComparingOptions, "pause" | "rowsMax">>,
): Promise<PublicationChanges> {
  const before = await StoredSnapshot.openManifest(store, beforeId);
  try {
    const file = before.manifest.public.find((one) => one.file === FIGURES_DOCUMENT);
    const figures: Figures | null =
      file === undefined ? null : JSON.parse((await before.readDocument(file)).toString("utf8"));
    const scannedTo = figures?.lastScannedAt ?? null;
    if (rowsApart(before, after) > rowsMax) return { scannedTo, changes: null };
    const counter = new ChangeCounter();
    let compared = 0;
    for (const change of snapshotChanges(before, after)) {
      counter.add(change);
      compared += 1;
      if (compared % IN_A_ROW === 0) await pause();
    }
    return { scannedTo, changes: counter.changes() };
  } finally {
    before.close();
  }
}

/** The rows of the segments that only one of two snapshots has. */
function rowsApart(before: StoredSnapshot, after: StoredSnapshot): number {
  const [old, now] = [before, after].map(
    ({ manifest }) => new Map(manifest.segments.map(({ pack, listings }) => [pack.file, listings])),
  );
  let rows = 0;
  for (const [file, listings] of old ?? []) if (!now?.has(file)) rows += listings;
  for (const [file, listings] of now ?? []) if (!old?.has(file)) rows += listings;
  return rows;
}

type MovedSite = NamedSite & { readonly from: number };

/** Sorts changed listings into lists. */
class ChangeCounter {
  readonly #added: NamedSite[] = [];
  readonly #moved: MovedSite[] = [];
  readonly #gained = new Map<string, NamedSite[]>();
  readonly #lost = new Map<string, NamedSite[]>();

  /** A listing that is not in search now is never named, whatever it was before. */
  add({ before, after }: ListingChange): void {
    if (after === null || after.search === null) return;
    const now = after.search.summary;
    const site = namedSite(now);
    if (before === null || before.search === null) {
      this.#added.push(site);
      return;
    }
    const old = before.search.summary;
    // Scores and checks of different scoring versions cannot be compared.
    if (old.latestScoreVersion !== now.latestScoreVersion) return;
    if (old.latestScore !== null && now.latestScore !== null && old.latestScore !== now.latestScore)
      this.#moved.push({ ...site, from: old.latestScore });
    const [had, has] = [new Set(old.capabilities), new Set(now.capabilities)];
    for (const id of has)
      if (!had.has(id) && !before.exempt?.includes(id)) addTo(this.#gained, id, site);
    for (const id of had)
      if (!has.has(id) && !after.exempt?.includes(id)) addTo(this.#lost, id, site);
  }

  changes(): NonNullable<PublicationChanges["changes"]> {
    const rise = ({ latestScore, from }: MovedSite) => (latestScore ?? from) - from;
    const moved = this.#moved.toSorted(
      (a, b) => Math.abs(rise(b)) - Math.abs(rise(a)) || byCodeUnit(a.host, b.host),
    );
    const ids = new Set([...this.#gained.keys(), ...this.#lost.keys()]);
    return {
      added: beginningOf(this.#added.toSorted(byRecentScore)),
      risen: beginningOf(moved.filter((one) => rise(one) > 0)),
      fallen: beginningOf(moved.filter((one) => rise(one) < 0)),
      checks: [...ids].sort(byCodeUnit).map((checkId) => ({
        checkId,
        gained: beginningOf((this.#gained.get(checkId) ?? []).toSorted(byRecentScore)),
        lost: beginningOf((this.#lost.get(checkId) ?? []).toSorted(byRecentScore)),
      })),
    };
  }
}

function namedSite(summary: SiteSummary): NamedSite {
  const { host, name, latestScore, latestBand, latestScoreVersion } = summary;
  return { host, name, latestScore, latestBand, latestScoreVersion };
}

function byRecentScore(a: NamedSite, b: NamedSite): number {
  return (b.latestScore ?? -1) - (a.latestScore ?? -1) || byCodeUnit(a.host, b.host);
}

function beginningOf<T>(items: readonly T[]): FirstOf<T> {
  return { first: items.slice(0, CHANGES_NAMED), count: items.length };
}
