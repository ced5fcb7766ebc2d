import type { Lock } from "../files/lock.js";
import { PHASES } from "../options/options.js";
import type { Warnings } from "../published/checking/problem.js";
import type { Manifest } from "../store/format.js";
import type { StoredSegments } from "../store/snapshot-reader.js";
import type { BuildResult } from "./build.js";
import { discardRun } from "./clean-up.js";
import { inOrder, rememberedAfter } from "./erasure.js";
import { snapshotBytes } from "./manifest.js";
import type { BuilderNotes, Built } from "./notes.js";
import type { buildSettings } from "./options.js";
import { cleanUpAfter, type PublicDocument, publish } from "./publish.js";
import { type Losses, leftOutCounts } from "./removals.js";
import type { DoneSegments } from "./segments.js";

/** A snapshot whose segments are all in the store, and whose losses are allowed. */
export interface BuiltSnapshot {
  readonly done: DoneSegments;
  readonly segments: StoredSegments;
  readonly losses: Losses;
  readonly documents: readonly PublicDocument[];
  readonly manifest: Manifest;
  /** The numbers of listings and scans that were read. */
  readonly listings: number;
  readonly scans: number;
  /** Bytes of the segments that the store did not have. */
  readonly newBytes: number;
  /** The notes for the next build. */
  built(id: string): Built;
  /** Whether the store's notes say all of this already, if they name the snapshot itself. */
  readonly isNoted: boolean;
}

/** A build's result without its warnings. */
type Outcome = Omit<BuildResult, keyof Warnings>;

/**
 * Publishes what a build has made, or discards it if it is a dry run.
 * @param isNew whether the run created the store
 * @throws StoreLockedError; StoreWriteError
 */
export async function publishBuilt(
  settings: Pick<
    ReturnType<typeof buildSettings>,
    "store" | "keep" | "purgeList" | "signingKey" | "dryRun" | "onProgress"
  >,
  lock: Lock,
  notes: BuilderNotes,
  isNew: boolean,
  snapshot: BuiltSnapshot,
): Promise<Outcome> {
  const { store, keep, purgeList, signingKey, dryRun, onProgress } = settings;
  const { done, segments, losses, documents, manifest, listings, scans, newBytes } = snapshot;
  const { counts } = done;
  const remembered = await rememberedAfter(store, notes, done, segments);
  const tombstones = inOrder(done.tombstones);
  const wasNoted = snapshot.isNoted && notes.rolledBack?.isOver !== false;
  // Clean-up keeps the snapshot that the notes name as the last build's, so they must name the new one.
  const noted = (id: string) =>
    wasNoted && notes.built?.id === id
      ? null
      : {
          tombstones,
          remembered,
          built: snapshot.built(id),
          ...(notes.rolledBack && { rolledBack: { ...notes.rolledBack, isOver: true } }),
        };
  onProgress?.(0, 0, PHASES.publishing);
  const after = await publish(store, lock, {
    manifest,
    documents,
    notes,
    noted,
    purgeList,
    signingKey,
    dryRun,
  });
  if (dryRun) await discardRun(store, lock, isNew);
  else await cleanUpAfter(after.id, store, lock, keep, after.notes);
  return {
    id: after.id,
    dryRun,
    changed: after.changed,
    generation: after.generation,
    changes: losses.changes,
    counts: { listings, scans, ...counts },
    notInSearch: leftOutCounts(tombstones, listings, counts.searchable),
    kept: done.kept,
    segments: done.segments.length,
    bytes: snapshotBytes(manifest),
    bytesWritten: newBytes + after.bytes,
    uncheckedRemovals: losses.unchecked,
  };
}
