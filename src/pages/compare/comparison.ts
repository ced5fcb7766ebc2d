import { meantHost } from "../../contract/host.js";
import type { Report } from "../../contract/report.js";
import { csvText } from "../kit/escape.js";

/** The most sites in one comparison. */
export const COMPARED_MAX = 20;
/** The most texts of a query that are read. */
const TEXTS_MAX = 200;

/** What a query asks to compare. */
export interface ComparedTexts {
  /** Canonical hosts, each once: at most COMPARED_MAX. */
  readonly hosts: readonly string[];
  /** The texts that cannot be hosts, each once, with their indexes among all texts. */
  readonly others: ReadonlyMap<string, number>;
}

/**
 * Reads the query of the page that compares sites: `sites`, once or several times, with commas or spaces between
 * hosts. Any pasted address counts as its host. Hosts beyond COMPARED_MAX are left out.
 */
export function comparedTexts(query: string | URLSearchParams): ComparedTexts {
  const texts = new URLSearchParams(query)
    .getAll("sites")
    .join(",")
    .split(/[\s,]+/, TEXTS_MAX)
    .filter((text) => text !== "");
  const hosts = new Set<string>();
  const others = new Map<string, number>();
  for (const [index, text] of texts.entries()) {
    const host = meantHost(text);
    if (host !== null) hosts.add(host);
    else if (!others.has(text)) others.set(text, index);
  }
  return { hosts: [...hosts].slice(0, COMPARED_MAX), others };
}

/** The query that compares these texts, without its `?`; "" for none. */
export function comparedQuery(texts: readonly string[]): string {
  return texts.length === 0 ? "" : `sites=${texts.map(encodeURIComponent).join(",")}`;
}

type Check = Report["checks"][number];

/** The parts of a report that a comparison shows: none that its plan could leave out. */
export interface ComparedSite extends Pick<Report["site"], "host" | "name"> {
  readonly scan: Pick<
    Report["scan"],
    "score" | "band" | "scoreVersion" | "finishedAt" | "cappedAt" | "penalties"
  >;
  readonly checks: readonly Pick<
    Check,
    "checkId" | "label" | "kind" | "status" | "points" | "maxPoints"
  >[];
}

export function comparedSite({ site, scan, checks }: Report): ComparedSite {
  return { host: site.host, name: site.name, scan, checks };
}

/** The points that a site earned, and those that it could earn. Checks that do not apply are left out. */
export function earnedPoints({ checks }: ComparedSite): { points: number; of: number } {
  const subject = checks.filter(({ kind, status }) => kind === "achievement" && status !== "na");
  const sum = (pick: (check: (typeof subject)[number]) => number) =>
    subject.reduce((total, check) => total + pick(check), 0);
  return { points: sum(({ points }) => points), of: sum(({ maxPoints }) => maxPoints) };
}

/** A check with its results, by site. */
export interface ComparedCheck {
  readonly id: string;
  readonly label: string;
  readonly kind: Check["kind"];
  /** Null where a report does not have the check. */
  readonly results: readonly (ComparedSite["checks"][number] | null)[];
  readonly isDifferent: boolean;
  /** Points between the best and the worst result. */
  readonly spread: number;
}

/**
 * All checks of the sites. Those with different results come first, the greatest difference in points before the
 * others. Otherwise they are in the order of the methodology.
 */
export function comparedChecks(
  sites: readonly ComparedSite[],
  checkIds: readonly string[],
): ComparedCheck[] {
  const bySite = sites.map(({ checks }) => new Map(checks.map((one) => [one.checkId, one])));
  const found = new Set(sites.flatMap(({ checks }) => checks.map(({ checkId }) => checkId)));
  const known = new Set(checkIds);
  const ids = [
    ...checkIds.filter((id) => found.has(id)),
    ...[...found].filter((id) => !known.has(id)),
  ];
  const checks = ids.map((id): ComparedCheck => {
    const results = bySite.map((own) => own.get(id) ?? null);
    const given = results.filter((one) => one !== null);
    const points = given.filter(({ status }) => status !== "na").map((one) => one.points);
    const [first] = given;
    return {
      id,
      label: first?.label ?? id,
      kind: first?.kind ?? "achievement",
      results,
      isDifferent: new Set(results.map((one) => `${one?.status} ${one?.points}`)).size > 1,
      spread: points.length === 0 ? 0 : Math.max(...points) - Math.min(...points),
    };
  });
  return checks.sort(
    (a, b) => Number(b.isDifferent) - Number(a.isDifferent) || b.spread - a.spread,
  );
}

/** The comparison as CSV: two columns per site, the result of each check and its points. */
export function comparisonCsv(sites: readonly ComparedSite[], checkIds: readonly string[]): string {
  const fact = (name: string, of: (site: ComparedSite) => string | number | null) => [
    name,
    "",
    ...sites.flatMap((site) => [of(site), null]),
  ];
  return csvText(
    ["check", "name", ...sites.flatMap(({ host }) => [host, `${host} points`])],
    [
      fact("score", ({ scan }) => scan.score),
      fact("band", ({ scan }) => scan.band),
      fact("scoreVersion", ({ scan }) => scan.scoreVersion),
      fact("scannedAt", ({ scan }) => scan.finishedAt),
      ...comparedChecks(sites, checkIds).map(({ id, label, results }) => [
        id,
        label,
        ...results.flatMap((one) => [one?.status ?? null, one?.points ?? null]),
      ]),
    ],
  );
}
