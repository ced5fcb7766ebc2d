import type { SourceFile } from "./files.js";
import { hostHint } from "./host-hint.js";
import { locateRecords } from "./locate.js";
import type { Problem, ProblemList } from "./problem.js";
import { type CheckedRecord, checkRecord, type RecordKind } from "./record.js";
import { Buckets, type RecordIndex } from "./record-index.js";
import { RecordReader } from "./record-reader.js";

/** A checked record of a set. */
export interface Member<T> extends CheckedRecord<T> {
  /** Its number in the set. */
  readonly record: number;
  /** sha256 of its bytes, in hex. */
  readonly digest: string;
}

/** All records of one kind, located, to be read and checked one by one. */
export class RecordSet<T> {
  /** Records there are, those that name no host included. */
  readonly count: number;
  readonly #index: RecordIndex;
  readonly #reader: RecordReader;
  readonly #kind: RecordKind<T>;
  readonly #problems: ProblemList;
  /** 1 where a record's problems have been told. */
  readonly #told: Uint8Array;
  #buckets: Buckets;

  private constructor(
    index: RecordIndex,
    lost: number,
    reader: RecordReader,
    kind: RecordKind<T>,
    problems: ProblemList,
  ) {
    this.count = index.count + lost;
    this.#index = index;
    this.#reader = reader;
    this.#kind = kind;
    this.#problems = problems;
    this.#told = new Uint8Array(index.count);
    this.#buckets = new Buckets(index, 0);
  }

  /** Locates the records of files. Those that name no host are checked at once, as they are in no bucket. */
  static async locate<T>(
    files: readonly SourceFile[],
    kind: RecordKind<T>,
    problems: ProblemList,
  ): Promise<RecordSet<T>> {
    const { index, lost } = await locateRecords(files, {
      onLost: (source) => problems.add(checkRecord(kind, source).problems),
      onProblem: (problem) => problems.add([problem]),
    });
    const reader = new RecordReader(files, (problem) => problems.add([problem]));
    return new RecordSet(index, lost, reader, kind, problems);
  }

  /** Numbers of a bucket's records by the hash of their host, each ascending: in the order of files and lines. */
  groupsOf(bucket: number, bits: number): Map<number, number[]> {
    if (this.#buckets.bits !== bits) this.#buckets = new Buckets(this.#index, bits);
    const groups = new Map<number, number[]>();
    for (const record of this.#buckets.recordsOf(bucket)) {
      const hash = this.#index.hostHashAt(record);
      const group = groups.get(hash);
      if (group === undefined) groups.set(hash, [record]);
      else group.push(record);
    }
    return groups;
  }

  /** Reads and checks a record, and tells its problems. Null where it cannot be read any more. */
  check(record: number): Member<T> | null {
    const source = this.#reader.read(this.#index.at(record));
    if (source === null) return null;
    const checked = checkRecord(this.#kind, source);
    this.tell(record, checked.problems);
    return { ...checked, record, digest: source.digest };
  }

  /** Adds problems of a record, unless it has been settled: a bucket that is read again tells nothing twice. */
  tell(record: number, problems: readonly Problem[], list: ProblemList = this.#problems): void {
    if (this.#told[record] === 0) list.add(problems);
  }

  /** Says that all of a record's problems have been told. */
  settle(records: readonly number[]): void {
    for (const record of records) this.#told[record] = 1;
  }

  close(): void {
    this.#reader.close();
  }
}

/** The host that a record is filed under; null where it names none. */
export function hostOf({ parsed, source }: CheckedRecord<unknown>): string | null {
  if (parsed === null) return hostHint(source.bytes);
  return typeof parsed.host === "string" ? parsed.host : null;
}
