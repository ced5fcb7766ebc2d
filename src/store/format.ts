import { z } from "zod";
import { Count } from "../contract/field.js";
import { Platform, Signal, SiteSummary, TaxonomyEntry } from "../contract/listing.js";
import { BUCKETS_A_GROUP } from "./columns/search-file.js";
import { CURRENT_FORMAT, OWN_NAMES, SHARD_FORMAT, STORE_FORMAT } from "./names.js";

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

/** One of our own names, in one of the store's folders. */
function ownFile(folder: string, name: RegExp) {
  return storedFile(z.string().regex(new RegExp(`^${folder}/${name.source.slice(1)}`)));
}

/** Path segments of letters, digits, `_`, `-` and dots, but never `.` or `..`. */
const PUBLIC_PATH = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/;
const PublicFile = storedFile(z.string().regex(PUBLIC_PATH));
export type StoredFile = z.infer<typeof PublicFile>;

/** The most bytes of `current.json` or of a generation: some ten times as many as they have. */
export const POINTER_BYTES_MAX = 1024;

/**
 * The most bytes of a manifest. One of 100,000 listings has 0.4 MB, and one with the
 * most buckets that a build makes has 12 MB. Its digest
 * and its signature are checked as a whole, before a byte of it is parsed.
 */
export const MANIFEST_BYTES_MAX = 16 * 1024 * 1024;

/** The numbers of answers in a snapshot. */
export interface SnapshotCounts {
  /** Listings with a report. */
  readonly reports: number;
  /** Listings in search, facets and suggestions. */
  readonly searchable: number;
  /** Historical reports that the listings' plans make public. */
  readonly historical: number;
}

/**
 * The files of a bucket: the shard `index/<bucket>-<hash>.json`, its content as columns for the server in
 * `index/<bucket>-<hash>.bin`, the pack `reports/<bucket>-<hash>.ndjson`, and `index/<bucket>-<hash>.details` with the
 * bucket's summaries and places of answers as compressed blocks.
 */
const BucketNames = z.strictObject({
  shard: ownFile("index", OWN_NAMES.shard),
  columns: ownFile("index", OWN_NAMES.columns),
  pack: ownFile("reports", OWN_NAMES.pack),
  details: ownFile("index", OWN_NAMES.details),
});
export type BucketNames = z.infer<typeof BucketNames>;

const ManifestFields = z.strictObject({
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
  buckets: z.array(BucketNames).min(1),
  /** `search/<group>-<hash>.bin` for each group of adjacent buckets, in order. */
  search: z.array(ownFile("search", OWN_NAMES.search)),
  public: z.array(PublicFile),
});

/** `<id>/manifest.json`: the snapshot's files with their checksums. The manifest's own digest is the id. */
export const Manifest = ManifestFields.refine(
  ({ buckets, search }) => search.length === groupCount(buckets.length),
  "must have a search file for each group of buckets",
);
export type Manifest = z.infer<typeof Manifest>;

/** How many search files a snapshot with so many buckets has. */
export function groupCount(buckets: number): number {
  return Math.ceil(buckets / BUCKETS_A_GROUP);
}

/** The buckets of a group, in order. @param buckets how many the snapshot has */
export function bucketsIn(group: number, buckets: number): number[] {
  const first = BUCKETS_A_GROUP * group;
  const length = Math.min(BUCKETS_A_GROUP, buckets - first);
  return Array.from({ length }, (_, place) => first + place);
}

/** The location of an answer's body in the bucket's pack: offset and length in bytes, then sha256. */
const AnswerLocation = z.tuple([Count, Count, Sha256]);
export type AnswerLocation = z.infer<typeof AnswerLocation>;

/** A scan with the location of its report, or of the excerpt of the report that pages draw. */
const ScanAnswer = z.strictObject({ scan: z.string(), report: AnswerLocation });

const ShardEntry = z.strictObject({
  host: z.string(),
  /** Null if the listing is not in search. `recent` is the sort key of latestScannedAt. */
  search: z.strictObject({ summary: SiteSummary, recent: z.string() }).nullable(),
  report: AnswerLocation,
  enrichment: AnswerLocation,
  /** The scan of the latest report. */
  publishedScan: z.string(),
  historical: z.array(ScanAnswer),
  /** Of the scans whose reports are too large for a page. */
  excerpts: z.array(ScanAnswer).optional(),
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
  entries: z.array(z.unknown()).transform((entries, context) => {
    const checked: ShardEntry[] = [];
    for (const entry of entries) {
      const { data } = ShardEntry.safeParse(entry);
      // The problems of millions of bad entries would take minutes and all memory.
      if (data === undefined) {
        context.addIssue(`entry ${checked.length} is malformed`);
        return z.NEVER;
      }
      checked.push(data);
    }
    return checked;
  }),
});
export type Shard = z.infer<typeof Shard>;
