import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { byCodeUnit } from "../../contract/order.js";
import { itemAt, tableOf } from "../../contract/tables.js";
import { disk } from "../../files/disk.js";
import { hasCode } from "../../files/errors.js";
import { type Lock, lockStore } from "../../files/lock.js";
import { fileState } from "../../files/regular.js";
import { NO_WARNINGS } from "../../input/checking/problem.js";
import { RECORD_KINDS } from "../../input/locating/files.js";
import type { FileRecords } from "../../input/locating/record-columns.js";
import { checkedOptions } from "../../lib/options.js";
import { type BuildResult, publishBuilt } from "../../publish/build.js";
import { discardRun, prepareStore } from "../../publish/clean-up.js";
import { contentLike } from "../../publish/manifest.js";
import {
  type BuilderNotes,
  type Built,
  notedRereads,
  readNotes,
  statesOf,
} from "../../publish/notes.js";
import {
  PUBLISH,
  type PublishOptions,
  type PublishSettings,
  timeNow,
} from "../../publish/options.js";
import { type FormerBuild, formerBuild } from "../../publish/plan.js";
import { requirePlaceOf } from "../../publish/purge.js";
import { firstHosts } from "../../publish/removal-limit.js";
import { seenRubrics } from "../../publish/rubrics.js";
import { type DoneSegments, joinedColumn, sumOf } from "../../publish/segments.js";
import { toolDigest } from "../../publish/tool.js";
import { type StoredFile, segmentFiles } from "../../store/format.js";
import { currentId, isWhole, StoredSnapshot } from "../../store/reader.js";
import { signerFor } from "../../store/signers.js";
import { NotedPart, partsFolder } from "./share.js";

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

/** A share of the input that was built, in a store of its own: a part, to users. */
interface BuiltShare {
  /** The share's store. */
  readonly store: string;
  readonly part: NotedPart;
  readonly notes: BuilderNotes;
  readonly built: Built;
}

/** A share whose files are whole, with the facts of its snapshot and its notes. */
interface WholeShare extends BuiltShare {
  readonly former: FormerBuild;
}

/**
 * Reads all parts in a store, and checks that they are one build: each part once, of the same input, with the same
 * documents and program, and with whole files.
 * @returns the parts in their order
 * @throws PartsRefusedError
 */
async function readShares(store: string): Promise<WholeShare[]> {
  const folder = partsFolder(store);
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
  const shares: BuiltShare[] = [];
  const unfinished: string[] = [];
  for (const name of names.sort(byCodeUnit)) {
    const share = await readShare(join(folder, name));
    if (share === null) unfinished.push(join(folder, name));
    else shares.push(share);
  }
  const problems = [
    ...(unfinished.length === 0
      ? []
      : [`${firstHosts(unfinished)} has no part that was built to its end; build it again`]),
    ...problemsOf(shares, unfinished.length > 0),
  ];
  if (problems.length > 0) throw new PartsRefusedError(problems);
  return wholeShares(shares.sort((a, b) => a.part.number - b.part.number));
}

/** Null if the last build of the part has not ended. */
async function readShare(store: string): Promise<BuiltShare | null> {
  const notes = await readNotes(store);
  const { built } = notes;
  const current = await currentId(store).catch(() => null);
  const part = NotedPart.safeParse(built?.selected).data;
  if (built === null || part === undefined || built.id !== current) return null;
  return { store, part, notes, built };
}

/** @param lacks whether some parts could not be read. Then no part is reported as missing */
function problemsOf(shares: readonly BuiltShare[], lacks: boolean): string[] {
  const problems: string[] = [];
  const refuse = (wrong: readonly BuiltShare[], what: string, remedy: string) => {
    const names = wrong.map(({ store, part }) => `${part.number}/${part.count} (${store})`);
    if (names.length > 0) problems.push(`${firstHosts(names)}: ${what}; ${remedy}`);
  };
  const again = "build again with --part";
  const count = usual(shares, ({ part }) => part.count);
  const divided = shares.filter(({ part }) => String(part.count) === count);
  const others = shares.filter((one) => !divided.includes(one));
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
    ["other documents", ({ built }: BuiltShare) => built.documents],
    ["another input", ({ part }: BuiltShare) => part.whole.digest],
  ] as const) {
    const most = usual(divided, of);
    const wrong = divided.filter((one) => of(one) !== most);
    refuse(wrong, `was built from ${what} than most parts`, again);
  }
  return problems;
}

