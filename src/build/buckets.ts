import { setImmediate } from "node:timers/promises";
import type { DirectoryContext } from "../compile/directory.js";
import { type OnProgress, PHASES, type Phase } from "../options/defaults.js";
import type { Published } from "../published/published.js";
import type { Manifest } from "../store/format.js";
import { bucketBits, LISTINGS_A_BUCKET } from "../store/layout.js";
import type { BucketFigures } from "../store/tally.js";
import type { BucketOrder, BucketOutcome } from "./bucket-work.js";
import { type Crew, crewOf } from "./crew.js";
import type { BuildPlan } from "./plan.js";
import { recordProgress } from "./progress.js";
import { SearchGroups } from "./search-groups.js";
import type { Tombstone } from "./tombstones.js";
import type { StoredBucket } from "./writer.js";

export interface BucketsOptions {
  readonly store: string;
  readonly jobs: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: OnProgress | undefined;
  /** Throws if the input has errors, which ends the build. */
  throwIfBad(): void;
}

/** A bucket that was made, without its findings and its rows, which may be as many as its records. */
interface MadeBucket {
  readonly stored: Omit<StoredBucket, "rows">;
  readonly tombstones: readonly Tombstone[];
}

/** All buckets of a build, in the store. */
export interface DoneBuckets {
  /** In the order of their numbers, whichever worker finished them first. */
  readonly buckets: Manifest["buckets"];
  /** By group of buckets. */
  readonly search: Manifest["search"];
  /** One entry for each bucket. */
  readonly counts: readonly Manifest["counts"][];
  /** One entry for each bucket. */
  readonly figures: readonly BucketFigures[];
  readonly tombstones: readonly Tombstone[];
}

/**
 * Compiles and writes all buckets that are not kept. After the first error in the input it stops
 * writing, but reads on to find all errors.
 */
export async function doBuckets(
  published: Published,
  context: DirectoryContext,
  plan: BuildPlan,
  options: BucketsOptions,
): Promise<DoneBuckets> {
  const { store, jobs, signal } = options;
  const outcomes: (MadeBucket | undefined)[] = [];
  const groups = new SearchGroups(store, plan);
  await warnOfOrphans(published, plan, signal);
  const made = plan.buckets.filter(({ kept }) => kept === null).length;
  if (made > 0) {
    const target = { store, context };
    const crew = crewOf(Math.min(jobs, made), {
      bits: plan.bits,
      published: published.shared,
      target,
    });
    const orders = plan.buckets.flatMap((planned, bucket) =>
      planned.kept === null ? [{ bucket, former: planned.former }] : [],
    );
    try {
      const whole = { orders, bits: plan.bits, phase: PHASES.compiling };
      await runAll(published, crew, whole, options, async (bucket, { stored, tombstones }) => {
        if (stored === null) return;
        const { rows, ...others } = stored;
        outcomes[bucket] = { stored: others, tombstones };
        await groups.add(bucket, rows);
      });
    } finally {
      await crew.close();
    }
  }
  options.throwIfBad();
  signal?.throwIfAborted();
  return { ...joinedBuckets(plan, outcomes), search: groups.files() };
}

/** Warns of scans without a listing in every build, even if their bucket is kept. */
async function warnOfOrphans(
  published: Published,
  { buckets, bits, orphans }: BuildPlan,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const [bucket, hashes] of orphans) {
    if (buckets[bucket]?.kept === null) continue;
    // Reading is synchronous, so signals can only be handled between buckets.
    await setImmediate();
    signal?.throwIfAborted();
    for (const _ of published.readBucket(bucket, bits, (hash) => !hashes.has(hash)));
  }
}

/** Reads every record only to find errors. */
export async function readAll(
  published: Published,
  options: Omit<BucketsOptions, "store" | "throwIfBad">,
): Promise<void> {
  const bits = bucketBits(published.listingCount, LISTINGS_A_BUCKET);
  const orders = Array.from({ length: 2 ** bits }, (_, bucket) => ({ bucket, former: null }));
  const crew = crewOf(Math.min(options.jobs, orders.length), {
    bits,
    published: published.shared,
    target: null,
  });
  try {
    await runAll(published, crew, { orders, bits, phase: PHASES.checking }, options);
  } finally {
    await crew.close();
  }
}

/** The work for a crew. */
interface BucketOrders {
  readonly orders: readonly Omit<BucketOrder, "write">[];
  readonly bits: number;
  readonly phase: Phase;
}

/**
 * Has a crew process the buckets in as many lanes as it has, and collects their findings.
 * @param receive gets the outcome of each bucket
 */
async function runAll(
  published: Published,
  crew: Crew,
  { orders, bits, phase }: BucketOrders,
  { signal, onProgress }: Pick<BucketsOptions, "signal" | "onProgress">,
  receive: (bucket: number, outcome: BucketOutcome) => Promise<void> = async () => {},
): Promise<void> {
  let next = 0;
  const numbers = orders.map(({ bucket }) => bucket);
  const tell = recordProgress(published.shared, bits, numbers, phase, onProgress);
  const lane = async () => {
    for (let order = orders[next]; order !== undefined; order = orders[next]) {
      next += 1;
      signal?.throwIfAborted();
      const run = await crew.run({ ...order, write: published.problemCount === 0 });
      published.receive(run.findings);
      await receive(order.bucket, run);
      tell(order.bucket);
    }
  };
  // Nothing is cleaned up before all lanes end. The first lane to fail stops the others.
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

function joinedBuckets(
  plan: BuildPlan,
  outcomes: readonly (MadeBucket | undefined)[],
): Omit<DoneBuckets, "search"> {
  const buckets: Manifest["buckets"] = [];
  const counts: Manifest["counts"][] = [];
  const figures: BucketFigures[] = [];
  const tombstones = [...plan.tombstones];
  for (const [bucket, planned] of plan.buckets.entries()) {
    if (planned.kept !== null) {
      buckets.push(planned.kept);
      counts.push(planned.counts);
      figures.push(planned.figures);
      continue;
    }
    const outcome = outcomes[bucket];
    if (outcome === undefined) throw new TypeError("a bucket without problems was not written");
    buckets.push(outcome.stored.files);
    counts.push(outcome.stored.counts);
    figures.push(outcome.stored.figures);
    tombstones.push(...outcome.tombstones);
  }
  return { buckets, counts, figures, tombstones };
}
