import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { byCodeUnit } from "../contract/order.js";
import { itemAt, tableOf } from "../contract/tables.js";
import { disk } from "../files/disk.js";
import { hasCode } from "../files/errors.js";
import { type Lock, lockStore } from "../files/lock.js";
import { fileState } from "../files/regular.js";
import { RECORD_KINDS } from "../published/locating/files.js";
import type { FileRecords } from "../published/locating/record-columns.js";
import { publicationsUpTo } from "../store/change-log.js";
import { type StoredFile, segmentFiles } from "../store/format.js";
import { layout } from "../store/layout.js";
import { currentId, isWhole, StoredSnapshot, segmentsIn } from "../store/reader.js";
import { Tally } from "../store/tally.js";
import type { BuildResult } from "./build.js";
import { ChangeLog } from "./change-log.js";
import { discardRun, prepareStore } from "./clean-up.js";
import { Marks } from "./erasure.js";
import { republished } from "./manifest.js";
import { type BuilderNotes, type Built, notedRereads, readNotes, statesOf } from "./notes.js";
import { type JoinOptions, joinSettings } from "./options.js";
import { type FormerBuild, formerBuild } from "./plan.js";
import { publishBuilt } from "./publish-built.js";
import { requirePlaceOf } from "./purge.js";
import { firstHosts, lossLimits } from "./removal-limit.js";
import { lossesIn, requireFewLost } from "./removals.js";
import type { DoneSegments } from "./segments.js";
import { toolDigest } from "./tool.js";

/** The parts of a build do not fit together. Nothing was published. The message names each bad part with the remedy. */
export class PartsRefusedError extends Error {
  override readonly name = "PartsRefusedError";
  /** One sentence for each problem. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`${problems.join(". ")}. Nothing was published`);
    this.problems = problems;
  }
}

/** A part that was built, in a store of its own. */
export interface BuiltPart {
  /** The part's store. */
  readonly store: string;
  readonly part: NonNullable<Built["part"]>;
  readonly notes: BuilderNotes;
  readonly built: Built;
}

/** A part whose files are whole, with the facts of its snapshot and its notes. */
export interface WholePart extends BuiltPart {
  readonly former: FormerBuild;
}

/**
 * Reads all parts in a store, and checks that they are one build: each part once, of the same input, with the same
 * documents and program, and with whole files.
 * @returns the parts in their order
 * @throws PartsRefusedError
 */
async function readParts(store: string): Promise<WholePart[]> {
  const folder = layout.parts(store);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (hasCode(error, ["ENOENT"])) return [];
    throw error;
  });
  const names = entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  if (names.length === 0) {
    throw new PartsRefusedError([
      `there are no parts in ${folder}; build each with crawldex build <published> --part 1/16 and so on`,
    ]);
  }
  const parts: BuiltPart[] = [];
  const unfinished: string[] = [];
  for (const name of names.sort(byCodeUnit)) {
    const part = await readPart(join(folder, name));
    if (part === null) unfinished.push(join(folder, name));
    else parts.push(part);
  }
  const problems = [
    ...(unfinished.length === 0
      ? []
      : [`${firstHosts(unfinished)} has no part that was built to its end; build it again`]),
    ...problemsOf(parts, unfinished.length > 0),
  ];
  if (problems.length > 0) throw new PartsRefusedError(problems);
  return wholeParts(parts.sort((a, b) => a.part.number - b.part.number));
}

/** Null if the last build of the part has not ended. */
async function readPart(store: string): Promise<BuiltPart | null> {
  const notes = await readNotes(store);
  const { built } = notes;
  const current = await currentId(store).catch(() => null);
  if (built?.part === undefined || built.id !== current) return null;
  return { store, part: built.part, notes, built };
}

/** @param lacks whether some parts could not be read. Then no part is reported as missing */
function problemsOf(parts: readonly BuiltPart[], lacks: boolean): string[] {
  const problems: string[] = [];
  const refuse = (wrong: readonly BuiltPart[], what: string, remedy: string) => {
    const names = wrong.map(({ store, part }) => `${part.number}/${part.count} (${store})`);
    if (names.length > 0) problems.push(`${firstHosts(names)}: ${what}; ${remedy}`);
  };
  const again = "build again with --part";
  const count = usual(parts, ({ part }) => part.count);
  const divided = parts.filter(({ part }) => String(part.count) === count);
  const others = parts.filter((one) => !divided.includes(one));
  refuse(others, `is not one of ${count} parts, as most are`, "delete its folder");
  const numbers = divided.map(({ part }) => part.number);
  const twice = divided.filter(({ part }) => numbers.filter((n) => n === part.number).length > 1);
  refuse(twice, "is there twice", "delete the folder that you do not want");
  const missing = Array.from({ length: Number(count) }, (_, i) => i + 1)
    .filter((number) => !numbers.includes(number))
    .map((number) => `${number}/${count}`);
  if (missing.length > 0 && !lacks) {
    problems.push(`part ${firstHosts(missing)} is missing; build it with --part`);
  }
  refuse(
    divided.filter(({ built }) => built.tool !== toolDigest()),
    "was built with another version of the program, or of Node",
    `${again}, or join with the version that built it`,
  );
  for (const [what, of] of [
    ["other documents", ({ built }: BuiltPart) => built.documents],
    ["another input", ({ part }: BuiltPart) => part.whole.digest],
  ] as const) {
    const most = usual(divided, of);
    const wrong = divided.filter((one) => of(one) !== most);
    refuse(wrong, `was built from ${what} than most parts`, again);
  }
  return problems;
}

/** The most frequent value; in a tie, the one that comes first. */
function usual(parts: readonly BuiltPart[], of: (part: BuiltPart) => string | number): string {
  const counts = new Map<string, number>();
  for (const part of parts) {
    const value = String(of(part));
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const [[value] = [""]] = [...counts].sort(([, a], [, b]) => b - a);
  return value;
}

async function wholeParts(parts: readonly BuiltPart[]): Promise<WholePart[]> {
  const whole: WholePart[] = [];
  const damaged: string[] = [];
  for (const part of parts) {
    const former = await formerBuild(part.store, part.notes);
    if (former?.id === part.built.id) whole.push({ ...part, former });
    else damaged.push(part.store);
  }
  if (damaged.length === 0) return whole;
  throw new PartsRefusedError([
    `${firstHosts(damaged)} is damaged or incomplete; copy it again, or build it again with --part`,
  ]);
}

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
  const segments = segmentsIn(store, done.segments, first.vocabulary);
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
    standards: await snapshot.readStandards(),
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
    records: tableOf(RECORD_KINDS, (kind) =>
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
