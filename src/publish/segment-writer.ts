import { createHash } from "node:crypto";
import { join } from "node:path";
import type { CompiledListing, HistoricalReport } from "../compile/listing.js";
import { hostHash } from "../contract/host.js";
import { byCodeUnit } from "../contract/order.js";
import { UnfinishedFile } from "../files/disk.js";
import { unfinishedName } from "../files/random-name.js";
import { aligned } from "../store/columns/columns.js";
import type {
  AnswerLocation,
  ListingEntry,
  ScanAnswer,
  Segment,
  StoredFile,
} from "../store/format.js";
import { layout, sha256, shortDigest } from "../store/layout.js";
import { isWhole } from "../store/reader.js";
import { answerTree } from "../store/segments/answer-tree.js";
import { byHash, type DirectoryEntry, writeDirectory } from "../store/segments/directory.js";
import { writeTable } from "../store/segments/write-table.js";

/** How many bytes are written and hashed at a time, unless an answer takes more. */
const WRITE_BUFFER_BYTES = 1024 * 1024;
const LF = 0x0a;
/** A segment ends once its answers have this many bytes, as an erasure copies a whole segment. */
const ANSWERS_MAX = 16 * 1024 * 1024;

/**
 * Writes listings into segments while they arrive: all bodies, one after the other, into the pack. Holds only the
 * entries in memory. All methods throw StoreWriteError.
 */
export class SegmentWriter {
  readonly #store: string;
  readonly #order: number;
  readonly #finished: Promise<Segment>[] = [];
  #opened = 0;
  #open: OpenSegment | null = null;

  /** @param order the number of the order, for the names of unfinished files */
  constructor(store: string, order: number) {
    this.#store = store;
    this.#order = order;
  }

  /** @returns how many historical reports the listing has: they are made while they are written */
  add(listing: CompiledListing): number {
    return this.#room().add(listing);
  }

  /**
   * Adds a listing in the form that an earlier build wrote.
   * @param lines the lines of all its answers. They begin at the location of the entry's report
   */
  copy(entry: DirectoryEntry, lines: Uint8Array): void {
    this.#room().copy(entry, lines);
  }

