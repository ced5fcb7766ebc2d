import type { Report } from "../../contract/report.js";

/** The most sites in one comparison. */
export const COMPARED_MAX = 20;

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

/** A check with its results, by site. */
export interface ComparedCheck {
  readonly id: string;
  readonly label: string;
  readonly kind: Check["kind"];
  /** Null where a report does not have the check. */
  readonly results: readonly (ComparedSite["checks"][number] | null)[];
  /** Whether sites that have any results have different ones. */
  readonly isDifferent: boolean;
  /** Points between the best and the worst result. */
  readonly spread: number;
}

/** Whether a report has results: those of withheld, moved and unscanned sites have none. */
export function hasResults({ checks }: Pick<ComparedSite, "checks">): boolean {
  return checks.length > 0;
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
    const compared = results.filter((_, at) => hasResults(sites[at]!));
    const points = given.filter(({ status }) => status !== "na").map((one) => one.points);
    const [first] = given;
    return {
      id,
      label: first?.label ?? id,
      kind: first?.kind ?? "achievement",
      results,
      isDifferent: new Set(compared.map((one) => `${one?.status} ${one?.points}`)).size > 1,
      spread: points.length === 0 ? 0 : Math.max(...points) - Math.min(...points),
    };
  });
  return checks.sort(
    (a, b) => Number(b.isDifferent) - Number(a.isDifferent) || b.spread - a.spread,
  );
}
