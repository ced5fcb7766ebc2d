import { FIGURES_DOCUMENT, type Figures } from "../contract/figures.js";
import { canonicalHostOf, hostHash } from "../contract/host.js";
import type { Facets, NamedSite, SiteSummary, TaxonomyEntry } from "../contract/listing.js";
import type { Report } from "../contract/report.js";
import { ROUTES } from "../contract/routes.js";
import type { CheckDescription, Standards } from "../contract/standards.js";
import { searchSites } from "../pages/explorer/best-match.js";
import type { Shown } from "../pages/explorer/explorer-page.js";
import { filtersOf, isStart, readState } from "../pages/explorer/search-state.js";
import { isExample } from "../pages/kit/page-context.js";
import type { Surroundings } from "../pages/report/surroundings.js";
import type { Adoption } from "../pages/standards/adoption.js";
import type { CheckData } from "../pages/standards/check-page.js";
import { MalformedSnapshotError } from "../store/bad-snapshot.js";
import { storedJson } from "../store/stored-json.js";
import { facetsValue, scoredFacets, searchValue, sitesOf } from "./bodies.js";
import { madeOnce, type SnapshotView } from "./content.js";

/* Facts that pages show besides reports. */

/**
 * The part of a listing's scan that a badge shows, from the summary. A report whose listing is not in search is
 * withheld, so its badge shows no score.
 */
export async function badgeScanOf(
  host: string,
  snapshot: SnapshotView,
): Promise<Pick<Report["scan"], "score" | "band" | "scoreVersion">> {
  const [summary] = await summariesOf([host], snapshot);
  return {
    score: summary?.latestScore ?? null,
    band: summary?.latestBand ?? null,
    scoreVersion: summary?.latestScoreVersion ?? null,
  };
}

/** For each host, its listing's summary; undefined if the listing is not in search. */
export async function summariesOf(
  hosts: readonly string[],
  snapshot: Pick<SnapshotView, "summariesOf">,
): Promise<(SiteSummary | undefined)[]> {
  const found = await snapshot.summariesOf(hosts);
  return found.map((json) => (json === undefined ? undefined : storedJson<SiteSummary>(json)));
}

/** What a report's page shows about the rest of the directory. */
export async function surroundingsOf(
  { site, scan }: Report,
  snapshot: SnapshotView,
): Promise<Surroundings> {
  const target = canonicalHostOf(scan.redirect?.host ?? "");
  const hosts = target === null ? [site.host] : [site.host, target];
  const [listing = null, targetListing] = await summariesOf(hosts, snapshot);
  // Another listing must not change the page of a tree.
  if (snapshot.directory.tree !== undefined)
    return { listing, figures: "fetched", hasTarget: false };
  const hasTarget = targetListing !== undefined;
  return { listing, figures: await figuresOf(snapshot), hasTarget };
}

export type Documents = Pick<SnapshotView, "readDocument" | "answering">;

/**
 * Returns a reader of a public document's data, which its callers must not change. It reads each snapshot's document
 * once, because every page of the explorer needs it.
 */
export function readOnce<J, T = J>(
  path: string,
  partOf: (json: J) => T,
): (snapshot: Documents) => Promise<T> {
  return madeOnce(async (snapshot: Documents) => {
    const bytes = await snapshot.readDocument(path);
    return parsed(path, () => partOf(storedJson(bytes)));
  });
}

function parsed<T>(path: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new MalformedSnapshotError(`public/${path} is malformed`, { cause });
  }
}

const dataOf = <T>({ data }: { readonly data: T }): T => data;

/** Rejects if the document is missing or damaged. */
export const figuresOf = readOnce(FIGURES_DOCUMENT, (figures: Figures) => figures);

/** Each rejects if the document is missing or damaged when it is first read. */
export const standardsOf = readOnce(ROUTES.standards.document, dataOf<Standards>);
export const tagsOf = readOnce(ROUTES.tags.document, dataOf<TaxonomyEntry[]>);
const categoriesOf = readOnce(ROUTES.categories.document, dataOf<TaxonomyEntry[]>);

/** The figures and categories that the methodology page shows. @throws as `standardsOf` */
export async function adoptionOf(snapshot: Documents): Promise<Adoption> {
  return { figures: await figuresOf(snapshot), categories: await categoriesOf(snapshot) };
}

type EngineSource = Pick<SnapshotView, "engine" | "pause">;

