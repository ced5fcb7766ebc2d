import type { DirectoryContext } from "../compile/directory.js";
import type { Figures } from "../contract/figures.js";
import { partBits } from "../contract/host.js";
import { inParallel } from "../contract/tables.js";
import { type OnProgress, PHASES, type Phase } from "../options/defaults.js";
import type { Input } from "../published/input.js";
import type { Segment, SnapshotCounts } from "../store/format.js";
import { usualSegmentSize } from "../store/layout.js";
import type { DirectoryEntry } from "../store/segments/directory.js";
import { Tally } from "../store/tally.js";
import { type Crew, crewOf } from "./crew.js";
import { Marks } from "./erasure.js";
import { joinSegments } from "./join-segments.js";
import type { BuildPlan } from "./plan.js";
import {
  type BuildWork,
  type CompileOrder,
  type CopyOrder,
  type SegmentOrder,
  type SegmentOutcome,
  SegmentWork,
} from "./segment-work.js";
import type { Tombstone } from "./tombstones.js";

export interface SegmentsOptions {
  readonly store: string;
  readonly jobs: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: OnProgress | undefined;
  /** Throws if the input has errors, which ends the build. */
  throwIfBad(): void;
}

type SegmentCrew = Crew<SegmentOrder, SegmentOutcome>;

/** All segments of a build, in the store. */
export interface DoneSegments {
  /** Oldest first. */
  readonly segments: readonly Segment[];
  /** How many of them are reused from the last build. */
  readonly kept: number;
  readonly counts: SnapshotCounts;
  readonly figures: Figures;
  readonly marks: Marks;
  readonly tombstones: readonly Tombstone[];
  /** Null after a full build. */
  readonly former: FormerEntries | null;
}

/** The last build, with the entries that were read, by host, so that their tables need not be read again. */
export interface FormerEntries {
  readonly id: string;
  readonly entries: ReadonlyMap<string, DirectoryEntry>;
}

/**
 * Compiles changed listings into new segments, erases former answers that may not stay, and tidies up. After the first
 * error in the input it stops writing, but reads on to find all errors.
 */
export async function doSegments(
  published: Input,
  context: DirectoryContext,
  plan: BuildPlan,
  options: SegmentsOptions,
): Promise<DoneSegments> {
  const { store, jobs, signal } = options;
  if (plan.orders.length === 0) return unchanged(plan);
  const crew = segmentCrew(Math.min(jobs, plan.orders.length), {
    published: published.located,
    target: { store, context },
  });
  try {
    const outcomes = await compileAll(published, crew, plan.orders, PHASES.compiling, options);
    options.throwIfBad();
    signal?.throwIfAborted();
    const made = joined(outcomes, plan);
    if (plan.former === null) return { ...made, kept: 0, former: null };
    if (plan.changed.size === 0) return unchanged(plan);
    const size = plan.segmentSize;
    const copy = (orders: readonly CopyOrder[]) => runAll(crew, orders, signal);
    return await joinSegments({ store, context, plan, former: plan.former, made, size, copy });
  } finally {
    await crew.close();
  }
}

function unchanged({ former, tombstones }: BuildPlan): DoneSegments {
  if (former === null) throw new TypeError("a full build has orders");
  const { segments, counts } = former.manifest;
  return {
    segments,
    kept: segments.length,
    counts,
    figures: former.figures,
    marks: former.marks,
    tombstones,
    former: { id: former.id, entries: new Map() },
  };
}

/**
 * Reads every record only to find errors.
 * @returns figures that count nothing but the scores of the listings that would be in search
 */
export async function readAll(
  published: Input,
  options: Pick<SegmentsOptions, "jobs" | "signal" | "onProgress">,
): Promise<Figures> {
  const bits = partBits(published.listingCount, usualSegmentSize(published.listingCount));
  const orders = Array.from(
    { length: 2 ** bits },
    (_, part) =>
      ({ kind: "compile", order: part, part, bits, reads: null, changed: null }) as const,
  );
  const crew = segmentCrew(Math.min(options.jobs, orders.length), {
    published: published.located,
    target: null,
  });
  try {
    const outcomes = await compileAll(published, crew, orders, PHASES.checking, options);
    const tally = new Tally();
    for (const { figures } of outcomes) tally.addFigures(figures);
    return tally.figures();
  } finally {
    await crew.close();
  }
}

/** Has a crew read and compile, and collects its findings. @returns the outcomes in the order of the orders */
async function compileAll(
  published: Input,
  crew: SegmentCrew,
  orders: readonly Omit<CompileOrder, "write">[],
  phase: Phase,
  { signal, onProgress }: Pick<SegmentsOptions, "signal" | "onProgress">,
): Promise<SegmentOutcome[]> {
  let done = 0;
  onProgress?.(done, orders.length, phase);
  return inParallel(orders, crew.lanes, async (order) => {
    signal?.throwIfAborted();
    const run = await crew.run({ ...order, write: published.findings.problems.count === 0 });
    published.findings.receive(run.findings);
    done += 1;
    onProgress?.(done, orders.length, phase);
    return run;
  });
}

async function runAll(
  crew: SegmentCrew,
  orders: readonly CopyOrder[],
  signal: AbortSignal | undefined,
): Promise<Segment[]> {
  const outcomes = await inParallel(orders, crew.lanes, async (order) => {
    signal?.throwIfAborted();
    return crew.run(order);
  });
  return outcomes.flatMap(({ segments }) => segments ?? []);
}

function segmentCrew(jobs: number, work: BuildWork): SegmentCrew {
  const worker = new URL("./segment-worker.js", import.meta.url);
  return crewOf(jobs, worker, work, () => new SegmentWork(work));
}

/** The results of all orders. */
export interface MadeSegments extends Omit<DoneSegments, "kept" | "former"> {}

function joined(outcomes: readonly SegmentOutcome[], plan: BuildPlan): MadeSegments {
  const tally = new Tally();
  const counts = { reports: 0, searchable: 0, historical: 0 };
  for (const { figures, counts: more } of outcomes) {
    tally.addFigures(figures);
    counts.reports += more.reports;
    counts.searchable += more.searchable;
    counts.historical += more.historical;
  }
  const marks = outcomes.flatMap((outcome) => Array.from(outcome.marks));
  return {
    segments: outcomes.flatMap(({ segments }) => segments ?? []),
    counts,
    figures: tally.figures(),
    marks: new Marks(Uint32Array.from(marks)),
    tombstones: [...plan.tombstones, ...outcomes.flatMap(({ tombstones }) => tombstones)],
  };
}
