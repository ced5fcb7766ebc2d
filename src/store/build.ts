import { join } from "node:path";
import { type DirectoryContext, directoryContext, signalsOf } from "../compile/directory.js";
import { apiCatalog } from "../contract/api-catalog.js";
import { openApiDocument } from "../contract/openapi.js";
import { ROUTES } from "../contract/routes.js";
import type { Problem } from "../published/problem.js";
import { type OpenOptions, openPublished, type Published } from "../published/published.js";
import { fileState } from "../published/regular-file.js";
import type { Directory } from "../published/schemas.js";
import { type DoneBuckets, doBuckets, readAll } from "./buckets.js";
import { StoreWriteError } from "./disk.js";
import { type Manifest, STORE_FORMAT } from "./format.js";
import { lockStore } from "./lock.js";
import { type Built, inOrder, inputFiles, readNotes } from "./notes.js";
import { documentsDigest, formerBuild, type Plan, planBuild } from "./plan.js";
import { type OnProgress, PHASES } from "./progress.js";
import { cleanUpAfter, type PublicDocument, publish } from "./publish.js";
import { requirePlaceOf } from "./purge.js";
import { toolDigest } from "./tool.js";
import { describe } from "./writer.js";

export interface BuildOptions {
  /** The store's folder; made where it is not there. */
  readonly out: string;
  /** How many snapshots stay in the store, the new one included; 1 at least. */
  readonly keep: number;
  /** Worker threads that compile; 1, the default, compiles in the calling thread. */
  readonly jobs?: number;
  /** Whether nothing of the previous build is trusted: everything is read, compiled and written. */
  readonly full?: boolean;
  /** A file to be written with the addresses, one a line, that changed or went: for caches to forget. */
  readonly purgeList?: string | undefined;
  /** Ends the build before its snapshot is published: its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Told how far reading, compiling (or checking) and publishing are. */
  readonly onProgress?: OnProgress | undefined;
}

export interface BuildResult {
  readonly id: string;
  /** Whether another snapshot than before is current. */
  readonly changed: boolean;
  readonly counts: Manifest["counts"] & { readonly listings: number; readonly scans: number };
  /** Shards with their packs, and how many of them stayed as the build before had left them. */
  readonly buckets: number;
  readonly kept: number;
  /** Of all files that the snapshot names, those that it shares with others included. */
  readonly bytes: number;
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
  /** The published directory, as it was given. */
  readonly folder: string;

  constructor({ problems, problemCount, warnings }: Published, folder: string) {
    super(`${problemCount} ${problemCount === 1 ? "error" : "errors"} in the published directory`);
    this.problems = problems;
    this.problemCount = problemCount;
    this.warnings = warnings;
    this.folder = folder;
  }
}

export type ValidateOptions = Pick<BuildOptions, "jobs" | "signal" | "onProgress">;

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
  if (options.purgeList !== undefined) requirePlaceOf(options.purgeList);
  const unlock = await lockStore(options.out);
  try {
    return await buildLocked(folder, options);
  } finally {
    await unlock();
  }
}

/** The checks of a build, nothing written. @throws as `build` does of the input. */
export async function validate(
  folder: string,
  { jobs = 1, signal, onProgress }: ValidateOptions = {},
): Promise<Validation> {
  const published = await openPublished(folder, { signal, jobs, onRead: onReadOf(onProgress) });
  try {
    await readAll(published, { jobs, signal, onProgress });
    throwIfBadPublished(published, folder);
    const { listingCount, scanCount, warnings } = published;
    return { listings: listingCount, scans: scanCount, warnings };
  } finally {
    published.close();
  }
}

function throwIfBadPublished(published: Published, folder: string): void {
  if (published.problemCount > 0) throw new BadPublishedError(published, folder);
}

function onReadOf(onProgress: OnProgress | undefined): OpenOptions["onRead"] {
  return onProgress && ((records, done, total) => onProgress(done, total, PHASES[records]));
}

