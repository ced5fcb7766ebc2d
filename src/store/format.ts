import { z } from "zod";
import { Platform, Signal, SiteSummary, TaxonomyEntry } from "../contract/listing.js";
import { Count } from "../contract/scalars.js";
import { OWN_NAMES } from "./layout.js";

/*
 * Each kind of file in a store has a format number of its own, which grows when that kind changes. The store's format
 * is its manifests'. The project keeps a small store of each format that it has shipped (test/store/formats).
 */

/** The format of the manifests that this program writes. It also reads all older ones. */
export const STORE_FORMAT = 2;
/** The format of `current.json`. */
export const CURRENT_FORMAT = 1;
/** The format of shards. */
export const SHARD_FORMAT = 1;

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** `<id>` of a snapshot: the first 128 bits of its manifest's sha256, in hex. */
export const SnapshotId = z.string().regex(/^[0-9a-f]{32}$/);

/** `current.json`: the one commit point, all that readers follow. */
export const Current = z.strictObject({ format: z.literal(CURRENT_FORMAT), id: SnapshotId });

/** A file with its checksum. @param name which names it may have: none leads out of its folder */
function storedFile(name: z.ZodString) {
  return z.strictObject({
    /** Below the store; a public document's below its snapshot's `public/`. */
    file: name,
    bytes: Count,
    sha256: Sha256,
  });
}

/** A file of a bucket: a name of ours in one of the store's folders. */
function bucketFile(folder: string, name: RegExp) {
  return storedFile(z.string().regex(new RegExp(`^${folder}/${name.source.slice(1)}`)));
}

/** Steps of letters, digits, `_`, `-` and dots, none of which is `.` or `..`. */
const PUBLIC_PATH = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/;
const PublicFile = storedFile(z.string().regex(PUBLIC_PATH));
export type StoredFile = z.infer<typeof PublicFile>;

/** As many as a billion listings need. */
const BUCKETS_MAX = 2 ** 22;

/** `<id>/manifest.json`: what belongs to the snapshot, with its checksums; its own digest is the id. */
export const Manifest = z.strictObject({
  format: z.literal(STORE_FORMAT),
  /** Digest of the input's records as their bytes stand, whatever files they lie in and in whatever order. */
  records: Sha256,
  /** Whose snapshot it is and where it is found; addresses have no slash at their end. */
  directory: z.strictObject({
    name: z.string(),
    /** Where the API is. */
    baseUrl: z.string(),
    /** Where the pages are. */
    siteUrl: z.string(),
  }),
  counts: z.strictObject({
    /** Listings with a report. */
    reports: Count,
    /** Listings in search, facets and suggestions. */
    searchable: Count,
    /** Historical reports that plans open. */
    historical: Count,
  }),
  /** What the facets read counts, beside the listings. */
  vocabulary: z.strictObject({
    categories: z.array(TaxonomyEntry),
    signals: z.array(Signal),
    platforms: z.array(Platform),
  }),
  /**
   * One a bucket, in the buckets' order: `index/<bucket>-<hash>.json`, the same as columns for the runtime in
   * `index/<bucket>-<hash>.bin`, and `reports/<bucket>-<hash>.ndjson`.
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

/** A manifest of any format. Format 1 does not say whose snapshot it is: `addressesOf` finds that out. */
export const AnyManifest = z.discriminatedUnion("format", [
  Manifest,
  Manifest.omit({ directory: true }).extend({ format: z.literal(1) }),
]);
export type AnyManifest = z.infer<typeof AnyManifest>;

/** Where an answer's body lies in the bucket's pack: offset and length in bytes, sha256. */
const AnswerLocation = z.tuple([Count, Count, Sha256]);
export type AnswerLocation = z.infer<typeof AnswerLocation>;

const ShardEntry = z.strictObject({
  host: z.string(),
  /** Null where the listing is not in search. `recent` is the sort key of latestScannedAt. */
  search: z.strictObject({ summary: SiteSummary, recent: z.string() }).nullable(),
  report: AnswerLocation,
  enrichment: AnswerLocation,
  /** The scan whose report is the latest one. */
  publishedScan: z.string(),
  historical: z.array(z.strictObject({ scan: z.string(), report: AnswerLocation })),
  /** Scans that exist, but the listing's plan does not open. */
  locked: z.array(z.string()),
});
export type ShardEntry = z.infer<typeof ShardEntry>;

/** `index/<bucket>-<hash>.json`: an entry for each listing of the bucket that has a report, by the hash of its host, then by host. */
export const Shard = z.strictObject({
  format: z.literal(SHARD_FORMAT),
  entries: z.array(ShardEntry),
});
export type Shard = z.infer<typeof Shard>;
