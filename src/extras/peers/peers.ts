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

/** The most sites that the page names of each check, and of those that newly pass it. */
const NAMED_MAX = 3;

/** A site that passes a check. */
export interface Peer {
  readonly site: SiteSummary;
  /** Its report and the check's result; null if the report is too long to have them. */
  readonly result: { readonly report: Report; readonly check: Check } | null;
}

/** A site that passes a check now and did not before. Then, it failed the check, or the check did not apply to it. */
export interface NewPeer {
  readonly site: SiteSummary;
  readonly publishedAt: string;
  /** The score before and after the publication; null if they do not compare. */
  readonly score: { readonly from: number; readonly to: number } | null;
  /** How many other checks the site gained in the same publication, and how many it lost. */
  readonly others: number;
  readonly lost: number;
}

/** A check that some sites of a category do not pass. */
export interface PeersOfCheck {
  readonly check: FailedCheck;
  readonly peers: readonly Peer[];
  /** The latest first. */
  readonly newPeers: readonly NewPeer[];
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
  const newPeers = await newPeersOf(slug, snapshot);
  // The sites with the highest scores pass most checks.
  const reports: Reports = new Map();
  const shown: PeersOfCheck[] = [];
  for (const check of failed) {
    const peers = await passing(slug, check.id, snapshot, reports);
    shown.push({ check, peers, newPeers: newPeers.get(check.id) ?? [] });
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
    // Without this, sites without a score would be found as well.
    minScore: 0,
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

/**
 * By check, the sites of a category that gained it in the last changes, and pass it still. A site without a score is
 * left out, and so is a change between two scoring versions: their checks do not compare.
 */
async function newPeersOf(
  slug: string,
  snapshot: SnapshotView,
): Promise<ReadonlyMap<string, readonly NewPeer[]>> {
  const found: {
    readonly id: string;
    readonly host: string;
    readonly gain: Omit<NewPeer, "site">;
  }[] = [];
  for await (const { change } of searchChanges({ category: [slug] }, false, snapshot)) {
    const { host, publishedAt, scoreVersion, checks } = change;
    if (change.change !== "changed" || checks === null) continue;
    if (scoreVersion?.from !== scoreVersion?.to) continue;
    const { gained, lost } = checks;
    const gain = {
      publishedAt,
      score: comparedScores(change),
      others: gained.length - 1,
      lost: lost.length,
    };
    for (const id of gained) found.push({ id, host, gain });
  }
  const hosts = [...new Set(found.map(({ host }) => host))];
  const sites = await summariesOf(hosts, await snapshot.engine);
  const known = new Map(hosts.map((host, at) => [host, sites[at]]));
  const peers = new Map<string, NewPeer[]>();
  for (const { id, host, gain } of found) {
    const site = known.get(host);
    const own = peers.get(id) ?? [];
    const isKnown = own.some((one) => one.site.host === host);
    if (site?.category?.slug !== slug || site.latestScore === null) continue;
    if (!site.capabilities.includes(id)) continue;
    if (!isKnown && own.length < NAMED_MAX) peers.set(id, [...own, { site, ...gain }]);
  }
  return peers;
}
