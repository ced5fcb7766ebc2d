import { z } from "zod";
import { Platform, Signal, SiteSummary, TaxonomyEntry } from "../contract/listing.js";
import { Count } from "../contract/scalars.js";
import { OWN_NAMES } from "./layout.js";

/*
 * Each kind of file in a store has its own format number, which grows when that kind changes. The
 * store's format number is that of its manifests. The project keeps a small store of each format that it
 * has shipped (test/store/formats).
 */

/** The format of the manifests that this program writes. It also reads all older formats. */
export const STORE_FORMAT = 2;
/** The format of `current.json`. */
export const CURRENT_FORMAT = 1;
/** The format of shards. */
export const SHARD_FORMAT = 1;

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The `<id>` of a snapshot: the first 128 bits of its manifest's sha256, in hex. */
export const SnapshotId = z.string().regex(/^[0-9a-f]{32}$/);

/** The number of a push to a remote store, from 1. */
export const GenerationNumber = z.int().min(1);

/**
 * `current.json`: in a local store the only commit point, and the only file that readers follow. In a remote store it
 * is a hint at the newest generation. A pull notes its generation, a build has none.
 */
export const Current = z.strictObject({
  format: z.literal(CURRENT_FORMAT),
  id: SnapshotId,
  generation: GenerationNumber.optional(),
});
export type Current = z.infer<typeof Current>;

/** A file with its checksum. @param name the allowed names, none of which may lead out of the folder */
function storedFile(name: z.ZodString) {
  return z.strictObject({
    /** Path relative to the store; for a public document, relative to its snapshot's `public/`. */
    file: name,
    bytes: Count,
    sha256: Sha256,
  });
}

/** A file of a bucket: one of our own names, in one of the store's folders. */
function bucketFile(folder: string, name: RegExp) {
  return storedFile(z.string().regex(new RegExp(`^${folder}/${name.source.slice(1)}`)));
}

/** Path segments of letters, digits, `_`, `-` and dots, but never `.` or `..`. */
const PUBLIC_PATH = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/;
const PublicFile = storedFile(z.string().regex(PUBLIC_PATH));
export type StoredFile = z.infer<typeof PublicFile>;

/** Enough for a billion listings. */
const BUCKETS_MAX = 2 ** 22;

/** The numbers of answers in a snapshot. */
export interface SnapshotCounts {
  /** Listings with a report. */
  readonly reports: number;
  /** Listings in search, facets and suggestions. */
  readonly searchable: number;
  /** Historical reports that the listings' plans make public. */
  readonly historical: number;
}

/** `<id>/manifest.json`: the snapshot's files with their checksums. The manifest's own digest is the id. */
export const Manifest = z.strictObject({
  format: z.literal(STORE_FORMAT),
  /** Digest of the bytes of the input's records. It does not depend on the records' files or order. */
  records: Sha256,
  /** The snapshot's directory. Addresses have no slash at the end. */
  directory: z.strictObject({
    name: z.string(),
    /** The base address of the API. */
    baseUrl: z.string(),
    /** The base address of the pages. */
    siteUrl: z.string(),
  }),
  counts: z.strictObject({
    reports: Count,
    searchable: Count,
    historical: Count,
  }) satisfies z.ZodType<SnapshotCounts>,
  /** The terms that facets count listings by, including terms that no listing has. */
  vocabulary: z.strictObject({
    categories: z.array(TaxonomyEntry),
    signals: z.array(Signal),
    platforms: z.array(Platform),
  }),
  /**
   * One entry for each bucket, in order: `index/<bucket>-<hash>.json`, the shard's content as columns
   * for the runtime in `index/<bucket>-<hash>.bin`, and `reports/<bucket>-<hash>.ndjson`.
   */
  buckets: z
    .array(
      z.strictObject({
        shard: bucketFile("index", OWN_NAMES.shard),
        columns: bucketFile("index", OWN_NAMES.columns),
        pack: bucketFile("reports", OWN_NAMES.pack),
      }),
    )
    .min(1)
    .max(BUCKETS_MAX),
  public: z.array(PublicFile),
});
export type Manifest = z.infer<typeof Manifest>;

/** A manifest of any format. Format 1 does not name the directory: `addressesOf` finds it elsewhere. */
export const AnyManifest = z.discriminatedUnion("format", [
  Manifest,
  Manifest.omit({ directory: true }).extend({ format: z.literal(1) }),
]);
export type AnyManifest = z.infer<typeof AnyManifest>;

/** The location of an answer's body in the bucket's pack: offset and length in bytes, then sha256. */
const AnswerLocation = z.tuple([Count, Count, Sha256]);
export type AnswerLocation = z.infer<typeof AnswerLocation>;

const ShardEntry = z.strictObject({
  host: z.string(),
  /** Null if the listing is not in search. `recent` is the sort key of latestScannedAt. */
  search: z.strictObject({ summary: SiteSummary, recent: z.string() }).nullable(),
  report: AnswerLocation,
  enrichment: AnswerLocation,
  /** The scan of the latest report. */
  publishedScan: z.string(),
  historical: z.array(z.strictObject({ scan: z.string(), report: AnswerLocation })),
  /** Scans that exist, but that the listing's plan does not make public. */
  locked: z.array(z.string()),
});
export type ShardEntry = z.infer<typeof ShardEntry>;

/**
 * `index/<bucket>-<hash>.json`: an entry for each of the bucket's listings with a report, sorted by the
 * hash of the host, then by host.
 */
export const Shard = z.strictObject({
  format: z.literal(SHARD_FORMAT),
  entries: z.array(ShardEntry),
});
export type Shard = z.infer<typeof Shard>;
