import { sitesOf } from "../../answer/bodies.js";
import type { SnapshotView } from "../../answer/content.js";
import { drawnReportOf } from "../../answer/drawn-reports.js";
import { categoriesShown } from "../../answer/list-pages.js";
import { filledCategories, summariesOf } from "../../answer/page-facts.js";
import type { Drawing } from "../../answer/page-types.js";
import type { SiteSummary, TaxonomyEntry } from "../../contract/listing.js";
import type { Check, Report } from "../../contract/report.js";
import { type FailedCheck, mostFailed } from "../../pages/kit/quote.js";
import { comparedScores } from "../changes/change-feed.js";
import { searchChanges } from "../changes/search-feed.js";
import { peersAddress, peersPage } from "./peers-page.js";

/** The most sites that the page names of each check, and of those that have fixed it. */
const NAMED_MAX = 3;

/** A site that passes a check. */
export interface Peer {
  readonly site: SiteSummary;
  /** Its report and the check's result; null if the report is too long to have them. */
  readonly result: { readonly report: Report; readonly check: Check } | null;
}

/** A site that passes a check now and did not before. */
export interface Fixer {
  readonly site: SiteSummary;
  readonly publishedAt: string;
  /** The score before and after the publication; null if they do not compare. */
  readonly score: { readonly from: number; readonly to: number } | null;
}

/** A check that some sites of a category do not pass. */
export interface PeersOfCheck {
  readonly check: FailedCheck;
  readonly peers: readonly Peer[];
  /** The latest first. */
  readonly fixers: readonly Fixer[];
}

/** What the page shows. */
export interface PeersShown {
  readonly category: TaxonomyEntry;
  readonly checks: readonly PeersOfCheck[];
}

/** Draws the page of a category. */
export const PEERS_DRAWING: Drawing = {
  draw: async ({ own, context, snapshot }) => {
    const shown = await peersOf(own, snapshot);
    return shown && peersPage(shown, context);
  },
  addresses: async (snapshot) =>
    (await filledCategories(snapshot)).map(({ slug }) => peersAddress(slug)),
};

/** What the page of a category shows; null if the directory has no such category, or no sites in it. */
async function peersOf(slug: string, snapshot: SnapshotView): Promise<PeersShown | null> {
  const category = (await filledCategories(snapshot)).find((one) => one.slug === slug);
  if (category === undefined) return null;
  const { figures, checks } = await categoriesShown(snapshot);
  const own = figures.categories[slug];
  const failed = own === undefined ? [] : mostFailed(own, checks);
  const fixers = await fixersOf(slug, snapshot);
  // The sites with the highest scores pass most checks.
  const reports: Reports = new Map();
  const shown: PeersOfCheck[] = [];
  for (const check of failed) {
    const peers = await passing(slug, check.id, snapshot, reports);
    shown.push({ check, peers, fixers: fixers.get(check.id) ?? [] });
  }
  return { category, checks: shown };
}

/** Reports that were read, by host. */
type Reports = Map<string, ReturnType<typeof drawnReportOf>>;

/** The sites of a category that pass a check, those with the highest scores first. */
async function passing(
  slug: string,
  id: string,
  snapshot: SnapshotView,
  reports: Reports,
): Promise<Peer[]> {
  const engine = await snapshot.engine;
  const { summaries } = await engine.search({
    category: [slug],
    capability: [id],
    sort: "score",
    page: 1,
    limit: NAMED_MAX,
  });
  return Promise.all(
    sitesOf(summaries).map(async (site) => {
      const reading = reports.get(site.host) ?? drawnReportOf(snapshot, site.host, undefined);
      reports.set(site.host, reading);
      const drawn = await reading;
      if ("error" in drawn) return { site, result: null };
      const { report } = drawn;
      const check = report.checks.find(({ checkId }) => checkId === id);
      return { site, result: check === undefined ? null : { report, check } };
    }),
  );
}

/** By check, the sites of a category that gained it in the last changes, and pass it still. */
async function fixersOf(
  slug: string,
  snapshot: SnapshotView,
): Promise<ReadonlyMap<string, readonly Fixer[]>> {
  const found: {
    readonly id: string;
    readonly host: string;
    readonly fixer: Omit<Fixer, "site">;
  }[] = [];
  for await (const { change } of searchChanges({ category: [slug] }, false, snapshot)) {
    const { host, publishedAt, checks } = change;
    if (change.change !== "changed" || checks === null) continue;
    const fixer = { publishedAt, score: comparedScores(change) };
    for (const id of checks.gained) found.push({ id, host, fixer });
  }
  const hosts = [...new Set(found.map(({ host }) => host))];
  const sites = await summariesOf(hosts, await snapshot.engine);
  const known = new Map(hosts.map((host, at) => [host, sites[at]]));
  const fixers = new Map<string, Fixer[]>();
  for (const { id, host, fixer } of found) {
    const site = known.get(host);
    const own = fixers.get(id) ?? [];
    const isKnown = own.some((one) => one.site.host === host);
    if (site?.category?.slug !== slug || !site.capabilities.includes(id)) continue;
    if (!isKnown && own.length < NAMED_MAX) fixers.set(id, [...own, { site, ...fixer }]);
  }
  return fixers;
}
