import type { Engine } from "../engine/answering.js";
import type { Manifest } from "../store/format.js";
import type { InflatedFile, SnapshotReader } from "../store/snapshot-reader.js";
import type { ByteRange, FilePlatform } from "../store/source.js";

/** Opens an engine that answers from files of an extra; null if the snapshot has none that it can use. */
export type OpenSearch = (source: SearchSource) => Promise<Engine | null>;

/** A snapshot as an engine sees that answers from files of an extra. */
export interface SearchSource extends Pick<SnapshotReader, "addition" | "readAdded">, FilePlatform {
  readonly vocabulary: Manifest["vocabulary"];
  /** The number of listings in search. */
  readonly size: number;
  /**
   * Reads a part of a file that an extra added.
   * @param read makes a value of its compressed bytes; null if they are damaged
   */
  readPart<T>(
    file: InflatedFile,
    range: ByteRange,
    read: (bytes: Uint8Array) => Promise<T | null>,
  ): Promise<T>;
  /** The engine that reads all tables, for answers that need most of the listings. */
  whole(): Promise<Engine>;
}
