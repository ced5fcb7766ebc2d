import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type DirectoryContext, directoryContext, signalsOf } from "../compile/directory.js";
import { type CompiledListing, compileListing } from "../compile/listing.js";
import { apiCatalog } from "../contract/api-catalog.js";
import { openApiDocument } from "../contract/openapi.js";
import { ROUTES } from "../contract/routes.js";
import type { Problem } from "../published/problem.js";
import { openPublished, type Published } from "../published/published.js";
import type { Directory } from "../published/schemas.js";
import { disk } from "./disk.js";
import { type Manifest, STORE_FORMAT } from "./format.js";
import { bucketBits } from "./layout.js";
import { lockStore } from "./lock.js";
import { cleanUp, type PublicDocument, prepareStore, publish } from "./publish.js";
import { describe, packBucket, putContent } from "./writer.js";

export interface BuildOptions {
  /** The store's folder; made where it is not there. */
  readonly out: string;
  /** How many snapshots stay in the store, the new one included; 1 at least. */
  readonly keep: number;
  /** Called as buckets are done. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface BuildResult {
  readonly id: string;
  /** Whether another snapshot than before is current. */
  readonly changed: boolean;
  readonly counts: Manifest["counts"] & { readonly listings: number; readonly scans: number };
  readonly warnings: readonly Problem[];
}

/** The published directory has errors: nothing was written. */
export class BadPublishedError extends Error {
  override readonly name = "BadPublishedError";
  /** By file, line and column; of very many the first. */
  readonly problems: readonly Problem[];
  /** How many there are in all. */
  readonly problemCount: number;
  readonly warnings: readonly Problem[];

  constructor({ problems, problemCount, warnings }: Published) {
    super(`${problemCount} ${problemCount === 1 ? "error" : "errors"} in the published directory`);
    this.problems = problems;
    this.problemCount = problemCount;
    this.warnings = warnings;
  }
}

/** What the checks of a build found where they found no error. */
export interface Validation {
  readonly listings: number;
  readonly scans: number;
  readonly warnings: readonly Problem[];
}

/**
 * Compiles a published directory into a snapshot and publishes it.
 * @throws BadPublishedError with every error of the input; PublishedFolderError where it is not there;
 * StoreLockedError while another build runs. The current snapshot then stays as it is.
 */
export async function build(folder: string, options: BuildOptions): Promise<BuildResult> {
  const unlock = await lockStore(options.out);
  try {
    const published = await openPublished(folder);
    try {
      if (published.problemCount > 0) await readAll(published, options.onProgress);
      return await buildLocked(published, options);
    } finally {
      await published.close();
    }
  } finally {
    await unlock();
  }
}

/** The checks of a build, nothing written. @throws as `build` does of the input. */
export async function validate(
  folder: string,
  onProgress?: BuildOptions["onProgress"],
): Promise<Validation> {
  const published = await openPublished(folder);
  try {
    await readAll(published, onProgress);
    const { listingCount, scanCount, warnings } = published;
    return { listings: listingCount, scans: scanCount, warnings };
  } finally {
    await published.close();
  }
}

/** Reads every record for its errors alone. @throws BadPublishedError where there is one. */
async function readAll(
  published: Published,
  onProgress: BuildOptions["onProgress"],
): Promise<void> {
  const bits = bucketBits(published.listingCount);
  for (let bucket = 0; bucket < 2 ** bits; bucket += 1) {
    await published.readBucket(bucket, bits);
    onProgress?.(bucket + 1, 2 ** bits);
  }
  throwIfBad(published);
}

function throwIfBad(published: Published): void {
  if (published.problemCount > 0) throw new BadPublishedError(published);
}

async function buildLocked(published: Published, options: BuildOptions): Promise<BuildResult> {
  const { directory, standards, taxonomy } = published;
  if (directory === null || standards === null || taxonomy === null) {
    throw new TypeError("a published directory without its documents has problems");
  }
  const context = directoryContext(directory, standards, taxonomy);
  const { buckets, counts, records } = await writeBuckets(published, context, options);
  const documents = publicDocuments(directory, context);
  const manifest: Manifest = {
    format: STORE_FORMAT,
    records,
    counts,
    vocabulary: {
      categories: [...context.categories],
      signals: signalsOf(context.standards),
      platforms: [...context.platforms],
    },
    buckets,
    public: documents.map(({ path, bytes }) => describe(bytes, () => path)),
  };
  const { id, changed } = await publish(options.out, manifest, documents);
  await cleanUp(options.out, options.keep);
  const { listingCount: listings, scanCount: scans, warnings } = published;
  return { id, changed, counts: { listings, scans, ...counts }, warnings };
}

/** Compiles bucket by bucket. At the first error writing ends, but reading goes on, to find them all. */
async function writeBuckets(
  published: Published,
  context: DirectoryContext,
  { out: store, onProgress }: BuildOptions,
): Promise<Pick<Manifest, "buckets" | "counts" | "records">> {
  const bits = bucketBits(published.listingCount);
  const isNew = !existsSync(store);
  await prepareStore(store);
  const buckets: Manifest["buckets"] = [];
  const counts = { reports: 0, searchable: 0, historical: 0 };
  const records = createHash("sha256");
  const written: string[] = [];
  for (let bucket = 0; bucket < 2 ** bits; bucket += 1) {
    const listings = await published.readBucket(bucket, bits);
    onProgress?.(bucket + 1, 2 ** bits);
    if (published.problemCount > 0) continue;
    const compiled: CompiledListing[] = [];
    for (const { listing, scans, digest } of listings) {
      records.update(digest);
      const one = compileListing(listing, scans, context);
      if (one === null) continue;
      compiled.push(one);
      counts.reports += 1;
      counts.searchable += one.search === null ? 0 : 1;
      counts.historical += one.historical.length;
    }
    const { shard, pack, shardBytes, packBytes } = packBucket(bucket, compiled);
    if (await putContent(store, shard, shardBytes)) written.push(shard.file);
    if (await putContent(store, pack, packBytes)) written.push(pack.file);
    buckets.push({ shard, pack });
  }
  if (published.problemCount > 0) {
    for (const file of written) await disk.remove(join(store, file));
    if (isNew) await disk.remove(store);
  }
  throwIfBad(published);
  return { buckets, counts, records: records.digest("hex") };
}

/** The documents that are not about one listing, as final bytes, in the order of their paths. */
function publicDocuments(directory: Directory, context: DirectoryContext): PublicDocument[] {
  const bodies = {
    [ROUTES.catalog.document]: apiCatalog(directory),
    [ROUTES.categories.document]: { data: context.categories },
    [ROUTES.openapi.document]: openApiDocument(directory),
    [ROUTES.standards.document]: { data: context.standards },
    [ROUTES.tags.document]: { data: context.tags },
  };
  return Object.entries(bodies).map(([path, body]) => ({
    path,
    bytes: Buffer.from(JSON.stringify(body)),
  }));
}
