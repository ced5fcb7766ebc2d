import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import type { CompiledListing, HistoricalReport } from "../compile/listing.js";
import { disk, UnfinishedFile } from "../files/disk.js";
import { unfinishedName } from "../files/random-name.js";
import { bucketColumns, columnBytes } from "../store/columns/columns.js";
import type { SearchRows } from "../store/columns/search-file.js";
import type { AnswerLocation, Manifest, ShardEntry, StoredFile } from "../store/format.js";
import { layout, sha256 } from "../store/layout.js";
import { SHARD_FORMAT } from "../store/names.js";
import { checkHash } from "../store/reader.js";
import { bucketDetails, detailsFile } from "../store/search-files.js";
import { columnEntries } from "../store/shard-entries.js";
import { type BucketFigures, figuresOf } from "../store/tally.js";

/** A bucket whose files are in the store. */
export interface StoredBucket {
  readonly files: Manifest["buckets"][number];
  readonly counts: Manifest["counts"];
  readonly figures: BucketFigures;
  /** The bucket's rows of its group's search file. */
  readonly rows: SearchRows;
}

/** Bytes that are written and hashed at a time. */
const WRITE_BUFFER_BYTES = 1024 * 1024;

/**
 * Writes a bucket while its listings arrive: all bodies, one after the other, into the pack, and an
 * entry for each listing into the shard. Holds only the entries in memory.
 */
export class BucketWriter {
  readonly #store: string;
  readonly #bucket: number;
  readonly #scoreVersion: string;
  readonly #pack: UnfinishedFile;
  readonly #packHash = createHash("sha256");
  readonly #entries: ShardEntry[] = [];
  readonly #buffer = Buffer.allocUnsafe(WRITE_BUFFER_BYTES);
  #filled = 0;
  #end = 0;

  /**
   * @param scoreVersion the version of the directory's methodology
   * @throws StoreWriteError, as all methods do
   */
  constructor(store: string, bucket: number, scoreVersion: string) {
    this.#store = store;
    this.#bucket = bucket;
    this.#scoreVersion = scoreVersion;
    const folder = dirname(join(store, layout.packFile(bucket, "")));
    this.#pack = new UnfinishedFile(join(folder, unfinishedName(layout.unfinishedPack(bucket))));
  }

  add(listing: CompiledListing): void {
    const { host, search, publishedScan } = listing;
    const excerpts: ShardEntry["historical"] = [];
    const appendReport = (scan: string, { report, excerpt }: Omit<HistoricalReport, "scan">) => {
      const location = this.#append(report);
      if (excerpt !== null) excerpts.push({ scan, report: this.#append(excerpt) });
      return location;
    };
    this.#entries.push({
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
      locked: [...listing.locked],
    });
  }

