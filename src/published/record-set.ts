import { closeSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { hostHash } from "../contract/host.js";
import { addTo, itemAt } from "../contract/tables.js";
import { fileState, isSameState } from "../files/regular.js";
import { locatedProblems } from "./checking/positions.js";
import { formatPath, type Problem, type ProblemList } from "./checking/problem.js";
import {
  type CheckedRecord,
  checkRecord,
  problemAt,
  type RecordKind,
  type RecordSource,
  recordDigest,
} from "./checking/record.js";
import {
  FileError,
  openInputFile,
  readBytes,
  type SourceFile,
  wholeFile,
} from "./locating/files.js";
import {
  hostHint,
  type KnownFile,
  type LocatedFile,
  type LocateOptions,
  locateRecords,
} from "./locating/locate.js";
import {
  type RecordColumns,
  RecordIndex,
  RecordParts,
  type RecordPointer,
} from "./locating/record-index.js";

/** Everything another thread needs to read the same records. Posting it does not copy the pointers. */
export interface SharedRecords {
  readonly files: readonly SourceFile[];
  readonly columns: RecordColumns;
  /** 1 for each file whose problem is already reported. */
  readonly failed: Uint8Array;
}

/**
 * How many notices of a set get their exact positions, which takes longer than all checks of a record. Others are
 * placed at the beginning of their record.
 */
const NOTICES_PLACED = 1_000;

/** Where the findings about records go. */
export interface FindingLists {
  readonly problems: ProblemList;
  readonly warnings: ProblemList;
}

interface LocateSetOptions extends Pick<LocateOptions, "keeps" | "onRecord"> {
  readonly known: ReadonlyMap<string, KnownFile> | undefined;
  readonly signal: AbortSignal | undefined;
  /** Called with the bytes read so far and the total bytes to read. Neither includes unchanged known files. */
  readonly onRead: ((done: number, total: number) => void) | undefined;
}

/** All located records of one kind. They are read and checked one by one. */
export class RecordSet<T> {
  /** How many records there are, including those that name no host. */
  readonly count: number;
  readonly shared: SharedRecords;
  /** The located files; empty if another thread located them. */
  readonly located: readonly LocatedFile[];
  readonly #index: RecordIndex;
  readonly #reader: RecordReader;
  readonly #kind: RecordKind<T>;
  readonly #lists: FindingLists;
  /** 1 for each record whose problems are already reported. */
  readonly #reported: Uint8Array;
  #parts: RecordParts;
  #noticesPlaced = 0;

  /** @param lost how many records name no host; the shared columns do not include them */
  constructor(
    shared: SharedRecords,
    kind: RecordKind<T>,
    lists: FindingLists,
    { lost, located }: { lost: number; located: readonly LocatedFile[] } = { lost: 0, located: [] },
  ) {
    const { files, columns, failed } = shared;
    this.count = columns.count + lost;
    this.shared = shared;
    this.located = located;
    this.#index = new RecordIndex(columns);
    this.#reader = new RecordReader(files, failed, (problem) => lists.problems.add([problem]));
    this.#kind = kind;
    this.#lists = lists;
    this.#reported = new Uint8Array(columns.count);
    this.#parts = new RecordParts(this.#index, 0);
  }

  /** Locates the records of files. A record without a host is in no part, so it is checked here. */
  static async locate<T>(
    files: readonly SourceFile[],
    kind: RecordKind<T>,
    lists: FindingLists,
    { known = new Map(), signal, onRead: onProgress, ...choice }: LocateSetOptions,
  ): Promise<RecordSet<T>> {
    const unchanged = new Map<string, KnownFile>();
    for (const { name, path } of files) {
      const file = known.get(name);
      if (file !== undefined && isSameState(file.state, fileState(path))) unchanged.set(name, file);
    }
    // Reading sizes takes time, so it happens only if they are needed.
    const unknown = onProgress && files.filter(({ name }) => !unchanged.has(name));
    const total = unknown?.reduce((sum, file) => sum + fileSize(file), 0) ?? 0;
    if (total > 0) onProgress?.(0, total);
    let done = 0;
    const onRead = (bytes: number) => {
      done += bytes;
      onProgress?.(done, total);
    };
    const {
      index,
      lost,
      files: located,
    } = await locateRecords(files, {
      ...choice,
      known: unchanged,
      signal,
      onRead,
      onLost: (source) => lists.problems.add(checkRecord(kind, source).problems),
      onProblem: (problem: Problem) => lists.problems.add([problem]),
    });
    const failed = new Uint8Array(new SharedArrayBuffer(files.length));
    const shared = { files, columns: index.columns, failed };
    return new RecordSet(shared, kind, lists, { lost, located });
  }

  /**
   * A part's record numbers, grouped by the hash of their host. Each group is in the order of files and lines.
   * @param wanted the hashes of the groups; null for all
   */
  groupsOf(part: number, bits: number, wanted: ReadonlySet<number> | null): Map<number, number[]> {
    if (this.#parts.bits !== bits) this.#parts = new RecordParts(this.#index, bits);
    const groups = new Map<number, number[]>();
    for (const record of this.#parts.recordsOf(part)) {
      const hash = this.#index.hostHashAt(record);
      if (wanted?.has(hash) !== false) addTo(groups, hash, record);
    }
    return groups;
  }

  /** How many bytes these records take together. */
  bytesOf(records: readonly number[]): number {
    return records.reduce((sum, record) => sum + this.#index.at(record).length, 0);
  }

  /** Reads and checks a record. Returns null and reports a problem if it cannot be read again. */
  read(record: number): CheckedRecord<T> | null {
    const source = this.#reader.read(this.#index.at(record));
    return source === null ? null : checkRecord(this.#kind, source);
  }

  /** Reads and checks a record, and reports its problems and notices. */
  check(record: number): CheckedRecord<T> | null {
    const checked = this.read(record);
    if (checked === null) return null;
    this.report(record, checked.problems);
    if (checked.notices.length > 0) this.warn(record, this.#placed(checked));
    return checked;
  }

  /** Adds problems of a record, unless it is settled. So a part that is read twice reports nothing twice. */
  report(record: number, problems: readonly Problem[]): void {
    if (this.#reported[record] === 0) this.#lists.problems.add(problems);
  }

  /** Adds warnings in the same way. */
  warn(record: number, warnings: readonly Problem[]): void {
    if (this.#reported[record] === 0) this.#lists.warnings.add(warnings);
  }

  #placed({ source: { file, line, bytes }, notices }: CheckedRecord<T>): Problem[] {
    this.#noticesPlaced += notices.length;
    if (this.#noticesPlaced <= NOTICES_PLACED) {
      return locatedProblems(file, line, bytes.toString(), notices);
    }
    return notices.map(({ path, message }) => {
      return { ...wholeFile(file, message), line, path: formatPath(path) };
    });
  }

  /** Marks records whose problems are all reported. */
  settle(records: readonly number[]): void {
    for (const record of records) this.#reported[record] = 1;
  }

  /** A problem with the same message at the records of each host, placed at their value under `key`. */
  problemsAt(hosts: readonly string[], key: string, message: string): Problem[] {
    const records = [...this.#recordsOf(new Set(hosts.map(hostHash))).values()].flat();
    const wanted = new Set(hosts);
    return records.flatMap((record) => {
      const checked = this.read(record);
      if (checked === null || !wanted.has(hostOf(checked) ?? "")) return [];
      return [problemAt(checked, key, message)];
    });
  }

  /** The record numbers of the hosts with each hash, ascending. */
  #recordsOf(hashes: ReadonlySet<number>): Map<number, number[]> {
    const records = new Map<number, number[]>();
    for (let record = 0; record < this.#index.count && hashes.size > 0; record += 1) {
      const hash = this.#index.hostHashAt(record);
      if (hashes.has(hash)) addTo(records, hash, record);
    }
    return records;
  }

  close(): void {
    this.#reader.close();
  }
}

function fileSize({ path }: SourceFile): number {
  return Number(fileState(path)?.bytes ?? 0);
}

/** The host of a record; null if it names none. */
export function hostOf({ parsed, source }: CheckedRecord<unknown>): string | null {
  if (parsed === null) return hostHint(source.bytes);
  return typeof parsed.host === "string" ? parsed.host : null;
}

/** How many files stay open between records; far below any system's limit. */
const OPEN_FILES = 32;

/** Reads located records again, and detects files that have changed since they were located. */
export class RecordReader {
  readonly #files: readonly SourceFile[];
  readonly #onProblem: (problem: Problem) => void;
  /** Descriptors by file number. */
  readonly #open = new LRUCache<number, number>({
    max: OPEN_FILES,
    dispose: (fd) => closeSync(fd),
  });
  /** 1 for each file that some thread has already reported. Each file is reported once. */
  readonly #failed: Uint8Array;
  #closed = false;

  /** @param failed one byte per file, in shared memory */
  constructor(
    files: readonly SourceFile[],
    failed: Uint8Array,
    onProblem: (problem: Problem) => void,
  ) {
    this.#files = files;
    this.#failed = failed;
    this.#onProblem = onProblem;
  }

  /** Returns a record's bytes, or null if its file is unreadable or has changed since the record was located. */
  read({ file, offset, length, line, digest }: RecordPointer): RecordSource | null {
    if (this.#closed) throw new TypeError("the published directory is closed");
    const { name } = itemAt(this.#files, file);
    try {
      const bytes = Buffer.allocUnsafe(length);
      const filled = readBytes(this.#descriptor(file), bytes, offset);
      if (filled === length && isSameDigest(recordDigest(name, bytes), digest)) {
        return { file: name, line, bytes };
      }
      throw new FileError(
        "changed while it was being read; run again once it is completely written",
      );
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (Atomics.exchange(this.#failed, file, 1) === 0) {
        this.#onProblem(wholeFile(name, error.message));
      }
      return null;
    }
  }

  close(): void {
    this.#closed = true;
    this.#open.clear();
  }

  #descriptor(file: number): number {
    const open = this.#open.get(file);
    if (open !== undefined) return open;
    const { fd } = openInputFile(itemAt(this.#files, file).path);
    this.#open.set(file, fd);
    return fd;
  }
}

function isSameDigest(a: Uint32Array, b: Uint32Array): boolean {
  return a.every((word, at) => word === b[at]);
}
