import { accessPolicyOf } from "./access-policy.js";
import { checksOf, fixesOf, type SampleCheck, type SampleScore, scoreOfChecks } from "./checks.js";
import CHECKS from "./data/checks.json" with { type: "json" };
import SCANS from "./data/scans.json" with { type: "json" };
import STANDARDS from "./data/standards.json" with { type: "json" };
import { HOUR, type ScanPlan } from "./life.js";
import type { Random } from "./random.js";
import type { Site } from "./site.js";
import { type Context, recordTemplate, templateOf } from "./template.js";

/** A scan in the published format; undefined keys are not written. */
export interface ScanRecord extends Pick<ScanPlan, "id" | "status" | "finishedAt"> {
  readonly host: string;
  readonly score: number | null;
  readonly [key: string]: unknown;
}

/** How much lower a site's quality is for each scan further back. */
const PROGRESS = 0.06;
/** Archived scans retain only the first requests, the ones that their score is based on. */
const ARCHIVED_REQUESTS = 4;
/** The number of AI search crawlers and assistants for which the scanner evaluates robots.txt. */
const IDENTITIES = STANDARDS.crawlerCatalogue.filter(
  ({ scanner }) => scanner.visibilityPenalty,
).length;

const MOVED = recordTemplate(SCANS.moved);
const FAILED = recordTemplate(SCANS.failed);
const SCAN_TEMPLATES = recordTemplate(SCANS.parts);
const OLDER_PARTS = recordTemplate(SCANS.olderParts);
const REDIRECT_STATUS = templateOf(SCANS.redirectStatus);
const WORK = templateOf(SCANS.work);
/** The homepage traffic, for values that no check provides. */
const USUAL_SCAN = recordTemplate(SCANS.usual);
const REQUESTS = SCANS.requests.map(({ path, type, check, failed, ...measured }) => {
  return { path, type, check, failed, rung: measured.rung, measure: recordTemplate(measured) };
});

/** One scan of a site. @param random the scan's own stream */
export function sampleScan(site: Site, plan: ScanPlan, random: Random): ScanRecord {
  const { host, posture } = site;
  const { id, status, finishedAt, older } = plan;
  const context = contextOf(site, plan, random);
  if (status === "moved") return { host, id, status, finishedAt, score: null, ...MOVED(context) };
  const scoreVersion = older ? CHECKS.older.version : STANDARDS.rubric.version;
  const robotsVerdict = posture.verdict;
  const head = { host, id, status, finishedAt, scoreVersion, robotsVerdict, score: null };
  const part = status === "failed" ? FAILED(context) : gradedPart(site, plan, context);
  return Object.assign(head, part);
}

/** The facts and traits that the templates of checks.json and scans.json use. */
function contextOf(
  { host, name, language, traits }: Site,
  plan: ScanPlan,
  random: Random,
): Context {
  const rendered = random.between(180, 2_400);
  const share = traits.has("server") ? 0.85 + 0.15 * random.unit() : 0.32 + 0.4 * random.unit();
  const sent = traits.has("browser") ? random.between(0, 24) : Math.ceil(rendered * share);
  /** The number of sampled pages besides the homepage. */
  const sampled = random.chance(0.06) ? 0 : random.between(2, 6);
  const tag = language?.tag ?? "en";
  const facts = {
    host,
    name,
    label: host.split(".")[0],
    /** Word counts of the homepage as sent, and after its scripts have run. */
    sent,
    rendered,
    share: Math.round((sent / rendered) * 100),
    identities: IDENTITIES,
    tag,
    wrongTag: tag === "en" ? "de" : "en",
    sampled,
    scanned: 1 + sampled,
    requests: REQUESTS.length + 2 * sampled,
    retryAt: new Date(plan.instant + random.between(1, 48) * HOUR).toISOString(),
    redirectStatus: REDIRECT_STATUS({ random, facts: {}, traits }),
  };
  const ownTraits = new Set([...traits, plan.status]);
  if (plan.drafts) ownTraits.add("drafts");
  if (sampled > 0) ownTraits.add("sampled");
  return { random, facts, traits: ownTraits };
}

/** The findings of a scan that fetched the homepage. */
function gradedPart(site: Site, { older, age, status }: ScanPlan, context: Context) {
  const { random } = context;
  const isArchived = age > 0;
  const quality = Math.max(0, site.quality - PROGRESS * Math.max(0, age));
  const checks = checksOf(context, quality, older);
  const score = scoreOfChecks(checks);
  const bands = older ? CHECKS.older.bands : STANDARDS.rubric.bands;
  const band = bands.find(({ min, max }) => min <= score.score && score.score <= max)?.band;
  const common = {
    // The build derives bands of the current version, but only the scan knows the band of an older one.
    band: older || random.chance(0.5) ? band : undefined,
    summary: scanSummary(score, checks),
    checks: isArchived ? checks.map(trimmed) : checks,
    observations: requestsOf(checks, isArchived, context),
    fixes: fixesOf(site.host, checks, score, random),
    ...score,
  };
  if (isArchived) return common;
  const facts = {
    markdown: checks.some((one) => one.checkId === "markdown-answers" && one.status === "pass"),
    work: WORK(context),
    accessPolicy: accessPolicyOf(site, status === "complete", context),
    ...context.facts,
  };
  const parts = older ? OLDER_PARTS : SCAN_TEMPLATES;
  return Object.assign(common, parts({ facts, random, traits: context.traits }));
}

/** A check as an archived scan retains it: without details and, if it passed, without a summary. */
function trimmed(check: SampleCheck): SampleCheck {
  const summary = check.status === "pass" ? null : check.summary;
  return Object.assign({}, check, { summary, details: {} });
}

/** The requests of a scan, consistent with its checks. */
function requestsOf(checks: readonly SampleCheck[], isArchived: boolean, context: Context) {
  const { random, traits, facts } = context;
  const byId = new Map(checks.map((check) => [check.checkId, check]));
  const [budget, redirects] = [byId.get("response-budget"), byId.get("redirects")];
  const measured = { ...USUAL_SCAN(context), ...budget?.details, ...redirects?.details };
  const isWall = traits.has("bot-wall");
  const requests = isArchived ? REQUESTS.slice(0, ARCHIVED_REQUESTS) : REQUESTS;
  return requests.map(({ path, type, check: id, failed = 404, rung, measure }) => {
    const check = byId.get(id ?? "");
    const isFound = id === undefined || (check !== undefined && check.status !== "fail");
    const isRefused =
      id === undefined &&
      ((isWall && rung !== "browser") || (rung === "crawler" && traits.has("edge-block")));
    const status = isRefused ? 403 : (check?.details.httpStatus ?? (isFound ? 200 : failed));
    const url = `https://${facts.host}${path}`;
    return {
      url,
      finalUrl: random.chance(0.9) ? url : null,
      status,
      contentType: isFound && status === 200 ? type : "text/html; charset=utf-8",
      ...measure({ random, traits, facts: measured }),
    };
  });
}

function scanSummary(
  { score, cappedAt, penalties }: SampleScore,
  checks: readonly SampleCheck[],
): string {
  if (cappedAt !== null) return `Empty without JavaScript: the score ends at ${cappedAt}.`;
  const worst = checks.find(
    ({ kind, status, maxPoints }) => kind === "achievement" && status === "fail" && maxPoints > 0,
  );
  return [
    SCANS.leads.find(({ min }) => score >= min)?.text,
    worst && `First to fix: ${worst.label.toLowerCase()}.`,
    penalties > 0 && `Penalties take ${penalties} points.`,
  ]
    .filter(Boolean)
    .join(" ");
}