  /**
   * Adds a listing in the form that an earlier build wrote.
   * @param lines the lines of all its answers. They begin at the location of the entry's report
   */
  copy(entry: ShardEntry, lines: Buffer): void {
    const by = this.#end - entry.report[0];
    const moved = ([offset, length, hash]: AnswerLocation): AnswerLocation => [
      offset + by,
      length,
      hash,
    ];
    const ofScan = ({ scan, report }: ShardEntry["historical"][number]) => ({
      scan,
      report: moved(report),
    });
    this.#putBytes(lines);
    this.#end += lines.length;
    this.#entries.push({
      ...entry,
      report: moved(entry.report),
      enrichment: moved(entry.enrichment),
      historical: entry.historical.map(ofScan),
      ...(entry.excerpts && { excerpts: entry.excerpts.map(ofScan) }),
    });
  }

  /**
   * Moves all files into place, with all bytes synced to disk.
   * @param look whether to check files that are already there, and leave the good ones. Without it, they
   * are replaced, because nobody has checked whether their bytes match their names.
   */
  async finish(look = false): Promise<StoredBucket> {
    this.#flush();
    const packHash = this.#packHash.digest("hex");
    const file = layout.packFile(this.#bucket, packHash);
    const pack: StoredFile = { file, bytes: this.#end, sha256: packHash };
    const bytes = shardBytes(this.#entries);
    const shard = describe(bytes, (hash) => layout.shardFile(this.#bucket, hash));
    const entries = columnEntries(this.#entries);
    const ofEntries = bucketColumns(entries);
    const bytesOfColumns = columnBytes(ofEntries);
    const columns = describe(bytesOfColumns, (hash) => layout.columnsFile(this.#bucket, hash));
    const ofBucket = bucketDetails(entries, ofEntries);
    const { bytes: bytesOfDetails, places } = detailsFile(ofBucket.blocks);
    const details = describe(bytesOfDetails, (hash) => layout.detailsFile(this.#bucket, hash));
    if (look && (await isWhole(this.#store, pack))) this.#pack.discard();
    else await this.#pack.finish(join(this.#store, pack.file));
    await putFile(this.#store, shard, bytes, look);
    await putFile(this.#store, columns, bytesOfColumns, look);
    await putFile(this.#store, details, bytesOfDetails, look);
    return {
      files: { shard, columns, pack, details },
      counts: countsOf(this.#entries),
      figures: figuresOf(this.#entries, this.#scoreVersion),
      rows: ofBucket.rows(places),
    };
  }

  discard(): void {
    this.#pack.discard();
  }

  #append(body: string): AnswerLocation {
    const line = this.#putText(`${body}\n`);
    const answer = line.subarray(0, -1);
    const offset = this.#end;
    this.#end += line.length;
    return [offset, answer.length, sha256(answer)];
  }

  /** Returns the text's bytes, valid until the next call. */
  #putText(text: string): Buffer {
    // One UTF-16 unit takes at most three bytes in UTF-8.
    const room = 3 * text.length;
    if (this.#filled + room > WRITE_BUFFER_BYTES) this.#flush();
    if (room > WRITE_BUFFER_BYTES) {
      const bytes = Buffer.from(text);
      this.#putBytes(bytes);
      return bytes;
    }
    const start = this.#filled;
    this.#filled += this.#buffer.write(text, start);
    return this.#buffer.subarray(start, this.#filled);
  }

  #putBytes(bytes: Buffer): void {
    if (this.#filled + bytes.length > WRITE_BUFFER_BYTES) this.#flush();
    if (bytes.length > WRITE_BUFFER_BYTES) {
      this.#write(bytes);
      return;
    }
    this.#filled += bytes.copy(this.#buffer, this.#filled);
  }

  #flush(): void {
    this.#write(this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #write(bytes: Buffer): void {
    this.#packHash.update(bytes);
    this.#pack.append(bytes);
  }
}

/** Writes a file of a store. @param look as in `BucketWriter.finish` */
export async function putFile(
  store: string,
  file: StoredFile,
  bytes: Uint8Array,
  look: boolean,
): Promise<void> {
  if (look && (await isWhole(store, file))) return;
  await disk.writeFile(join(store, file.file), bytes);
}

function isWhole(store: string, file: StoredFile): Promise<boolean> {
  return checkHash(store, file).then(
    () => true,
    () => false,
  );
}

/**
 * @throws RangeError if the entries' JSON is longer than the longest string: some of their texts have no
 * length limit
 */
export function shardBytes(entries: readonly ShardEntry[]): Buffer {
  try {
    return Buffer.from(JSON.stringify({ format: SHARD_FORMAT, entries }));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const lengthOf = ({ search }: ShardEntry) => JSON.stringify(search).length;
    const [longest] = entries.toSorted((a, b) => lengthOf(b) - lengthOf(a));
    const message = `the ${entries.length} listings of one bucket are together too long for the index; the longest is ${longest?.host}: shorten its texts, such as hosting or its check ids`;
    throw new RangeError(message, { cause: error });
  }
}

/** A manifest's counts for a shard's entries. */
export function countsOf(entries: readonly ShardEntry[]): Manifest["counts"] {
  const counts = { reports: entries.length, searchable: 0, historical: 0 };
  for (const { search, historical } of entries) {
    counts.searchable += search === null ? 0 : 1;
    counts.historical += historical.length;
  }
  return counts;
}

/** Adds up the counts of buckets. */
export function sumOf(buckets: readonly Manifest["counts"][]): Manifest["counts"] {
  const sum = { reports: 0, searchable: 0, historical: 0 };
  for (const { reports, searchable, historical } of buckets) {
    sum.reports += reports;
    sum.searchable += searchable;
    sum.historical += historical;
  }
  return sum;
}

/** A manifest's entry for a file with these bytes. */
export function describe(bytes: Uint8Array, name: (sha256: string) => string): StoredFile {
  const hash = sha256(bytes);
  return { file: name(hash), bytes: bytes.length, sha256: hash };
}
