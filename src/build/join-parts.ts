import { existsSync } from "node:fs";
import { join } from "node:path";
import { itemAt, tableOf } from "../contract/tables.js";
import { disk } from "../files/disk.js";
import { type Lock, lockStore } from "../files/lock.js";
import { fileState } from "../files/regular.js";
import { RECORDS } from "../published/checking/rules.js";
import type { FileRecords } from "../published/locating/record-index.js";
import { publicationsUpTo } from "../store/change-log.js";
import { readStandards } from "../store/directory-facts.js";
import { type StoredFile, segmentFiles } from "../store/format.js";
import { layout } from "../store/layout.js";
import { isWhole, StoredSnapshot } from "../store/reader.js";
import { StoredSegments } from "../store/segments/set.js";
import { Tally } from "../store/tally.js";
import type { BuildResult } from "./build.js";
import { notedRereads, statesOf } from "./built-notes.js";
import { ChangeLog } from "./change-log.js";
import { discardRun, prepareStore } from "./clean-up.js";
import { Marks } from "./erasure.js";
import { type Built, readNotes } from "./notes.js";
import { type JoinOptions, joinSettings } from "./options.js";
import { readParts, type WholePart } from "./parts.js";
import { publishBuilt } from "./publish-built.js";
import { requirePlaceOf } from "./purge.js";
import { lossLimits } from "./removal-limit.js";
import { lossesIn, requireFewLost } from "./removals.js";
import { republished } from "./republished.js";
import type { DoneSegments } from "./segments.js";

/**
 * Publishes the parts in a store's `.parts`, each built by `build` with `part`, as one snapshot, as `crawldex build
 * --join` does. The snapshot has the same content as a build of the whole input. The parts stay, so that their next
 * builds compile only what has changed. The results of their own builds have their warnings.
 * @throws PartsRefusedError if a part is missing, damaged, there twice, or built from another input, by another program
 * or with other documents; otherwise the errors of `build`
 */
export async function joinParts(options: JoinOptions = {}): Promise<BuildResult> {
  const settings = joinSettings(options);
  const { store, purgeList } = settings;
  if (purgeList !== undefined) requirePlaceOf(purgeList);
  const lock = await lockStore(store);
  return lock.during(async () => {
    const isNew = !existsSync(join(store, "segments"));
    try {
      return await joinLocked(settings, isNew, lock);
    } catch (error) {
      await discardRun(store, lock, isNew);
      throw error;
    }
  });
}

async function joinLocked(
  settings: ReturnType<typeof joinSettings>,
  isNew: boolean,
  lock: Lock,
): Promise<BuildResult> {
  const { store, keep, dryRun, now } = settings;
  const notes = await readNotes(store);
  const parts = await readParts(store);
  await prepareStore(store, lock, dryRun ? Infinity : keep, notes);
  const { kept, newBytes } = await bringSegments(store, parts, settings.signal);
  const done: DoneSegments = { ...joinedSegments(parts), kept };
  const { counts, figures } = done;
  const part = itemAt(parts, 0);
  const { manifest: first } = part.former;
  const segments = new StoredSegments(store, done.segments, first.vocabulary);
  const limits = lossLimits(settings);
  const log = new ChangeLog(publicationsUpTo(first).kept, now);
  const losses = await lossesIn(store, segments, null, notes.publications, limits, log);
  const noWarnings = { warnings: [], warningCount: 0, warningGroups: [] };
  requireFewLost(losses, limits, { folder: layout.parts(store), ...noWarnings });
  // Documents that do not count listings are the same in each part.
  const snapshot = await StoredSnapshot.openManifest(part.store, part.former.id);
  const { publications } = notes;
  const { manifest, documents } = await republished(snapshot, {
    store,
    set: segments,
    counts,
    figures,
    log,
    publications,
    now,
    standards: await readStandards(snapshot),
  }).finally(() => snapshot.close());
  const result = await publishBuilt(settings, lock, notes, isNew, {
    done,
    segments,
    losses,
    documents,
    manifest,
    newBytes: newBytes + log.bytesWritten,
    listings: sum(parts.map((part) => recordCount(part, "listings"))),
    scans: sum(parts.map((part) => recordCount(part, "scans"))),
    built: (id) => joinedNotes(store, id, parts, done),
    isNoted: false,
  });
  return { ...result, ...noWarnings };
}