  /** Moves all files into place, with all bytes synced to disk. */
  async finish(): Promise<Segment[]> {
    this.#end();
    return Promise.all(this.#finished);
  }

  discard(): void {
    this.#open?.discard();
    this.#open = null;
    for (const segment of this.#finished) segment.catch(() => {});
  }

  #room(): OpenSegment {
    if (this.#open !== null && this.#open.bytes > ANSWERS_MAX) this.#end();
    if (this.#open === null) {
      // The segment before may not be in place yet, so each has its own name.
      this.#open = new OpenSegment(this.#store, `${this.#order}-${this.#opened}`);
      this.#opened += 1;
    }
    return this.#open;
  }

  #end(): void {
    if (this.#open === null) return;
    const finished = this.#open.finish();
    // `finish` reports the failure.
    finished.catch(() => {});
    this.#finished.push(finished);
    this.#open = null;
  }
}

/** A segment that is being written. */
class OpenSegment {
  readonly #store: string;
  readonly #name: string;
  readonly #pack: UnfinishedFile;
  readonly #packHash = createHash("sha256");
  readonly #entries: DirectoryEntry[] = [];
  /** The first `#filled` bytes wait to be written. */
  #waiting = Buffer.allocUnsafeSlow(WRITE_BUFFER_BYTES);
  #filled = 0;
  #end = 0;

  /** @param name no other segment of the build may have it while it is written */
  constructor(store: string, name: string) {
    this.#store = store;
    this.#name = name;
    this.#pack = this.#unfinished("pack");
  }

  /** Bytes of the answers so far. */
  get bytes(): number {
    return this.#end;
  }

  add(listing: CompiledListing): number {
    const { host, search, exempt, publishedScan } = listing;
    const excerpts: ScanAnswer[] = [];
    const appendReport = (scan: string, { report, excerpt }: Omit<HistoricalReport, "scan">) => {
      const location = this.#append(report);
      if (excerpt !== null) excerpts.push({ scan, report: this.#append(excerpt) });
      return location;
    };
    const entry: ListingEntry = {
      host,
      search,
      report: appendReport(publishedScan, listing),
      enrichment: this.#append(listing.enrichment),
      publishedScan,
      historical: Array.from(listing.historical, (one) => ({
        scan: one.scan,
        report: appendReport(one.scan, one),
      })),
      ...(excerpts.length > 0 && { excerpts }),
      ...(exempt.length > 0 && { exempt }),
      locked: [...listing.locked],
    };
    this.#entries.push({ ...entry, content: contentOf(entry) });
    return entry.historical.length;
  }

  copy(entry: DirectoryEntry, lines: Uint8Array): void {
    const by = this.#end - entry.report[0];
    const moved = ([offset, length, hash]: AnswerLocation): AnswerLocation => [
      offset + by,
      length,
      hash,
    ];
    const ofScan = ({ scan, report }: ScanAnswer) => ({ scan, report: moved(report) });
    this.#put(lines);
    this.#end += lines.length;
    this.#entries.push({
      ...entry,
      report: moved(entry.report),
      enrichment: moved(entry.enrichment),
      historical: entry.historical.map(ofScan),
      ...(entry.excerpts && { excerpts: entry.excerpts.map(ofScan) }),
    });
  }

  /** Moves the files into place. Those that are there already stay if they are whole: other snapshots may use them. */
  async finish(): Promise<Segment> {
    const entries = this.#entries.sort(byHash);
    const directory = writeDirectory(entries);
    // Columns are read as views of the pack, so the directory begins where any column may.
    const gap = Buffer.alloc(aligned(this.#end) - this.#end);
    this.#put(gap);
    this.#put(directory);
    this.#flush();
    // The segment may wait for the disk while others are written.
    this.#waiting = Buffer.alloc(0);
    const bytes = this.#end + gap.length + directory.length;
    const packHash = this.#packHash.digest("hex");
    const pack: StoredFile = { file: layout.pack(packHash), bytes, sha256: packHash };
    const rows = entries
      .flatMap(({ search, exempt }) =>
        search === null ? [] : [{ ...search.summary, exempt, gists: search.gists }],
      )
      .sort((a, b) => byCodeUnit(a.host, b.host));
    if (await isWhole(this.#store, pack)) this.#pack.discard();
    else await this.#pack.finish(join(this.#store, pack.file));
    const table = await this.#writeTable(writeTable(rows));
    const hashes = entries.map(({ host }) => hostHash(host));
    return {
      table,
      pack,
      directory: { bytes: directory.length, sha256: sha256(directory) },
      answers: await answerTree(entries, sha256),
      rows: rows.length,
      listings: entries.length,
      live: entries.length,
      firstHash: hashes[0] ?? 0,
      lastHash: hashes.at(-1) ?? 0,
    };
  }

  discard(): void {
    this.#pack.discard();
  }

  async #writeTable(bytes: Uint8Array): Promise<StoredFile> {
    const file = describe(bytes, layout.table);
    if (await isWhole(this.#store, file)) return file;
    // Two segments without a listing in search have the same table, and may end at the same time.
    const unfinished = this.#unfinished("brief");
    unfinished.append(bytes);
    await unfinished.finish(join(this.#store, file.file));
    return file;
  }

  #unfinished(kind: "pack" | "brief"): UnfinishedFile {
    const name = unfinishedName(`${this.#name}.${kind}`);
    return new UnfinishedFile(join(this.#store, "segments", name));
  }

  #append(body: string): AnswerLocation {
    // A UTF-16 code unit takes at most three bytes.
    const line = this.#roomFor(3 * body.length + 1);
    const length = line.write(body);
    line[length] = LF;
    this.#filled += length + 1;
    const offset = this.#end;
    this.#end += length + 1;
    return [offset, length, sha256(line.subarray(0, length))];
  }

  #put(bytes: Uint8Array): void {
    this.#roomFor(bytes.length).set(bytes);
    this.#filled += bytes.length;
  }

  /** Room for at least so many bytes, after those that wait to be written. */
  #roomFor(bytes: number): Buffer {
    if (this.#filled + bytes > this.#waiting.length) this.#flush();
    if (bytes > this.#waiting.length) this.#waiting = Buffer.allocUnsafeSlow(bytes);
    return this.#waiting.subarray(this.#filled);
  }

  #flush(): void {
    const bytes = this.#waiting.subarray(0, this.#filled);
    this.#filled = 0;
    this.#packHash.update(bytes);
    this.#pack.append(bytes);
  }
}

/**
 * The digest of everything that is served about a listing, in hex. Leaves out the positions of its answers, which
 * depend on its neighbours, and members without a value, as a later version may add some.
 */
export function contentOf(entry: ListingEntry): string {
  const { search, report, enrichment, publishedScan, historical, excerpts = [], locked } = entry;
  const [past, cut] = [historical, excerpts].map((answers) =>
    answers.map(({ scan, report: [, , hash] }) => [scan, hash]),
  );
  const isEmpty = (value: unknown) =>
    value === null || (Array.isArray(value) && value.length === 0);
  const summary = Object.entries(search?.summary ?? {}).filter(([, value]) => !isEmpty(value));
  const all = [search && summary, report[2], enrichment[2], publishedScan, past, cut, locked];
  return shortDigest(sha256(JSON.stringify(all)));
}

/** A manifest's entry for a file with these bytes. */
export function describe(bytes: Uint8Array, name: (sha256: string) => string): StoredFile {
  const hash = sha256(bytes);
  return { file: name(hash), bytes: bytes.length, sha256: hash };
}
