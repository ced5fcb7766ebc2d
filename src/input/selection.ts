import type { RecordKind } from "./locating/files.js";
import type { LocatedRecord } from "./locating/locate.js";

/** The least and the greatest of some hashes of hosts. */
export type HashRange = readonly [first: number, last: number];

/** Chooses the records of an input that are located. All of them pass it, in the order in which they are read. */
export interface Selection {
  /** Whether the records of hosts with this hash are located, so that they can be read. */
  takes(hash: number): boolean;
  /** Called for each record that names a host, whether it is taken or not. Its bytes are valid until the next call. */
  pass(kind: RecordKind, ...record: LocatedRecord): void;
  /**
   * Called after the last record.
   * @param isBad whether the input has problems, which explain better why a record is missing
   * @returns null if no record can be taken
   * @throws PublishedFolderError
   */
  end(isBad: boolean): Selected | null;
}

/** Begins to choose records of a published directory. @param root its real path @throws PublishedFolderError */
export type Select = (root: string) => Selection;

/** The hosts of an input that were chosen, and what is known of the whole. */
export interface Selected {
  readonly hashes: HashRange;
  /** The number of listings of the whole input. */
  readonly listings: number;
  /** What the notes of the build keep about it: JSON. */
  readonly noted: unknown;
}
