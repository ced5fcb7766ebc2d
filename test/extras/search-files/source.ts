import { gunzipSync } from "node:zlib";
import type { SearchSource } from "../../../src/answer/search-source.js";
import type { Vocabulary } from "../../../src/contract/listing.js";
import type { Engine } from "../../../src/engine/answering.js";
import { openScanningEngine } from "../../../src/engine/engine.js";
import { SEARCH_FILES } from "../../../src/extras/search-files/format.js";
import { openSearchFiles } from "../../../src/extras/search-files/open.js";
import type { MadeFile } from "../../../src/extras/search-files/packs.js";
import {
  BASE_KINDS,
  readBase,
  type SearchBase,
  searchFilesOf,
} from "../../../src/extras/search-files/search-files.js";
import { inflate } from "../../../src/fetch/bytes.js";
import { BadSnapshotError, namedError, reading } from "../../../src/store/bad-snapshot.js";
import type { ListingColumns } from "../../../src/store/columns/listings.js";
import type { AddedFile } from "../../../src/store/format.js";
import { sha256 } from "../../../src/store/layout.js";
import { columnsOf, type IndexedListing } from "../../store/columns-of.js";
import { changedHosts } from "./made-files.js";

/** The files of a publication, as a snapshot has them. */
export interface Published {
  readonly listings: readonly IndexedListing[];
  readonly segments: readonly ListingColumns[];
  readonly files: readonly MadeFile[];
}

/** Publishes listings. @param before the publication before */
export function publish(
  listings: readonly IndexedListing[],
  before: Published | null = null,
  hasErased = false,
  bestFrom?: number,
): Published {
  const segments = [0, 1, 2].map((segment) =>
    columnsOf(listings.filter(({ summary }) => summary.host.length % 3 === segment)),
  );
  const hosts = before && changedHosts(before.listings, listings);
  const made = searchFilesOf(segments, before && baseOf(before), { hosts, hasErased }, bestFrom);
  const staying = (kind: string) => before?.files.filter((file) => file.kind === kind) ?? [];
  return {
    listings,
    segments,
    files: [...BASE_KINDS.flatMap((kind) => made[kind] ?? staying(kind)), ...made.others],
  };
}

function baseOf({ files }: Published): SearchBase {
  const read = (kind: string) => gunzipSync(files.find((file) => file.kind === kind)!.bytes);
  const [head, delta, sums, base] = (["head", "delta", "sums", "base"] as const).map(read);
  const parts = { head: head!, delta: delta!, sums: sums!, base: new Uint8Array(base!) };
  const rows = files.filter(({ kind }) => kind === "rows").map(({ bytes }) => bytes);
  return readBase(parts, Buffer.concat(rows));
}

/** What an engine has read. */
export interface Reads {
  /** By kind, the bytes that were asked for. */
  readonly bytes: Record<string, number>;
  requests: number;
}

/** A snapshot with the files of a publication. */
export function sourceOf(
  { listings, segments, files }: Published,
  vocabulary: Vocabulary,
  reads: Reads = { bytes: {}, requests: 0 },
): SearchSource {
  const stored = files.map(({ kind, filter, bytes, length }, at): AddedFile & MadeFile => ({
    file: `segments/${at}.${kind}.gz`,
    bytes: bytes.length as number & Uint8Array,
    sha256: sha256(bytes),
    length,
    kind,
    facts: { kind, ...(filter && { filter }) },
  }));
  const contents = new Map(files.map(({ bytes }, at) => [stored[at]!.file, bytes]));
  const note = (kind: unknown, bytes: number) => {
    reads.bytes[String(kind)] = (reads.bytes[String(kind)] ?? 0) + bytes;
    reads.requests += 1;
  };
  const kindOf = (file: string) => file.split(".")[1];
  const tags = new Map(
    listings.flatMap(({ summary }) => summary.tags.map((tag) => [tag.slug, tag])),
  );
  return {
    vocabulary: { ...vocabulary, tags: [...tags.values()] } as SearchSource["vocabulary"],
    size: listings.length,
    addition: (name) => (name === SEARCH_FILES ? { facts: {}, files: stored } : null),
    readAdded: async ({ file, bytes, length }, read) => {
      note(kindOf(file), bytes);
      const inflating = inflate(contents.get(file)!, length, "gzip");
      const inflated = await inflating.catch((error) => namedError(file, error));
      return reading(file, () => read(inflated));
    },
    readPart: async ({ file }, { offset, length }, read) => {
      note(kindOf(file), length);
      const value = await read(contents.get(file)!.subarray(offset, offset + length));
      if (value === null) throw new BadSnapshotError(`${file} is damaged`);
      return value;
    },
    gunzip: (bytes, most) => inflate(bytes, most, "gzip"),
    sha256: async (bytes) => sha256(bytes),
    whole: async () => openScanningEngine(segments, vocabulary),
  };
}

/** The engine over the files of a publication. */
export async function openPublished(
  published: Published,
  vocabulary: Vocabulary,
  reads?: Reads,
  checksSums = true,
): Promise<Engine> {
  const engine = await openSearchFiles(sourceOf(published, vocabulary, reads), checksSums);
  if (engine === null) throw new Error("the files cannot be used");
  return engine;
}