/** Links the files of all parts into the store, unless they are there already. */
async function bringSegments(
  store: string,
  parts: readonly WholePart[],
  signal: AbortSignal | undefined,
): Promise<{ kept: number; newBytes: number }> {
  let kept = 0;
  let newBytes = 0;
  for (const part of parts) {
    for (const segment of part.former.manifest.segments) {
      signal?.throwIfAborted();
      if (await isInStore(store, part, segment.pack)) kept += 1;
      for (const file of segmentFiles([segment])) {
        if (await isInStore(store, part, file)) continue;
        await disk.link(join(part.store, file.file), join(store, file.file));
        newBytes += file.bytes;
      }
    }
  }
  return { kept, newBytes };
}

async function isInStore(store: string, part: WholePart, file: StoredFile): Promise<boolean> {
  const state = fileState(join(store, file.file));
  if (state === null) return false;
  const own = fileState(join(part.store, file.file));
  const isOne = state.inode === own?.inode && state.device === own.device;
  return isOne || isWhole(store, file);
}

function joinedSegments(parts: readonly WholePart[]): Omit<DoneSegments, "kept"> {
  const tally = new Tally();
  const counts = { reports: 0, searchable: 0, historical: 0 };
  for (const { former } of parts) {
    tally.addFigures(former.figures);
    counts.reports += former.manifest.counts.reports;
    counts.searchable += former.manifest.counts.searchable;
    counts.historical += former.manifest.counts.historical;
  }
  return {
    segments: parts.flatMap(({ former }) => former.manifest.segments),
    counts,
    figures: tally.figures(),
    marks: new Marks(joinedWords(parts.map(({ former }) => former.marks.words))),
    tombstones: parts.flatMap(({ former }) => former.tombstones),
    former: null,
  };
}

/** The notes that the next build of the whole needs. It reads all input files, but compiles only what has changed. */
function joinedNotes(
  store: string,
  id: string,
  parts: readonly WholePart[],
  done: DoneSegments,
): Built {
  const filesOf = (kind: "listings" | "scans") =>
    parts.flatMap(({ part, built }) =>
      built[kind].map((file) => ({
        ...file,
        name: `${part.number}-of-${part.count}/${file.name}`,
      })),
    );
  const { tool, documents } = itemAt(parts, 0).built;
  return {
    id,
    tool,
    documents,
    rereads: notedRereads(parts.flatMap(({ built }) => built.rereads)),
    files: statesOf(store, done.segments),
    marks: done.marks.words,
    records: tableOf(RECORDS, (kind) =>
      joinedRecords(parts.map(({ built }) => built.records[kind])),
    ),
    listings: filesOf("listings"),
    scans: filesOf("scans"),
  };
}

function joinedRecords(parts: readonly FileRecords[]): FileRecords {
  const offset = new Float64Array(sum(parts.map((part) => part.offset.length)));
  let at = 0;
  for (const part of parts) {
    offset.set(part.offset, at);
    at += part.offset.length;
  }
  const words = (name: "length" | "line" | "hostHash" | "digest") =>
    joinedWords(parts.map((part) => part[name]));
  return {
    offset,
    length: words("length"),
    line: words("line"),
    hostHash: words("hostHash"),
    digest: words("digest"),
  };
}

function joinedWords(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(sum(parts.map(({ length }) => length)));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function recordCount({ built }: WholePart, kind: "listings" | "scans"): number {
  return sum(built[kind].map(({ records }) => records));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
