import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { directoryContext } from "../compile/directory.js";
import { installedExtras } from "../extra.js";
import { StoreWriteError } from "../files/disk.js";
import { type Lock, lockStore } from "../files/lock.js";
import { isWithin } from "../files/paths.js";
import type { Warnings } from "../input/checking/problem.js";
import {
  type Input,
  type OpenOptions,
  openInput,
  throwIfBadInput,
  warnOfListings,
  warnOfLostScans,
  warnOfUnbanded,
} from "../input/input.js";
import { type OnProgress, PHASES } from "../lib/options.js";

export { BadPublishedError } from "../input/input.js";

import type { FormerRubric } from "../input/checking/schemas.js";
import { RECORD_KINDS } from "../input/locating/files.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { SnapshotCounts, Withdrawal } from "../store/format.js";
import { segmentsIn } from "../store/reader.js";
import { Additions, type PublicationStart } from "./additions.js";
import { discardRun, type LingeringSnapshot, prepareStore } from "./clean-up.js";
import { inOrder, missingAfter, type Tombstone } from "./erasure.js";
import {
  builtContent,
  type Content,
  newSegmentBytes,
  snapshotBytes,
  snapshotOf,
} from "./manifest.js";
import { type BuilderNotes, type Built, builtNotes, readNotes } from "./notes.js";
import {
  type BuildOptions,
  type BuildSettings,
  buildSettings,
  type PublishSettings,
  type ValidateOptions,
  validateSettings,
} from "./options.js";
import { formerBuild, planBuild } from "./plan.js";
import { cleanUpAfter, publish } from "./publish.js";
import { requirePlaceOf } from "./purge.js";
import { lossLimits } from "./removal-limit.js";
import {
  type BuildChanges,
  type Losses,
  lossesIn,
  type NotInSearchCounts,
  notInSearchCounts,
  type RefusedInput,
  requireFewLost,
  withoutScans,
} from "./removals.js";
import { rubricsWith, seenRubrics } from "./rubrics.js";
import { type DoneSegments, doSegments, readAll } from "./segments.js";
import {
  respectWithdrawals,
  restoredHashes,
  shiftWithout,
  withdrawalFinder,
  withdrawalsIn,
} from "./withdrawals.js";

/** The result of `build`. For a dry run, it says what the build would do. */
export interface BuildResult extends Warnings {
  /** The id of the snapshot that is current now. A dry run's differs from the build's, as it depends on the time. */
  readonly id: string;
  /** Whether this was a dry run, which publishes nothing. */
  readonly dryRun: boolean;
  /** Whether the current snapshot is a different one than before. */
  readonly changed: boolean;
  /** How listings and scores change against the snapshot that was current; null if that one is damaged. */
  readonly changes: BuildChanges | null;
  /** The publication's number, from 1. It rises by one whenever the content changes. */
  readonly generation: number;
  /** The snapshot's counts, and the numbers of listings and scans that were read. */
  readonly counts: SnapshotCounts & { readonly listings: number; readonly scans: number };
  /**
   * How many listings of the input are not in search, by reason, in the words of `explain`. The number of listings
   * without a report is `counts.listings` less `counts.reports`.
   */
  readonly notInSearch: NotInSearchCounts;
  /** Number of segments (a table and a pack each). */
  readonly segments: number;
  /** How many of these segments the last build had already. */
  readonly kept: number;
  /** Total size of all files that the snapshot names, including files that it shares with other snapshots. */
  readonly bytes: number;
  /** Bytes of the snapshot's files that the build wrote. */
  readonly bytesWritten: number;
  /** Why some lost listings and scores were not counted, if the previous snapshot is damaged; else null. */
  readonly uncheckedRemovals: string | null;
  /** Former snapshots beyond `keep` that stay for a minute after they were current, for servers that read them. */
  readonly lingering: readonly LingeringSnapshot[];
}

/** The result of `validate`: a build's checks found no error. */
export interface Validation extends Warnings {
  /** The number of listings. */
  readonly listings: number;
  /** The number of scans. */
  readonly scans: number;
}

/**
 * Compiles a published directory into a snapshot and makes it the store's current one, as `crawldex build` does. If it
 * rejects with one of the errors below, the current snapshot stays current.
 * @param published the published directory's folder
 * @throws BadPublishedError with every error of the input; PublishedFolderError if the directory does not exist;
 * TooManyRemovedError if more listings would be removed, or lose their
 * score or its band, than `maxRemoved`, `maxUnscored` or `maxUnbanded` allows; StoreLockedError while another build
 * runs; StoreWriteError if the store cannot be written; TypeError for a wrong argument
 */
export async function build(published: string, options: BuildOptions = {}): Promise<BuildResult> {
  const settings = await buildSettings(published, options);
  requireOutside(published, settings.store);
  if (settings.purgeList !== undefined) requirePlaceOf(settings.purgeList);
  return buildInStore(published, await changedByExtras(settings));
}

