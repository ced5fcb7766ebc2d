import type { Check, ScanStats } from "../../contract/report.js";
import type { Random } from "../random.js";
import type { Observed, Pages, ScanStatus } from "../records.js";
import type { Site } from "../sites/site.js";

const HTML = "text/html; charset=utf-8";
const PLAIN = "text/plain; charset=utf-8";

/** A request that every scan makes. */
interface Probe {
  readonly key: string;
  readonly path: string;
  readonly rung: "plain" | "browser" | "crawler";
  /** Media type of what is hoped for; anything else is HTML. */
  readonly type: string;
  readonly bytesMax: number;
  /** The check that judges the answer; without one the answer is the homepage. */
  readonly check?: string;
  /** Status of the answer where the check fails; absent: 404. */
  readonly failed?: number;
}

const PROBES: readonly Probe[] = [
  { key: "home", path: "/", rung: "plain", type: HTML, bytesMax: 480_000 },
  { key: "home-rendered", path: "/", rung: "browser", type: HTML, bytesMax: 900_000 },
  { key: "home-as-crawler", path: "/", rung: "crawler", type: HTML, bytesMax: 480_000 },
  probe("robots", "/robots.txt", PLAIN, 4_000, "robots-txt"),
  probe("sitemap", "/sitemap.xml", "application/xml", 900_000, "sitemap"),
  probe("llms", "/llms.txt", "text/markdown", 30_000, "llms-txt"),
  { ...probe("markdown", "/", "text/markdown", 40_000, "markdown-answers"), failed: 200 },
  probe("catalog", "/.well-known/api-catalog", "application/linkset+json", 2_000, "api-catalog"),
];

/** Archived scans keep the requests that their score rests on. */
const ARCHIVED_PROBES = PROBES.slice(0, 4);

function probe(key: string, path: string, type: string, bytesMax: number, check: string): Probe {
  return { key, path, rung: "plain", type, bytesMax, check };
}

/** The requests of a scan whose homepage answered; they say what its checks say. */
export function observationsOf(
  site: Site,
  checks: readonly Check[],
  random: Random,
  archived: boolean,
): Observed[] {
  const byId = new Map(checks.map((check) => [check.checkId, check]));
  const budget = byId.get("response-budget")?.details ?? {};
  return (archived ? ARCHIVED_PROBES : PROBES).map((given) => {
    const { key, path, rung, type, bytesMax, check } = given;
    const url = `https://${site.host}${path}`;
    const plainHome = key === "home";
    const status = check === undefined ? homeStatus(site, rung) : judged(given, byId.get(check));
    const fitting = status === 200 && (check === undefined || byId.get(check)?.status !== "fail");
    return {
      key,
      url,
      finalUrl: random.chance(0.9) ? url : null,
      status,
      contentType: fitting ? type : HTML,
      durationMs: (plainHome && numberOf(budget.milliseconds)) || random.between(400, 19_000) / 10,
      rung,
      redirects: (plainHome && numberOf(byId.get("redirects")?.details.hops)) || 0,
      byteLength: (plainHome && numberOf(budget.bytes)) || random.between(120, bytesMax),
    };
  });
}

/** A browser gets through a wall; what calls itself a crawler may not get through at all. */
function homeStatus({ botWall, edgeBlock }: Site, rung: Probe["rung"]): number {
  if (rung === "browser") return 200;
  return botWall || (edgeBlock && rung === "crawler") ? 403 : 200;
}

function judged({ failed = 404 }: Probe, check: Check | undefined): number {
  if (check === undefined) return failed;
  return numberOf(check.details.httpStatus) || (check.status === "fail" ? failed : 200);
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** The one request of a scan that got no page. */
export function failedObservation(site: Site, random: Random): Observed {
  return {
    key: "home",
    url: `https://${site.host}/`,
    finalUrl: null,
    status: random.weighted<number | null>([
      [null, 5],
      [503, 3],
      [521, 1],
    ]),
    contentType: null,
    durationMs: 30_000,
    rung: "plain",
    redirects: 0,
    byteLength: 0,
  };
}

/** Totals over a scan's requests; scans of old say less. */
export function statsOf(
  observations: readonly Observed[],
  pages: Pages | null,
  random: Random,
): ScanStats {
  const sampled = pages?.pages.length ?? 0;
  return {
    pagesScanned: 1 + sampled,
    requestCount: observations.length + sampled * 2,
    bytesFetched: observations.reduce((sum, { byteLength }) => sum + byteLength, 0),
    durationMs: random.between(2_000, 90_000),
  };
}

const PAGE_KINDS = ["article", "product", "about", "documentation", "contact", "listing"];
const REASONS = [
  "newest in the sitemap",
  "linked from the main menu",
  "longest text",
  "seen before",
];
const SOURCES = [
  ["sitemap"],
  ["homepage"],
  ["sitemap", "homepage"],
  ["previous", "sitemap"],
] as const;

/** The pages that a scan sampled besides the homepage; null for scans from before it did. */
export function pagesOf(site: Site, status: ScanStatus, random: Random): Pages | null {
  if (random.chance(0.05)) return null;
  const count = random.chance(0.06) ? 0 : random.between(2, 6);
  const stopped = status === "partial" && count > 0;
  const completeness = count === 0 ? "empty" : stopped ? "partial" : "full";
  return {
    version: 2,
    completeness,
    stopped: stopped ? random.pick(["time budget used up", "the server began to refuse"]) : null,
    pages: Array.from({ length: count }, (_, place) => {
      const kind = random.pick(PAGE_KINDS);
      const url = `https://${site.host}/${kind}/${place + 1}`;
      const outcome = random.weighted([
        ["read", 88],
        ["error", 4],
        ["redirected", 4],
        ["forbidden", 4],
      ] as const);
      return {
        url,
        kind,
        sources: [...random.pick(SOURCES)],
        reasons: random.some(REASONS, random.between(1, 2)),
        outcome,
        status: { read: 200, error: 500, redirected: 301, forbidden: null }[outcome],
        finalUrl: { read: url, error: url, redirected: `${url}/`, forbidden: null }[outcome],
      };
    }),
  };
}
