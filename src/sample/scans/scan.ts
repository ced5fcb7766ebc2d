import type { Check } from "../../contract/report.js";
import { OLDER, RUBRIC } from "../methodology/rubric.js";
import type { Random } from "../random.js";
import type { ScanRecord } from "../records.js";
import type { ScanPlan } from "../sites/life.js";
import type { Posture, Site } from "../sites/site.js";
import { accessPolicyOf } from "./access.js";
import { checksOf } from "./checks.js";
import { enrichmentOf, prerenderOf, profileOf, starterFilesOf } from "./extras.js";
import { fixesOf } from "./fixes.js";
import { failedObservation, observationsOf, pagesOf, statsOf } from "./requests.js";
import { bandOf, type Score, scoreOf } from "./scoring.js";
import type { Visit } from "./verdict.js";

/** By how much a site was worse a scan earlier. */
const PROGRESS = 0.06;

const ROBOTS_VERDICTS: Readonly<Record<Posture, string | null>> = {
  open: "allowed",
  absent: "missing",
  "no-training": "training-refused",
  "no-ai": "ai-refused",
  closed: "closed",
  contradictory: "contradictory",
  unreachable: null,
};

/** One scan of a site. @param random the scan's own stream */
export function scanOf(site: Site, plan: ScanPlan, random: Random): ScanRecord {
  if (plan.status === "moved") return movedScan(site, plan, random);
  const visit = visitOf(site, plan, random);
  if (plan.status === "failed") return failedScan(visit, plan);
  const checks = checksOf(visit, { older: plan.older, reached: true });
  const score = scoreOf(checks);
  const observations = observationsOf(site, checks, random, plan.archived);
  const fixes = fixesOf(site.host, checks, score, random);
  const parts = plan.archived ? {} : currentParts(visit, plan, checks);
  return {
    ...headOf(site, plan),
    ...scoredPart(score, plan, random),
    robotsVerdict: ROBOTS_VERDICTS[site.posture],
    summary: summaryOf(score, checks),
    stats: plan.older ? undefined : statsOf(observations, parts.pages ?? null, random),
    checks: plan.archived ? checks.map(trimmed) : checks,
    observations,
    fixes,
    ...parts,
  };
}

/** A check as an archived scan keeps it: what it observed is gone, and what it said of a pass. */
function trimmed(check: Check): Check {
  const { status, summary } = check;
  return { ...check, summary: status === "pass" ? null : summary, details: {} };
}

/** What a scan has until a newer one replaces it. The older version sampled no pages and told no states. */
function currentParts(
  { site, random }: Visit,
  plan: ScanPlan,
  checks: readonly Check[],
): Partial<ScanRecord> {
  const drafts = random.chance(0.55) ? starterFilesOf(site) : null;
  const parts = {
    redirect: null,
    profile: profileOf(site, random),
    accessPolicy: random.chance(0.95) ? accessPolicyOf(site, plan.status === "complete") : null,
    starterFiles: drafts,
  };
  if (plan.older) return { ...parts, pages: null };
  const markdown = checks.find(({ checkId }) => checkId === "markdown-answers");
  return {
    ...parts,
    pages: pagesOf(site, plan.status, random),
    prerender: site.lovable ? prerenderOf(markdown?.status === "pass") : null,
    enrichment: random.chance(0.9) ? enrichmentOf(plan.instant, drafts !== null, random) : null,
  };
}

function headOf({ host }: Site, { id, status, finishedAt }: ScanPlan) {
  return { host, id, status, finishedAt };
}

function visitOf(site: Site, plan: ScanPlan, random: Random): Visit {
  const rendered = random.between(180, 2_400);
  const share = {
    server: 0.85 + 0.15 * random.unit(),
    mixed: 0.32 + 0.4 * random.unit(),
    browser: 0,
  }[site.rendering];
  const sent = site.rendering === "browser" ? random.between(0, 24) : Math.ceil(rendered * share);
  const quality = Math.max(0, site.quality - PROGRESS * plan.age);
  return { site, random, quality, words: { sent, rendered } };
}

function scoredPart(
  score: Score,
  { older }: ScanPlan,
  random: Random,
): Partial<ScanRecord> & { score: number } {
  // The build derives the band of the current version; that of an older one only its scan knows.
  const band = bandOf(score.score, older);
  return {
    score: score.score,
    band: older || random.chance(0.5) ? band : undefined,
    scoreVersion: older ? OLDER.version : RUBRIC.version,
    block1: score.block1,
    block2: score.block2,
    penalties: score.penalties,
    cappedAt: score.cappedAt,
  };
}

/** A scan that never got the homepage: some results, no score. */
function failedScan(visit: Visit, plan: ScanPlan): ScanRecord {
  const { site, random } = visit;
  const checks = checksOf(visit, { older: plan.older, reached: false });
  const observation = failedObservation(site, random);
  return {
    ...headOf(site, plan),
    score: null,
    scoreVersion: plan.older ? OLDER.version : RUBRIC.version,
    robotsVerdict: ROBOTS_VERDICTS[site.posture],
    summary: "The homepage could not be fetched, so there is no score.",
    stats: statsOf([observation], null, random),
    profile: null,
    checks,
    observations: [observation],
    pages: plan.archived
      ? undefined
      : { version: 2, completeness: "empty", stopped: "no homepage", pages: [] },
    fixes: fixesOf(site.host, checks, null, random),
    enrichment: random.chance(0.3) ? enrichmentOf(plan.instant, false, random) : null,
  };
}

/** A scan whose homepage led to another domain. */
function movedScan(site: Site, plan: ScanPlan, random: Random): ScanRecord {
  const host = random.chance(0.85) ? `${site.host.split(".")[0]}-new.example` : null;
  // A scripted navigation has no status.
  const status = random.weighted<number | null>([
    [301, 6],
    [308, 2],
    [302, 1],
    [null, 2],
  ]);
  return {
    ...headOf(site, plan),
    score: null,
    summary: "The homepage leads to another domain.",
    redirect: { host, status },
    stats: {
      pagesScanned: 0,
      requestCount: 2,
      bytesFetched: null,
      durationMs: random.between(80, 900) / 2,
    },
    observations: [{ ...failedObservation(site, random), status, redirects: 1, durationMs: 120.5 }],
  };
}

function summaryOf({ score, cappedAt, penalties }: Score, checks: readonly Check[]): string | null {
  const failed = checks.filter(({ kind, status }) => kind === "achievement" && status === "fail");
  if (cappedAt !== null) return `Empty without JavaScript: the score ends at ${cappedAt}.`;
  const lead =
    score >= 80
      ? "Reads well without a browser."
      : score >= 55
        ? "Mostly readable."
        : "Hard to read.";
  const worst = failed[0] === undefined ? "" : ` First to mend: ${failed[0].label.toLowerCase()}.`;
  const taken = penalties > 0 ? ` Penalties take ${penalties} points.` : "";
  return `${lead}${worst}${taken}`;
}
