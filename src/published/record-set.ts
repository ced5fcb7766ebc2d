import { hostHash } from "../contract/host.js";
import { addTo } from "../contract/tables.js";
import { fileState, isSameState } from "../files/regular.js";
import { messageOfRest, type NoticeCounts, noticeId } from "./checking/notices.js";
import type { Problem, ProblemList } from "./checking/problem.js";
import {
  type CheckedRecord,
  checkRecord,
  noticeProblems,
  problemAt,
  type RecordKind,
} from "./checking/record.js";
import type { SourceFile } from "./locating/files.js";
import {
  hostHint,
  type KnownFile,
  type LocatedFile,
  type LocateOptions,
  locateRecords,
} from "./locating/locate.js";
import { type RecordColumns, RecordIndex, RecordParts } from "./locating/record-index.js";
import { RecordReader } from "./record-reader.js";

/** Everything another thread needs to read the same records. Posting it does not copy the pointers. */
export interface SharedRecords {
  readonly files: readonly SourceFile[];
  readonly columns: RecordColumns;
  /** 1 for each file whose problem is already reported. */
  readonly failed: Uint8Array;
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
  readonly #problems: ProblemList;
  /** 1 for each record whose problems are already reported. */
  readonly #reported: Uint8Array;
  #parts: RecordParts;

  /** @param lost how many records name no host; the shared columns do not include them */
  constructor(
    shared: SharedRecords,
    kind: RecordKind<T>,
    problems: ProblemList,
    { lost, located }: { lost: number; located: readonly LocatedFile[] } = { lost: 0, located: [] },
  ) {
    const { files, columns, failed } = shared;
    this.count = columns.count + lost;
    this.shared = shared;
    this.located = located;
    this.#index = new RecordIndex(columns);
    this.#reader = new RecordReader(files, failed, (problem) => problems.add([problem]));
    this.#kind = kind;
    this.#problems = problems;
    this.#reported = new Uint8Array(columns.count);
    this.#parts = new RecordParts(this.#index, 0);
  }

  /** Locates the records of files. A record without a host is in no part, so it is checked here. */
  static async locate<T>(
    files: readonly SourceFile[],
    kind: RecordKind<T>,
    problems: ProblemList,
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
      onLost: (source) => problems.add(checkRecord(kind, source).problems),
      onProblem: (problem: Problem) => problems.add([problem]),
    });
    const failed = new Uint8Array(new SharedArrayBuffer(files.length));
    const shared = { files, columns: index.columns, failed };
    return new RecordSet(shared, kind, problems, { lost, located });
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

  /** Reads and checks a record, and reports its problems. */
  check(record: number): CheckedRecord<T> | null {
    const checked = this.read(record);
    if (checked !== null) this.report(record, checked.problems);
    return checked;
  }

  /** Adds problems of a record, unless it is settled. So a part that is read twice reports nothing twice. */
  report(record: number, problems: readonly Problem[], list: ProblemList = this.#problems): void {
    if (this.#reported[record] === 0) list.add(problems);
  }

  /** Marks records whose problems are all reported. */
  settle(records: readonly number[]): void {
    for (const record of records) this.#reported[record] = 1;
  }

  /**
   * Turns notices into warnings: one for each message, with its count. Its position is the first record that has
   * the message, among the records of the first host that has it. Reads each record of those hosts once more.
   */
  noticeProblems(counts: NoticeCounts): Problem[] {
    const hosts = this.#firstHosts(counts);
    const records = this.#recordsOf(new Set(hosts.values()));
    const idsOfHosts = new Map<number, Set<string>>();
    for (const [id, hash] of hosts) {
      const ids = idsOfHosts.get(hash);
      if (ids === undefined) idsOfHosts.set(hash, new Set([id]));
      else ids.add(id);
    }
    return [...idsOfHosts].flatMap(([hash, ids]) =>
      (records.get(hash) ?? []).flatMap((record) => this.#noticesAt(record, ids, counts)),
    );
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

  /** The warnings at one record, for its notices among `ids`. Removes the ids that it finds from `ids`. */
  #noticesAt(record: number, ids: Set<string>, counts: NoticeCounts): Problem[] {
    const checked = ids.size > 0 ? this.read(record) : null;
    if (checked === null) return [];
    const times = new Map<string, number>();
    const take = (id: string, message: string | null) => {
      if (message === null || !ids.delete(id)) return;
      const byHash = counts.get(id)?.values() ?? [];
      times.set(
        message,
        [...byHash].reduce((sum, count) => sum + count, 0),
      );
    };
    for (const id of [...ids]) take(id, messageOfRest(id));
    for (const message of checked.notices.keys()) take(noticeId(message), message);
    return noticeProblems(this.#kind, checked.source, times);
  }

  /** For each notice, the hash of the host whose record comes first. */
  #firstHosts(counts: NoticeCounts): Map<string, number> {
    const waiting = new Map<number, string[]>();
    for (const [id, byHash] of counts) for (const hash of byHash.keys()) addTo(waiting, hash, id);
    const hosts = new Map<string, number>();
    for (let record = 0; record < this.#index.count && hosts.size < counts.size; record += 1) {
      const hash = this.#index.hostHashAt(record);
      for (const id of waiting.get(hash) ?? []) if (!hosts.has(id)) hosts.set(id, hash);
      waiting.delete(hash);
    }
    return hosts;
  }

  /** The record numbers of each host, ascending. */
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