/** @throws StoreWriteError if a store would lie among the records, where the next build would read its files */
function requireOutside(published: string, store: string): void {
  const among = RECORD_KINDS.map((name) => resolve(published, name));
  if (!among.some((folder) => isWithin(folder, resolve(store)))) return;
  throw new StoreWriteError(
    `${store} lies among the records of ${published}, where the next build would read its files; choose another store`,
  );
}

/** What a build does, after all extras whose options ask for a change. */
async function changedByExtras(settings: BuildSettings): Promise<BuildSettings> {
  let changed = settings;
  for (const { changeBuild } of installedExtras()) {
    changed = (await changeBuild?.(changed)) ?? changed;
  }
  return changed;
}

async function buildInStore(published: string, settings: BuildSettings): Promise<BuildResult> {
  const lock = await lockStore(settings.store);
  return lock.during(async () => {
    try {
      return await buildLocked(published, settings, lock);
    } catch (error) {
      if (settings.full || !(error instanceof BadSnapshotError)) throw error;
      // A file of the last build was damaged while this one read it.
      return buildLocked(published, { ...settings, full: true }, lock);
    }
  });
}

/**
 * Runs the checks of a build and writes nothing, as `crawldex validate` does.
 * @param published the published directory's folder
 * @throws BadPublishedError with every error of the input; PublishedFolderError if the directory does not exist;
 * TypeError for a wrong argument
 */
export async function validate(
  published: string,
  options: ValidateOptions = {},
): Promise<Validation> {
  const { jobs, strict, accept, now, signal, onProgress } = validateSettings(published, options);
  const onRead = onReadOf(onProgress);
  const opened = await openInput(published, { signal, now, accept, onRead });
  const figures = await readAll(opened, { jobs, signal, onProgress });
  if (opened.findings.problems.count === 0)
    warnOfUnbanded(published, opened, figures, " unless the store has published that rubric");
  throwIfBadInput(opened, published, strict);
  const { listingCount: listings, scanCount: scans } = opened;
  return { listings, scans, ...opened.findings.listed };
}

function onReadOf(onProgress: OnProgress | undefined): OpenOptions["onRead"] {
  return onProgress && ((records, done, total) => onProgress(done, total, PHASES[records]));
}

async function buildLocked(
  folder: string,
  settings: BuildSettings,
  lock: Lock,
): Promise<BuildResult> {
  const { store, keep, jobs, full, strict, now, signal, onProgress, segmentSize, dryRun } =
    settings;
  const { accept, select } = settings;
  // A new store's folder exists already, because taking the lock creates it.
  const isNew = !existsSync(join(store, "segments"));
  const notes = await readNotes(store);
  const former = full ? null : await formerBuild(store, notes);
  const known = former?.known;
  const seen = await seenRubrics(store, notes, settings.wholeStore);
  const opening = { seen, signal, now, known, accept, select, onRead: onReadOf(onProgress) };
  const published = await openInput(folder, opening);
  try {
    const throwIfBad = () => throwIfBadInput(published, folder, strict);
    if (published.findings.problems.count > 0) {
      await readAll(published, { jobs, signal, onProgress });
      throwIfBad();
    }
    const { directory, context } = publicDocumentsOf(published);
    const withdrawals = await withdrawalsIn(store, notes);
    const restored = restoredHashes(notes.tombstones, withdrawals);
    const plan = planBuild(published, former, segmentSize, restored);
    const options = { store, jobs, signal, onProgress, throwIfBad };
    await prepareStore(store, lock, dryRun ? Infinity : keep, notes);
    const made = await doSegments(published, context, plan, options);
    throwIfBad();
    const { done, withdrawn } = await respectWithdrawals(store, context, made, withdrawals);
    const result = await publishBuilt(settings, lock, notes, isNew, {
      done,
      content: {
        ...(await builtContent(directory, context, done.figures)),
        // The same program makes the same answers from the same input.
        digest:
          plan.untouched && done.segments === made.segments
            ? plan.former?.manifest.content
            : undefined,
      },
      withdrawn,
      basis: { directory },
      seen,
      formerRubric: published.formerRubrics.at(-1) ?? null,
      read: { listings: published.listingCount, scans: published.scanCount },
      newBytes: newSegmentBytes(done.segments, plan.former?.manifest.segments),
      input: ({ lost }) => {
        warnOfLostScans(published, withoutScans(lost.report, done.tombstones));
        warnOfUnbanded(folder, published, done.figures);
        warnOfWithdrawn(published, done.tombstones, withdrawn);
        throwIfBad();
        return { folder, ...published.findings.listed };
      },
      built: (id) => builtNotes(store, id, published, plan.former?.states, done),
      isNoted: plan.untouched && select === undefined,
    });
    return { ...result, ...published.findings.listed };
  } catch (error) {
    await discardRun(store, lock, isNew);
    throw error;
  }
}