async function buildLocked(
  folder: string,
  { out: store, keep, jobs = 1, full = false, purgeList, signal, onProgress }: BuildOptions,
): Promise<BuildResult> {
  const notes = await readNotes(store);
  const former = full ? null : await formerBuild(store, notes);
  const onRead = onReadOf(onProgress);
  const published = await openPublished(folder, { signal, known: former?.known, jobs, onRead });
  try {
    if (published.problemCount > 0) {
      await readAll(published, { jobs, signal, onProgress });
      throwIfBadPublished(published, folder);
    }
    const { directory, context } = documentsOf(published);
    const plan = await planBuild(store, published, former, signal);
    const throwIfBad = () => throwIfBadPublished(published, folder);
    const options = { store, jobs, signal, onProgress, throwIfBad };
    const done = await doBuckets(published, context, plan, options);
    const counts = total(done.counts);
    const documents = publicDocuments(directory, context);
    const manifest = manifestOf(plan, done, counts, directory, context, documents);
    const noted = (id: string) => ({
      tombstones: inOrder(done.tombstones),
      built: builtNotes(store, id, published, plan, done),
    });
    onProgress?.(0, 0, PHASES.publishing);
    const after = await publish(store, {
      manifest,
      documents,
      notes,
      noted: plan.untouched && plan.buckets.every(({ kept }) => kept !== null) ? undefined : noted,
      purgeList,
    });
    await cleanUpAfter(after.id, store, keep, after.notes);
    const { listingCount: listings, scanCount: scans, warnings } = published;
    return {
      id: after.id,
      changed: after.changed,
      counts: { listings, scans, ...counts },
      kept: plan.buckets.filter(({ kept }) => kept !== null).length,
      buckets: plan.buckets.length,
      bytes: bytesOf(manifest),
      warnings,
    };
  } finally {
    published.close();
  }
}

function documentsOf({ directory, standards, taxonomy }: Published) {
  if (directory === null || standards === null || taxonomy === null) {
    throw new TypeError("a published directory without its documents has problems");
  }
  return { directory, context: directoryContext(directory, standards, taxonomy) };
}

function total(counts: readonly Manifest["counts"][]): Manifest["counts"] {
  const sum = { reports: 0, searchable: 0, historical: 0 };
  for (const { reports, searchable, historical } of counts) {
    sum.reports += reports;
    sum.searchable += searchable;
    sum.historical += historical;
  }
  return sum;
}

function manifestOf(
  { records }: Plan,
  { buckets }: DoneBuckets,
  counts: Manifest["counts"],
  { name, baseUrl }: Directory,
  context: DirectoryContext,
  documents: readonly PublicDocument[],
): Manifest {
  return {
    format: STORE_FORMAT,
    records,
    directory: { name, baseUrl, siteUrl: context.siteUrl },
    counts,
    vocabulary: {
      categories: [...context.categories],
      signals: signalsOf(context.standards),
      platforms: [...context.platforms],
    },
    buckets,
    public: documents.map(({ path, bytes }) => describe(bytes, () => path)),
  };
}

function bytesOf({ buckets, public: documents }: Manifest): number {
  const files = [...buckets.flatMap((bucket) => Object.values(bucket)), ...documents];
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** What the next build needs to know of this one. */
function builtNotes(
  store: string,
  id: string,
  published: Published,
  plan: Plan,
  { buckets, counts }: DoneBuckets,
): Built {
  const stateOf = (file: string) => {
    const state = fileState(join(store, file));
    if (state === null)
      throw new StoreWriteError(`${join(store, file)} was taken away meanwhile; build again`);
    return state;
  };
  return {
    id,
    tool: toolDigest(),
    documents: documentsDigest(published),
    sharedHashes: [...published.sharedHashes].sort((a, b) => a - b),
    buckets: buckets.map(({ shard, columns, pack }, bucket) => {
      const now = {
        shard: stateOf(shard.file),
        columns: stateOf(columns.file),
        pack: stateOf(pack.file),
      };
      const planned = plan.buckets[bucket]!;
      // A kept file that has changed since it was looked at must be looked at again.
      return { ...counts[bucket]!, ...(planned.kept === null ? now : planned.states) };
    }),
    listings: inputFiles(published, "listings"),
    scans: inputFiles(published, "scans"),
  };
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
