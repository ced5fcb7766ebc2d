import { z } from "zod";
import { Count, Ordinal, Slug } from "../contract/field.js";
import { LIST_FILTER_NAMES } from "../contract/filters.js";
import type { FormerSlug as FormerTerm } from "../contract/former.js";
import { Platform, Signal, type SiteSummary, TaxonomyEntry } from "../contract/listing.js";
import { PUBLISHER_FACTS } from "../contract/publisher.js";
import { tableOf } from "../contract/tables.js";
import { OWN_NAMES, STORE_FORMAT } from "./names.js";
import { FILE_BYTES_MAX } from "./source.js";

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The `<id>` of a snapshot: the first 128 bits of its manifest's sha256, in hex. */
export const SnapshotId = z.string().regex(/^[0-9a-f]{32}$/);

/**
 * A file with its checksum.
 * @param name the allowed names, none of which may lead out of the folder
 * @param bytes how many it may have. A file that is never read as a whole may have any number
 */
function storedFile(name: z.ZodString, bytes = Count) {
  return z.strictObject({
    /** Path relative to the store; for a public document, relative to its snapshot's `public/`. */
    file: name,
    bytes,
    sha256: Sha256,
  });
}

/** One of our own names, in one of the store's folders. */
function ownFile(folder: string, name: RegExp, bytes = Count) {
  return storedFile(z.string().regex(new RegExp(`^${folder}/${name.source.slice(1)}`)), bytes);
}

/** The bytes of a file, or of a part of one, that is read into memory as a whole. */
const WholeBytes = Count.max(FILE_BYTES_MAX);

/** Path segments of letters, digits, `_`, `-` and dots, but never `.` or `..`. */
const PUBLIC_PATH = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/;
const PublicFile = storedFile(z.string().regex(PUBLIC_PATH), WholeBytes);
export type StoredFile = z.infer<typeof PublicFile>;

/**
 * The most bytes of a manifest. A segment takes 590 of them, so there is room for 28,000 segments. Its digest and its
 * signature are checked before any of it is parsed.
 */
export const MANIFEST_BYTES_MAX = 16 * 1024 * 1024;

/** The most listings of a segment: four times as many as a build puts into one. */
const SEGMENT_LISTINGS_MAX = 4_000_000;
const SegmentCount = Count.max(SEGMENT_LISTINGS_MAX);

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
 * A segment: the table `segments/<digest>.brief` with a row for each listing in search, sorted by host, and the pack
 * `segments/<digest>.pack` with all answers. If a host has several, those in the last segment count.
 */
const Segment = z.strictObject({
  table: ownFile("segments", OWN_NAMES.table, WholeBytes),
  pack: ownFile("segments", OWN_NAMES.pack),
  /** The last bytes of the pack: where each answer is, with its checksum (segments/directory.ts). */
  directory: z.strictObject({ bytes: WholeBytes, sha256: Sha256 }),
  /** The tree over its answers (segments/answer-tree.ts): how many leaves it has, and the digest of its root. */
  answers: z.strictObject({ size: Count, root: Sha256 }),
  /** Rows of the table. */
  rows: SegmentCount,
  /** Listings in the directory. */
  listings: SegmentCount,
  /** The listings that no later segment has. */
  live: SegmentCount,
  /** The least and the greatest hash of a host. */
  firstHash: Count,
  lastHash: Count,
});
export type Segment = z.infer<typeof Segment>;

/** All files of some segments. */
export function segmentFiles(segments: readonly Segment[]): StoredFile[] {
  return segments.flatMap(({ table, pack }) => [table, pack]);
}

/** The most members of a record. The reader of manifests stops at the first one beyond. */
export const RECORD_MEMBERS_MAX = 16;

function smallRecord<V extends z.ZodType>(name: RegExp, value: V) {
  return z
    .record(z.string().regex(name), value)
    .refine((record) => Object.keys(record).length <= RECORD_MEMBERS_MAX);
}

/** What an extra says of what it added. The core keeps it, and the extra alone knows what it means. */
const Facts = smallRecord(/^[a-z][A-Za-z]{0,31}$/, z.union([z.number(), z.string().max(256)]));
export type Facts = z.infer<typeof Facts>;

/** `segments/<digest>.<kind>.gz`: a file that an extra added. */
const AddedFile = ownFile("segments", OWN_NAMES.added, WholeBytes).extend({
  /** Bytes that it inflates to. */
  length: WholeBytes,
  facts: Facts,
});
export type AddedFile = z.infer<typeof AddedFile>;

/** What an extra added to a snapshot. */
const Addition = z.strictObject({ facts: Facts, files: z.array(AddedFile) });
export type Addition = z.infer<typeof Addition>;

/** Which publication of its store a snapshot is. */
const History = z.strictObject({
  /** The number of this publication, from 1. The next one with another content has the next number. */
  generation: Ordinal,
  /** The beginning of the content of publication 1: the numbers of another store mean other publications. */
  origin: z.string().regex(/^[0-9a-f]{8}$/),
});
export type History = z.infer<typeof History>;

