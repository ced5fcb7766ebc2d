import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DirectoryContext } from "../compile/directory.js";
import type { Published } from "../published/published.js";
import { bucketOfHash } from "../published/record-index.js";
import type { BucketOutcome } from "./bucket-work.js";
import { type Crew, crewOf } from "./crew.js";
import { disk, StoreWriteError } from "./disk.js";
import type { Manifest } from "./format.js";
import type { Tombstone } from "./notes.js";
import type { BucketPlan, Plan } from "./plan.js";
import { prepareStore } from "./publish.js";

export interface BucketsOptions {
  readonly store: string;
  readonly jobs: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((done: number, total: number) => void) | undefined;
  /** Ends all where the input is bad. */
  throwIfBad(): void;
}

/** All buckets of a build, in the store. */
export interface DoneBuckets {
  /** In their order, whoever did them and when. */
  readonly buckets: Manifest["buckets"];
  /** Of each bucket. */
  readonly counts: readonly Manifest["counts"][];
  readonly tombstones: readonly Tombstone[];
}

type Made = Extract<BucketPlan, { kept: null }>;

/**
 * Has all buckets that are not kept compiled and written. At the first error of the input writing ends,
 * but reading goes on, to find them all. Where it fails, what it has written is taken away again.
 */
export async function doBuckets(
  published: Published,
  context: DirectoryContext,
  plan: Plan,
  options: BucketsOptions,
): Promise<DoneBuckets> {
  const { store, jobs, signal } = options;
  const isNew = !existsSync(store);
  await prepareStore(store);
  const outcomes: (BucketOutcome | undefined)[] = [];
  try {
    warnOfOrphans(published, plan);
    const made = plan.buckets.filter(({ kept }) => kept === null).length;
    if (made > 0) {
      const work = { store, bits: plan.bits, context, published: published.shared };
      const crew = crewOf(Math.min(jobs, made), work);
      try {
        await compileBuckets(published, plan, crew, outcomes, options);
      } finally {
        await crew.close();
      }
    }
    options.throwIfBad();
    signal?.throwIfAborted();
  } catch (error) {
    await takeAway(store, isNew, outcomes);
    throw error;
  }
  return joined(plan, outcomes);
}

/** Scans without a listing are told of in every build, also where their bucket is kept. */
function warnOfOrphans(published: Published, { buckets, bits, orphans }: Plan): void {
  const inBuckets = new Set(Array.from(orphans, (hash) => bucketOfHash(hash, bits)));
  for (const bucket of inBuckets) {
    if (buckets[bucket]?.kept === null) continue;
    for (const _ of published.readBucket(bucket, bits, (hash) => !orphans.has(hash)));
  }
}

async function compileBuckets(
  published: Published,
  { buckets }: Plan,
  crew: Crew,
  outcomes: (BucketOutcome | undefined)[],
  { signal, onProgress }: BucketsOptions,
): Promise<void> {
  const orders = buckets.flatMap((plan, bucket) =>
    plan.kept === null ? [{ bucket, former: (plan as Made).former }] : [],
  );
  let next = 0;
  let done = buckets.length - orders.length;
  const lane = async () => {
    while (next < orders.length) {
      const order = orders[next]!;
      next += 1;
      signal?.throwIfAborted();
      const outcome = await crew.run({ ...order, write: published.problemCount === 0 });
      outcomes[order.bucket] = outcome;
      published.receive(outcome.findings);
      done += 1;
      onProgress?.(done, buckets.length);
    }
  };
  // All lanes end before anything is taken away; the first that fails ends the others.
  const ended = await Promise.allSettled(
    Array.from({ length: crew.lanes }, () =>
      lane().catch((error: unknown) => {
        next = orders.length;
        throw error;
      }),
    ),
  );
  for (const end of ended) if (end.status === "rejected") throw end.reason;
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

function joined(plan: Plan, outcomes: readonly (BucketOutcome | undefined)[]): DoneBuckets {
  const buckets: Manifest["buckets"] = [];
  const counts: Manifest["counts"][] = [];
  const tombstones = [...plan.tombstones];
  for (const [bucket, planned] of plan.buckets.entries()) {
    if (planned.kept !== null) {
      buckets.push(planned.kept);
      counts.push(planned.counts);
      continue;
    }
    const outcome = outcomes[bucket];
    if (outcome?.stored == null) throw new TypeError("a bucket without problems was not written");
    const { shard, pack } = outcome.stored;
    buckets.push({ shard, pack });
    counts.push(outcome.stored.counts);
    tombstones.push(...outcome.tombstones);
  }
  return { buckets, counts, tombstones };
}
