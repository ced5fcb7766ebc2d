import { closeSync } from "node:fs";
import { join } from "node:path";
import { bandOf, type DirectoryContext, type Rubrics } from "../compile/directory.js";
import { type CompiledListing, compileListing } from "../compile/listing.js";
import { historyOf, scoreMoveOf } from "../compile/report.js";
import type { Figures } from "../contract/figures.js";
import { hostHash } from "../contract/host.js";
import type { Report } from "../contract/report.js";
import { installedExtras } from "../extra.js";
import { fillSync, isInside, openRegularSync } from "../files/regular.js";
import type { TakenFindings } from "../input/checking/problem.js";
import type { Listing } from "../input/checking/schemas.js";
import {
  InputReader,
  type LocatedInput,
  LostRecordError,
  type ScanOfListing,
} from "../input/input-reader.js";
import { BadSnapshotError, reading } from "../store/bad-snapshot.js";
import type { Segment, SnapshotCounts } from "../store/format.js";
import { sha256 } from "../store/layout.js";
import { segmentsIn } from "../store/reader.js";
import { answersOf, byHash, type DirectoryEntry } from "../store/segments/directory.js";
import { Tally } from "../store/tally.js";
import { fingerprintOf, type Tombstone } from "./erasure.js";
import { SegmentWriter } from "./segment-writer.js";

/** The settings that all orders of a build share. Can be posted to a thread. */
export interface BuildWork {
  readonly published: LocatedInput;
  /** The store to write to, and the documents to compile against; null if records are only checked. */
  readonly target: { readonly store: string; readonly context: DirectoryContext } | null;
}

/** Records to read, and to compile into segments. Can be posted to a thread. */
export interface CompileOrder {
  readonly kind: "compile";
  readonly order: number;
  /** The order is for hosts whose hash begins with the number `shard`, in `bits` bits. */
  readonly shard: number;
  readonly bits: number;
  /** Hashes of the hosts to read; null for all. */
  readonly reads: ReadonlySet<number> | null;
  /** Hashes of the hosts to compile; null for all. */
  readonly changed: ReadonlySet<number> | null;
  /** If false, the records are only read, to find their errors. */
  readonly write: boolean;
}

/** Listings of the last build to copy into one new segment. Can be posted to a thread. */
export interface CopyOrder {
  readonly kind: "copy";
  readonly order: number;
  /** Rows of the segments' directories. */
  readonly sources: readonly { readonly segment: Segment; readonly rows: Uint32Array }[];
}

export type SegmentOrder = CompileOrder | CopyOrder;

export interface SegmentOutcome {
  /** None if the order was only to read, or if an error was found. */
  readonly segments: readonly Segment[];
  /** Of the listings that were compiled. */
  readonly counts: SnapshotCounts;
  readonly figures: Figures;
  /** `FINGERPRINT_WORDS` for each listing, also for those without a report. */
  readonly fingerprints: Uint32Array;
  readonly tombstones: readonly Tombstone[];
  readonly findings: TakenFindings;
}

/** Does the work of a build, one order at a time. Works in any thread. */
export class SegmentWork {
  readonly #work: BuildWork;
  readonly #reader: InputReader;

  constructor(work: BuildWork) {
    this.#work = work;
    this.#reader = new InputReader(work.published);
  }

  /**
   * Does all compiling or copying before it returns its promise. The promise then waits only for the disk, so the
   * caller can start the next order meanwhile.
   * @throws StoreWriteError; BadSnapshotError if a listing to copy is damaged
   */
  run(order: SegmentOrder): Promise<SegmentOutcome> {
    return order.kind === "compile" ? this.#compile(order) : this.#copy(order);
  }

  close(): void {
    this.#reader.close();
  }

  async #compile(order: CompileOrder): Promise<SegmentOutcome> {
    const { target } = this.#work;
    const writer =
      order.write && target !== null ? new SegmentWriter(target.store, order.order) : null;
    const { standards, formerRubrics = [] } = this.#work.published;
    const found = new OrderFindings(standards && { standards, formerRubrics });
    try {
      this.#compileListings(order, writer, found);
    } catch (error) {
      // A lost record is a problem of the input, and the reader has already reported it.
      if (!(error instanceof LostRecordError)) {
        writer?.discard();
        throw error;
      }
    }
    const good = this.#reader.findings.problems.count === 0;
    const findings = this.#reader.findings.take();
    if (writer !== null && !good) writer.discard();
    const segments = writer !== null && good ? await writer.finish() : [];
    return { segments, findings, ...found.outcome() };
  }

  #compileListings(
    { shard, bits, reads, changed }: CompileOrder,
    writer: SegmentWriter | null,
    found: OrderFindings,
  ): void {
    const { target } = this.#work;
    for (const { listing, scans } of this.#reader.readShard(shard, bits, reads)) {
      const { host, visibility } = listing;
      const isOnlyRead = changed?.has(hostHash(host)) === false;
      if (target === null) found.addScore(listing, scans);
      if (writer === null || target === null || isOnlyRead) continue;
      if (this.#reader.findings.problems.count > 0) continue;
      const compiled = compileListing(listing, scans, target.context, gistsOf);
      if (compiled !== null) {
        const historical = writer.add(compiled);
        found.add(compiled, historical);
      }
      const history = compiled?.search ? historyOf(listing, scans) : null;
      const move = history && scoreMoveOf(history, target.context);
      found.fingerprints.push(...fingerprintOf(listing, hostHash(host), move));
      if (visibility !== "listed") found.tombstones.push({ host, why: visibility });
      else if (compiled === null) found.tombstones.push({ host, why: "unscanned" });
    }
  }

  async #copy({ order, sources }: CopyOrder): Promise<SegmentOutcome> {
    const { target } = this.#work;
    if (target === null) throw new TypeError("copies need a store");
    const segments = await copySegments(target.store, order, sources, target.context);
    return {
      segments,
      findings: this.#reader.findings.take(),
      ...new OrderFindings(null).outcome(),
    };
  }
}

