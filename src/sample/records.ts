import type { z } from "zod";
import type { AccessPolicy } from "../contract/access-policy.js";
import type { EnrichmentState } from "../contract/enrichment.js";
import type {
  Check,
  Fix,
  Observation,
  Prerender,
  SampledPages,
  ScanStats,
} from "../contract/report.js";

/** Keys that a publisher may leave out; what is undefined is not written. */
type Sparse<T> = { readonly [K in keyof T]?: T[K] | undefined };

export type Observed = z.infer<typeof Observation>;
export type Pages = z.infer<typeof SampledPages>;
export type PrerenderNote = z.infer<typeof Prerender>;

export type Visibility = "listed" | "blocked" | "opted-out" | "redirected" | "removed" | "deleted";

/** A listing as the published format has it. */
export interface ListingRecord
  extends Sparse<{
    visibility: Visibility;
    name: string | null;
    tagline: string | null;
    description: string | null;
    category: string | null;
    tags: readonly string[];
    platforms: readonly string[];
    hosting: string | null;
    linkRel: string;
    logoUrl: string | null;
    ogImageUrl: string | null;
    entitlements: Plan;
    publishedScan: string;
  }> {
  readonly host: string;
  readonly url: string;
  readonly status: string;
}

/** A listing's plan; what is absent is not part of it. */
export type Plan = Sparse<{
  history: boolean;
  fixPrompts: number | null;
  starterFiles: boolean;
  highlight: boolean;
}>;

export type ScanStatus = "complete" | "partial" | "failed" | "moved";

/** A scan as the published format has it. */
export interface ScanRecord
  extends Sparse<{
    band: string | null;
    scoreVersion: string | null;
    robotsVerdict: string | null;
    summary: string | null;
    block1: number | null;
    block2: number | null;
    penalties: number | null;
    cappedAt: number | null;
    redirect: { host: string | null; status: number | null } | null;
    stats: ScanStats;
    profile: Readonly<Record<string, unknown>> | null;
    checks: readonly Check[];
    observations: readonly Observed[];
    pages: Pages | null;
    fixes: readonly Fix[];
    accessPolicy: AccessPolicy | null;
    prerender: PrerenderNote | null;
    starterFiles: Readonly<Record<string, unknown>> | null;
    enrichment: Enrichment | null;
  }> {
  readonly host: string;
  readonly id: string;
  readonly status: ScanStatus;
  readonly finishedAt: string;
  readonly score: number | null;
}

export interface Enrichment extends Sparse<{ revision: string }> {
  readonly copy: EnrichmentState;
  readonly starterFiles: EnrichmentState | null;
}
