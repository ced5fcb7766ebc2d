import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type DirectoryContext, directoryContext, signalsOf } from "../compile/directory.js";
import { apiCatalog } from "../contract/api-catalog.js";
import { openApiDocument } from "../contract/openapi.js";
import { ROUTES } from "../contract/routes.js";
import type { Problem } from "../published/problem.js";
import { openPublished, type Published } from "../published/published.js";
import type { Directory } from "../published/schemas.js";
import type { BucketOutcome } from "./bucket-work.js";
import { crewOf } from "./crew.js";
import { disk, StoreWriteError } from "./disk.js";
import { type Manifest, STORE_FORMAT } from "./format.js";
import { bucketBits } from "./layout.js";
import { lockStore } from "./lock.js";
import { cleanUp, type PublicDocument, prepareStore, publish } from "./publish.js";
import { describe } from "./writer.js";

export interface BuildOptions {
  /** The store's folder; made where it is not there. */
  readonly out: string;
  /** How many snapshots stay in the store, the new one included; 1 at least. */
  readonly keep: number;
  /** Worker threads that compile; 1, the default, compiles in the calling thread. */
  readonly jobs?: number;
  /** Ends the build before its snapshot is published: its reason is thrown. */
  readonly signal?: AbortSignal;
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
    const published = await openPublished(folder, options.signal);
    try {
      if (published.problemCount > 0) await readAll(published, options.onProgress);
      return await buildLocked(published, options);
    } finally {
      published.close();
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
    published.close();
  }
}

/** Reads every record for its errors alone. @throws BadPublishedError where there is one. */
async function readAll(
  published: Published,
  onProgress: BuildOptions["onProgress"],
): Promise<void> {
  const bits = bucketBits(published.listingCount);
  for (let bucket = 0; bucket < 2 ** bits; bucket += 1) {
    await setImmediate();
    for (const _ of published.readBucket(bucket, bits));
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

/**
 * Has all buckets compiled and written. At the first error of the input writing ends, but reading goes
 * on, to find them all. Where it fails, what it has written is taken away again.
 */
async function writeBuckets(
  published: Published,
  context: DirectoryContext,
  { out: store, jobs = 1, onProgress, signal }: BuildOptions,
): Promise<Pick<Manifest, "buckets" | "counts" | "records">> {
  const bits = bucketBits(published.listingCount);
  const total = 2 ** bits;
  const isNew = !existsSync(store);
  await prepareStore(store);
  const outcomes: BucketOutcome[] = [];
  const crew = crewOf(Math.min(jobs, total), {
    store,
    bits,
    context,
    published: published.shared,
  });
  let next = 0;
  let done = 0;
  const lane = async () => {
    while (next < total) {
      const bucket = next;
      next += 1;
      signal?.throwIfAborted();
      const outcome = await crew.run(bucket, published.problemCount === 0);
      outcomes[bucket] = outcome;
      published.receive(outcome.findings);
      done += 1;
      onProgress?.(done, total);
    }
  };
  try {
    // All lanes end before anything is taken away; the first that fails ends the others.
    const ended = await Promise.allSettled(
      Array.from({ length: crew.lanes }, () =>
        lane().catch((error: unknown) => {
          next = total;
          throw error;
        }),
      ),
    );
    for (const end of ended) if (end.status === "rejected") throw end.reason;
    throwIfBad(published);
    signal?.throwIfAborted();
  } catch (error) {
    await crew.close();
    await takeAway(store, isNew, outcomes);
    throw error;
  }
  await crew.close();
  return joined(outcomes);
}

/** Takes away what a failed build has written. What it cannot, the next build's clean-up does. */
async function takeAway(
  store: string,
  isNew: boolean,
  outcomes: readonly (BucketOutcome | undefined)[],
): Promise<void> {
  const written = outcomes.flatMap((outcome) => outcome?.stored?.written ?? []);
  try {
    for (const file of written) await disk.remove(join(store, file));
    if (isNew) await disk.remove(store);
  } catch (error) {
    if (!(error instanceof StoreWriteError)) throw error;
  }
}

/** Buckets as the manifest has them, in their order, whoever did them and when. */
function joined(
  outcomes: readonly BucketOutcome[],
): Pick<Manifest, "buckets" | "counts" | "records"> {
  const buckets: Manifest["buckets"] = [];
  const counts = { reports: 0, searchable: 0, historical: 0 };
  const digests = createHash("sha256");
  for (const { stored, records } of outcomes) {
    if (stored === null) throw new TypeError("a bucket without problems was not written");
    const { shard, pack } = stored;
    buckets.push({ shard, pack });
    digests.update(records);
    counts.reports += stored.counts.reports;
    counts.searchable += stored.counts.searchable;
    counts.historical += stored.counts.historical;
  }
  return { buckets, counts, records: digests.digest("hex") };
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
