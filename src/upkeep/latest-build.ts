import { addPlan, Marks, type Plan } from "../build/erasure.js";
import type { BuilderNotes } from "../build/notes.js";
import type { Tombstone, TombstoneReason } from "../build/tombstones.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { StoredSnapshot } from "../store/reader.js";
import type { StoredSegments } from "../store/snapshot-reader.js";

type Visibilities = ReadonlyMap<string, TombstoneReason>;

/** The snapshot that was built last, even if another one is current. It decides what may be shown today. */
export interface LatestBuild {
  readonly listings: StoredSegments;
  /** By host: the tombstones of the last build, and the remembered visibilities of missing listings. */
  readonly tombstones: Visibilities;
  readonly remembered: Visibilities;
  /** By the hash of the host, the plans that were stated last. */
  readonly plans: ReadonlyMap<number, Plan>;
}

/** @throws BadSnapshotError if the manifest of the snapshot is damaged */
export async function latestBuild(
  store: string,
  id: string,
  { tombstones, remembered, built }: BuilderNotes,
): Promise<LatestBuild> {
  const snapshot = await StoredSnapshot.openManifest(store, id).catch(orBuildAgain);
  snapshot.close();
  const plans = built === null ? new Map<number, Plan>() : new Marks(built.marks).plans();
  for (const [hash, flags, fixPrompts] of remembered.flatMap((group) => group.plans))
    addPlan(plans, hash, { flags, fixPrompts });
  return {
    listings: snapshot.listings,
    tombstones: byHost(tombstones),
    remembered: byHost(remembered.flatMap((group) => group.tombstones)),
    plans,
  };
}

function byHost(tombstones: readonly Tombstone[]): Visibilities {
  return new Map(tombstones.map(({ host, why }) => [host, why]));
}

/** Adds the remedy to the error of files that cannot be read. @throws the error */
export function orBuildAgain(error: unknown): never {
  if (!(error instanceof BadSnapshotError)) throw error;
  const { message } = error;
  throw new BadSnapshotError(
    `${message}, so it is unknown which listings may still be shown: run crawldex build`,
    { cause: error },
  );
}