/** The host of the API page's examples: the first in the order of the store; null if there is none. */
export const exampleHost = madeOnce(async (snapshot: EngineSource): Promise<string | null> => {
  let first: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  await eachScored(snapshot, (host) => {
    const hash = hostHash(host);
    if (hash > least || !isExample(host)) return;
    if (hash < least || first === null || host < first) first = host;
    least = hash;
  });
  return first;
});

/** Visits the hosts of all listings that have a score, in the default order. */
export async function eachScored(
  snapshot: EngineSource,
  visit: (host: string, number: number) => void,
): Promise<void> {
  const engine = await snapshot.engine;
  let number = 0;
  for await (const hosts of engine.scoredHosts()) {
    for (const host of hosts) {
      visit(host, number);
      number += 1;
    }
    await snapshot.pause();
  }
}

/** Sites of each kind that a check's page names, and how many of the best ones it looks at to find them. */
const NAMED = 12;
const BEST = 2_000;

type CountedSite = NamedSite &
  Pick<SiteSummary, "capabilities"> & {
    /** The checks that do not apply to the site, or that its scan lacks. */
    readonly exempt: readonly string[];
  };

/**
 * Finds the sites with the highest scores that pass a check, and those that do not pass. A site to which the check
 * does not apply, or whose scan has another methodology, is in neither list. Penalties have no counts, so no sites.
 */
export async function checkSites(
  { id, kind }: CheckDescription,
  snapshot: Pick<SnapshotView, "engine" | "directory" | "answering">,
): Promise<Pick<CheckData, "passing" | "failing">> {
  if (kind === "penalty") return { passing: [], failing: [] };
  const best = await bestSites(snapshot);
  const { version } = snapshot.directory.rubric;
  const isSubject = ({ exempt, latestScoreVersion }: CountedSite) =>
    latestScoreVersion === version && !exempt.includes(id);
  const passes = ({ capabilities }: CountedSite) => capabilities.includes(id);
  return {
    passing: best.filter(passes).slice(0, NAMED),
    failing: best.filter((site) => !passes(site) && isSubject(site)).slice(0, NAMED),
  };
}

/** The sites with the highest scores. All checks' pages look at the same ones. */
const bestSites = madeOnce(
  async (snapshot: Pick<SnapshotView, "engine">): Promise<CountedSite[]> => {
    const engine = await snapshot.engine;
    const limit = Math.min(BEST, engine.size);
    if (limit === 0) return [];
    const { summaries } = await engine.search({ sort: "score", page: 1, limit });
    const data = sitesOf(summaries).filter(({ latestScore }) => latestScore !== null);
    const exempted = await engine.exemptOf(data.map(({ host }) => host));
    return data.map(
      ({ host, name, latestScore, latestBand, latestScoreVersion, capabilities }) => ({
        host,
        name,
        latestScore,
        latestBand,
        latestScoreVersion,
        capabilities,
        exempt: exempted.get(host) ?? [],
      }),
    );
  },
);

/** The parts of a snapshot that the explorer shows. */
export type ExplorerSource = Pick<
  SnapshotView,
  "engine" | "directory" | "history" | "readDocument" | "answering"
>;

/**
 * Returns the data that the explorer shows at an address, as its script would request it.
 * @param query the text after the `?`; parameters that a search does not have are ignored
 * @throws as a rejection, if a stored document is missing or damaged
 */
export async function shownAt(query: string, snapshot: ExplorerSource): Promise<Shown> {
  const { directory } = snapshot;
  const engine = await snapshot.engine;
  const state = readState(query);
  const { data, pagination, didYouMean, withAllWords } = await searchSites(state, {
    search: async (asked) => searchValue(asked, await engine.search(asked)),
    suggest: async (q) => sitesOf((await engine.suggest(q, false)).summaries),
  });
  const facets = await scoredFacets(filtersOf(state), directory.rubric, engine);
  const tags = await tagsOf(snapshot);
  return {
    state,
    found: { sites: data, pagination, didYouMean: didYouMean ?? [], withAllWords, facets },
    tags,
    categories: isStart(state)
      ? facets.categories.items.filter(({ count }) => count > 0)
      : await filledCategories(snapshot),
    generation: snapshot.history.generation,
  };
}

/** The categories that have listings, in the order of the directory. */
export const filledCategories = madeOnce(
  async (snapshot: Pick<SnapshotView, "engine">): Promise<Facets["categories"]["items"]> => {
    const engine = await snapshot.engine;
    const { categories } = facetsValue(await engine.facets({}));
    return categories.items.filter(({ count }) => count > 0);
  },
);