/** A build whose segments are all in the store. */
interface FinishedBuild {
  readonly done: DoneSegments;
  readonly content: Omit<Content, "listings" | "counts">;
  /** What the documents are made from. */
  readonly basis: PublicationStart["basis"];
  /** The rubrics of the store's publications so far, and the one before the current one. */
  readonly seen: readonly FormerRubric[];
  readonly formerRubric: FormerRubric | null;
  /** The numbers of listings and scans that were read. */
  readonly read: { readonly listings: number; readonly scans: number };
  /** The withdrawals that the next builds must respect. */
  readonly withdrawn: readonly Withdrawal[];
  /** Bytes of the segments that the store did not have. */
  readonly newBytes: number;
  /** The input and its warnings, for a refusal. @throws BadPublishedError if the losses are errors of the input */
  input(losses: Losses): RefusedInput;
  /** The notes for the next build. */
  built(id: string): Built;
  /** Whether the store's notes say all of this already, if they name the snapshot itself. */
  readonly isNoted: boolean;
}

/**
 * Publishes what a build has made, or discards it if it is a dry run.
 * @param isNew whether the run created the store
 * @returns the build's result without its warnings
 * @throws TooManyRemovedError; StoreLockedError; StoreWriteError
 */
export async function publishBuilt(
  settings: PublishSettings,
  lock: Lock,
  notes: BuilderNotes,
  isNew: boolean,
  finished: FinishedBuild,
): Promise<Omit<BuildResult, keyof Warnings>> {
  const { done, content, basis, seen, read, newBytes, input, built, isNoted } = finished;
  const { store, keep, now, purgeList, sign, dryRun, onProgress } = settings;
  const { publications } = notes;
  const { counts } = done;
  const listings = segmentsIn(store, done.segments, content.facts.vocabulary);
  const { former } = content.facts.vocabulary;
  const additions = await Additions.begin({ store, now, basis, former });
  const limits = lossLimits(settings);
  const losses = await lossesIn(store, listings, done.former, publications, limits, additions);
  requireFewLost(losses, limits, input(losses));
  const { withdrawn } = finished;
  const shift = shiftWithout(
    withdrawn.map(({ hash }) => hash),
    finished.formerRubric,
    done.fingerprints,
  );
  const hasErased = done.former?.hasErased ?? true;
  const publishing = { publications, additions, withdrawn, shift, hasErased };
  const snapshot = await snapshotOf({ ...content, listings, counts }, publishing);
  const missing = await missingAfter(store, notes, done, listings);
  const tombstones = inOrder(done.tombstones);
  const wasNoted = isNoted && notes.rolledBack?.isOver !== false;
  // Clean-up keeps the snapshot that the notes name as the last build's, so they must name the new one.
  const noted = (id: string) =>
    wasNoted && notes.built?.id === id
      ? null
      : {
          tombstones,
          missing,
          withdrawn: [...withdrawn],
          rubrics: rubricsWith(seen, content.standards.rubric),
          built: built(id),
          ...(notes.rolledBack && { rolledBack: { ...notes.rolledBack, isOver: true } }),
        };
  onProgress?.(0, 0, PHASES.publishing);
  const publication = { ...snapshot, notes, noted, purgeList, sign, dryRun };
  const { id, changed, generation, bytes, notes: after } = await publish(store, lock, publication);
  const lingering = dryRun ? [] : await cleanUpAfter(id, store, lock, keep, after);
  if (dryRun) await discardRun(store, lock, isNew);
  return {
    id,
    dryRun,
    changed,
    generation,
    changes: losses.changes,
    counts: { ...read, ...counts },
    notInSearch: notInSearchCounts(tombstones, read.listings, counts.searchable),
    kept: done.kept,
    segments: done.segments.length,
    bytes: snapshotBytes(snapshot.manifest),
    bytesWritten: newBytes + additions.bytesWritten + bytes,
    uncheckedRemovals: losses.unchecked,
    lingering,
  };
}

/** Warns of each withdrawn host whose record does not state a removal, with the remedy. */
function warnOfWithdrawn(
  published: Input,
  tombstones: readonly Tombstone[],
  withdrawn: readonly Withdrawal[],
): void {
  const find = withdrawalFinder(withdrawn);
  const messages = new Map<string, string>();
  for (const { host, why } of tombstones) {
    const withdrawal = why === "withdrawn" ? find(host) : undefined;
    if (withdrawal === undefined) continue;
    const day = new Date(withdrawal.at).toISOString().slice(0, 10);
    messages.set(
      host,
      `was withdrawn on ${day}, so it is not published; state "visibility": "removed" in its record, or lift ` +
        `the withdrawal with crawldex withdraw --restore ${host}`,
    );
  }
  warnOfListings(published, "listing-withdrawn", messages);
}

function publicDocumentsOf({ directory, standards, formerRubrics, taxonomy, former }: Input) {
  if (directory === null || standards === null || taxonomy === null) {
    throw new TypeError("a published directory without its documents has problems");
  }
  const context = directoryContext(directory, standards, taxonomy, formerRubrics, former);
  return { directory, context };
}
