import type { Figures, GroupFigures } from "../../../src/contract/figures.js";
import type { CategoryData, RankedSite } from "../../../src/pages/categories/category-page.js";
import { type NamedCheck, namedChecks } from "../../../src/pages/kit/quote.js";
import { theStandards } from "../../fixtures.js";
import { aSite } from "../example-sites.js";

/* What the pages of categories show, for tests. */

export const CHECKS: readonly NamedCheck[] = namedChecks(theStandards());

/** The figures of ten sites, of which eight have a score. */
export function aGroup(changes: Partial<GroupFigures> = {}): GroupFigures {
  const scores = [
    [20, 3],
    [60, 4],
    [90, 1],
  ] as const;
  return { listed: 10, scored: 8, scores, passed: {}, exempt: {}, ...changes };
}

export function theFigures(categories: Figures["categories"]): Figures {
  return { lastScannedAt: "2026-08-09T03:31:00Z", all: aGroup(), categories };
}

export function ranked(host: string, changes: Partial<RankedSite["site"]> = {}): RankedSite {
  return { site: aSite("Name", { host, ...changes }), rank: null, exempt: [] };
}

/** A page of a category whose sites all have the same texts. */
export function aCategory(
  text: string,
  sites: readonly RankedSite[],
  changes: Partial<CategoryData> = {},
): CategoryData {
  return {
    category: { slug: "animals", name: text },
    page: 1,
    total: sites.length,
    sites,
    figures: aGroup(),
    checks: CHECKS,
    lastScannedAt: "2026-08-09T03:31:00Z",
    directoryMedian: 55,
    finds: () => true,
    ...changes,
  };
}