/**
 * A host that was taken down from the store alone: its hash (`hostHash`), its sha256, and when that was, in
 * milliseconds since 1970.
 */
export const Withdrawal = z.strictObject({ hash: Count, digest: Sha256, at: Count });
export type Withdrawal = z.infer<typeof Withdrawal>;

/** A slug that a term had before. */
const FormerSlug = z.strictObject({
  filter: z.enum(LIST_FILTER_NAMES),
  slug: Slug,
  now: Slug,
}) satisfies z.ZodType<FormerTerm>;

/** `<id>/manifest.json`: the snapshot's files with their checksums. The manifest's own digest is the id. */
export const Manifest = z.strictObject({
  format: z.literal(STORE_FORMAT),
  /**
   * A digest of everything that is served. Unlike the id, it does not depend on the builds that led to it: the same
   * input has the same content.
   */
  content: SnapshotId,
  /** The snapshot's directory. Addresses have no slash at the end. */
  directory: z.strictObject({
    name: z.string(),
    /** The base address of the API. */
    baseUrl: z.string(),
    /** The base address of the pages. */
    siteUrl: z.string(),
    /** The facts that its pages state about the publisher, under the names of directory.json. */
    publisher: z.strictObject(tableOf(PUBLISHER_FACTS, () => z.string().optional())).optional(),
    /** Present if the addresses beyond the contract are switched off. */
    extensions: z.literal(false).optional(),
  }),
  counts: z.strictObject({
    reports: Count,
    searchable: Count,
    historical: Count,
  }) satisfies z.ZodType<SnapshotCounts>,
  /** The terms of listings, including terms that no listing has. Tables name categories and tags by their slugs. */
  vocabulary: z.strictObject({
    categories: z.array(TaxonomyEntry),
    tags: z.array(TaxonomyEntry),
    signals: z.array(Signal),
    platforms: z.array(Platform),
    /** The slugs that terms had before, with those that they have now. Absent if no term was renamed. */
    former: z.array(FormerSlug).optional(),
  }),
  /** Oldest first. */
  segments: z.array(Segment),
  public: z.array(PublicFile),
  /** Absent from snapshots of versions that did not number publications. */
  history: History.optional(),
  /** What each extra added, by the extra's name. */
  extras: smallRecord(/^[a-z][a-z-]{0,31}$/, Addition).optional(),
  /** The withdrawals that builds must respect, sorted by digest. Absent if there is none. */
  withdrawn: z.array(Withdrawal).optional(),
});
export type Manifest = z.infer<typeof Manifest>;

/** Where an answer's body is in its segment's pack: offset and length in bytes, then sha256. */
export type AnswerLocation = readonly [offset: number, length: number, sha256: string];

/** A scan with the place of its report, or of the excerpt of the report that pages draw. @template P a place */
export interface ScanAnswer<P = AnswerLocation> {
  readonly scan: string;
  readonly report: P;
}

/** The answers about a listing that has a report. @template P the place of an answer */
export interface HostAnswers<P = AnswerLocation> {
  readonly host: string;
  readonly report: P;
  readonly enrichment: P;
  /** The scan of the latest report. */
  readonly publishedScan: string;
  readonly historical: readonly ScanAnswer<P>[];
  /** The excerpts of reports that are too large for a page. */
  readonly excerpts?: readonly ScanAnswer<P>[] | undefined;
  /** Scans that exist, but that the listing's plan does not make public. */
  readonly locked: readonly string[];
}

/** A listing that has a report, as a segment stores it. */
export interface ListingEntry extends HostAnswers {
  /**
   * Null if the listing is not in search. `recent` is the sort key of latestScannedAt. `gists` are what extras keep of
   * the latest report (`Extra.gistOf`), each after the extra's name and a space: they are only in the table.
   */
  readonly search: {
    readonly summary: SiteSummary;
    readonly recent: string;
    readonly gists?: readonly string[] | undefined;
  } | null;
  /**
   * The checks of the methodology that do not apply to a listing in search, or that its scan lacks. Figures count them;
   * left out if there are none.
   */
  readonly exempt?: readonly string[] | undefined;
}

/** The files that extras added to a snapshot. */
export function addedFiles({ extras = {} }: Pick<Manifest, "extras">): AddedFile[] {
  return Object.values(extras).flatMap(({ files }) => files);
}

/** All files that a snapshot's manifest names, each with its path relative to the store. */
export function storedFiles(id: string, manifest: Manifest): StoredFile[] {
  const { segments, public: documents } = manifest;
  return [
    ...addedFiles(manifest).map(({ file, bytes, sha256 }) => ({ file, bytes, sha256 })),
    ...segmentFiles(segments),
    ...documents.map((document) => ({ ...document, file: `${id}/public/${document.file}` })),
  ];
}