function gistsOf(report: Report): string[] {
  return installedExtras().flatMap(({ name, gistOf }) =>
    gistOf === undefined ? [] : [`${name} ${gistOf(report)}`],
  );
}

/** The outcome of an order, except its problems and segments. */
class OrderFindings {
  readonly tombstones: Tombstone[] = [];
  readonly fingerprints: number[] = [];
  readonly #counts = { reports: 0, searchable: 0, historical: 0 };
  readonly #tally = new Tally();
  readonly #rubrics: Rubrics | null;

  constructor(rubrics: Rubrics | null) {
    this.#rubrics = rubrics;
  }

  /** Counts the score that a listing would have in search, without compiling it. */
  addScore(listing: Listing, scans: readonly ScanOfListing[]): void {
    const published = listing.visibility === "listed" ? historyOf(listing, scans)?.published : null;
    if (published == null || this.#rubrics === null) return;
    const { score: latestScore, scoreVersion: latestScoreVersion } = published;
    const latestBand = bandOf(published, this.#rubrics);
    const score = { latestScore, latestScoreVersion, latestBand };
    this.#tally.addScore(score, this.#rubrics.standards.rubric.version);
  }

  add(listing: CompiledListing, historical: number): void {
    this.#counts.reports += 1;
    this.#counts.historical += historical;
    if (listing.search !== null) this.#counts.searchable += 1;
    this.#tally.addListing(listing, this.#rubrics?.standards.rubric.version ?? "");
  }

  outcome(): Omit<SegmentOutcome, "segments" | "findings"> {
    return {
      counts: this.#counts,
      figures: this.#tally.figures(),
      fingerprints: Uint32Array.from(this.fingerprints),
      tombstones: this.tombstones,
    };
  }
}

/**
 * Copies listings into new segments, in the order of a directory, and checks each of their answers.
 * @param order the number of the order, for the names of unfinished files
 * @throws BadSnapshotError; StoreWriteError
 */
export async function copySegments(
  store: string,
  order: number,
  sources: CopyOrder["sources"],
  terms: Pick<DirectoryContext, "categories" | "tags">,
): Promise<Segment[]> {
  const writer = new SegmentWriter(store, order);
  const packs = new Map<Segment, PackReader>();
  try {
    const all: { entry: DirectoryEntry; host: string; segment: Segment }[] = [];
    for (const { segment, rows } of sources) {
      const entries = await segmentsIn(store, [segment], terms).entries(0, rows);
      all.push(...entries.map((entry) => ({ entry, host: entry.host, segment })));
    }
    for (const { entry, segment } of all.sort(byHash)) {
      const pack = packs.get(segment) ?? new PackReader(store, segment);
      packs.set(segment, pack);
      writer.copy(entry, pack.lines(entry));
    }
  } catch (error) {
    writer.discard();
    throw error;
  } finally {
    for (const pack of packs.values()) pack.close();
  }
  return writer.finish();
}

/** A pack that is open for copying. */
class PackReader {
  readonly #name: string;
  readonly #file: ReturnType<typeof openRegularSync>;

  constructor(store: string, { pack }: Segment) {
    this.#name = pack.file;
    this.#file = reading(pack.file, () => openRegularSync(join(store, pack.file)));
  }

  /** The lines of all of a listing's answers, which are contiguous. @throws BadSnapshotError if one is damaged */
  lines(entry: DirectoryEntry): Uint8Array {
    const answers = answersOf(entry);
    const [start] = entry.report;
    const [offset, length] = answers[answers.length - 1]!;
    const size = offset + length + 1 - start;
    if (!isInside(start, size, this.#file.size)) throw this.#damaged(start);
    const lines = new Uint8Array(size);
    const read = reading(this.#name, () => fillSync(this.#file.descriptor, lines, start));
    if (read !== size) throw this.#damaged(start);
    for (const [at, bytes, hash] of answers) {
      if (sha256(lines.subarray(at - start, at - start + bytes)) !== hash) throw this.#damaged(at);
    }
    return lines;
  }

  close(): void {
    closeSync(this.#file.descriptor);
  }

  #damaged(at: number): BadSnapshotError {
    return new BadSnapshotError(`${this.#name} is damaged at byte ${at}`);
  }
}