/** The most frequent value; in a tie, the one that comes first. */
function usual(shares: readonly BuiltShare[], of: (share: BuiltShare) => string | number): string {
  const counts = new Map<string, number>();
  for (const share of shares) {
    const value = String(of(share));
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const [[value] = [""]] = [...counts].sort(([, a], [, b]) => b - a);
  return value;
}

async function wholeShares(shares: readonly BuiltShare[]): Promise<WholeShare[]> {
  const whole: WholeShare[] = [];
  const damaged: string[] = [];
  for (const share of shares) {
    const former = await formerBuild(share.store, share.notes);
    if (former?.id === share.built.id) whole.push({ ...share, former });
    else damaged.push(share.store);
  }
  if (damaged.length === 0) return whole;
  throw new PartsRefusedError([
    `${firstHosts(damaged)} is damaged or incomplete; copy it again, or build it again with --part`,
  ]);
}

/** Options of `joinParts`: those of `build` that do not concern reading the input. */
export type JoinOptions = PublishOptions;

async function joinSettings(given: JoinOptions): Promise<PublishSettings> {
  const checked = checkedOptions("joinParts", given, PUBLISH);
  return { ...checked, sign: await signerFor(given), now: timeNow() };
}

/**
 * Publishes the parts in a store's `.parts`, each built by `build` with `part`, as one snapshot, as `crawldex build
 * --join` does. The snapshot has the same content as a build of the whole input. The parts stay, so that their next
 * builds compile only what has changed. The results of their own builds have their warnings.
 * @throws PartsRefusedError if a part is missing, damaged, there twice, or built from another input, by another program
 * or with other documents; otherwise the errors of `build`
 */
export async function joinParts(options: JoinOptions = {}): Promise<BuildResult> {
  const settings = await joinSettings(options);
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
  settings: PublishSettings,
  isNew: boolean,
  lock: Lock,
): Promise<BuildResult> {
  const { store, keep, dryRun } = settings;
  const notes = await readNotes(store);
  const shares = await readShares(store);
  await prepareStore(store, lock, dryRun ? Infinity : keep, notes);
  const { kept, newBytes } = await linkSegments(store, shares, settings.signal);
  const done: DoneSegments = { ...sumOf(shares.map(madeBy)), kept, former: null };
  // Documents that do not count listings are the same in each part.
  const { store: first, former } = itemAt(shares, 0);
  const snapshot = await StoredSnapshot.openManifest(first, former.id);
  try {
    const result = await publishBuilt(settings, lock, notes, isNew, {
      done,
      content: await contentLike(snapshot, done.figures),
      basis: { snapshot: snapshot.manifest },
      seen: await seenRubrics(store, notes),
      formerRubric: itemAt(shares, 0).built.former,
      read: tableOf(RECORD_KINDS, (kind) => sum(shares.map((share) => recordCount(share, kind)))),
      newBytes,
      input: () => ({ folder: partsFolder(store), ...NO_WARNINGS }),
      built: (id) => joinedNotes(store, id, shares, done),
      isNoted: false,
    });
    return { ...result, ...NO_WARNINGS };
  } finally {
    snapshot.close();
  }
}

/** Links the files of all parts into the store, unless they are there already. */
async function linkSegments(
  store: string,
  shares: readonly WholeShare[],
  signal: AbortSignal | undefined,
): Promise<{ kept: number; newBytes: number }> {
  let kept = 0;
  let newBytes = 0;
  for (const share of shares) {
    for (const segment of share.former.manifest.segments) {
      signal?.throwIfAborted();
      if (await isInStore(store, share, segment.pack)) kept += 1;
      for (const file of segmentFiles([segment])) {
        if (await isInStore(store, share, file)) continue;
        await disk.link(join(share.store, file.file), join(store, file.file));
        newBytes += file.bytes;
      }
    }
  }
  return { kept, newBytes };
}

async function isInStore(store: string, share: WholeShare, file: StoredFile): Promise<boolean> {
  const state = fileState(join(store, file.file));
  if (state === null) return false;
  const own = fileState(join(share.store, file.file));
  const isOne = state.inode === own?.inode && state.device === own.device;
  return isOne || isWhole(store, file);
}

function madeBy({ former }: WholeShare) {
  const { manifest, figures, fingerprints, tombstones } = former;
  const { segments, counts } = manifest;
  return { segments, counts, figures, fingerprints: fingerprints.words, tombstones };
}

/** The notes that the next build of the whole needs. It reads all input files, but compiles only what has changed. */
function joinedNotes(
  store: string,
  id: string,
  shares: readonly WholeShare[],
  done: DoneSegments,
): Built {
  const filesOf = (kind: "listings" | "scans") =>
    shares.flatMap(({ part, built }) =>
      built[kind].map((file) => ({
        ...file,
        name: `${part.number}-of-${part.count}/${file.name}`,
      })),
    );
  const { tool, documents, former } = itemAt(shares, 0).built;
  return {
    id,
    tool,
    documents,
    former,
    rereads: notedRereads(shares.flatMap(({ built }) => built.rereads)),
    files: statesOf(store, done.segments),
    fingerprints: done.fingerprints.words,
    records: tableOf(RECORD_KINDS, (kind) =>
      joinedRecords(shares.map(({ built }) => built.records[kind])),
    ),
    listings: filesOf("listings"),
    scans: filesOf("scans"),
  };
}

function joinedRecords(shares: readonly FileRecords[]): FileRecords {
  const words = (name: "length" | "line" | "hostHash" | "digest") =>
    joinedColumn(
      Uint32Array,
      shares.map((share) => share[name]),
    );
  return {
    offset: joinedColumn(
      Float64Array,
      shares.map(({ offset }) => offset),
    ),
    length: words("length"),
    line: words("line"),
    hostHash: words("hostHash"),
    digest: words("digest"),
  };
}

function recordCount({ built }: WholeShare, kind: "listings" | "scans"): number {
  return sum(built[kind].map(({ records }) => records));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
