import { FIGURES_DOCUMENT, type Figures } from "../../contract/figures.js";
import { canonicalHostOf, hostHash } from "../../contract/host.js";
import type { SiteSummary, TaxonomyEntry } from "../../contract/listing.js";
import type { Report } from "../../contract/report.js";
import { ROUTES } from "../../contract/routes.js";
import type { Standards } from "../../contract/standards.js";
import type { Engine } from "../../engine/answering.js";
import { isExample } from "../../pages/kit/page-context.js";
import type { Surroundings } from "../../pages/report/surroundings.js";
import type { Adoption } from "../../pages/standards/adoption.js";
import { madeJson, type SnapshotView } from "./content.js";

/* What pages of a report show besides the report itself. */

/**
 * The part of a listing's scan that a badge shows, from the summary. A report whose listing is not in search is withheld,
 * so its badge shows no score.
 */
export async function badgeScanOf(
  host: string,
  snapshot: SnapshotView,
): Promise<Pick<Report["scan"], "score" | "band" | "scoreVersion">> {
  const summary = await readSummary(host, snapshot);
  return {
    score: summary?.latestScore ?? null,
    band: summary?.latestBand ?? null,
    scoreVersion: summary?.latestScoreVersion ?? null,
  };
}

/** A listing's summary; null if the listing is not in search. */
async function readSummary(host: string, snapshot: SnapshotView): Promise<SiteSummary | null> {
  const json = await snapshot.summaryOf(host);
  return json === undefined ? null : madeJson(json);
}

/** What a report's page shows of the directory around it. */
export async function surroundingsOf(
  { site, scan }: Report,
  snapshot: SnapshotView,
): Promise<Surroundings> {
  const listing = await readSummary(site.host, snapshot);
  // Another listing must not change the page of a tree.
  if (snapshot.directory.tree !== undefined)
    return { listing, figures: "fetched", hasTarget: false };
  const target = canonicalHostOf(scan.redirect?.host ?? "");
  const hasTarget = target !== null && (await readSummary(target, snapshot)) !== null;
  return { listing, figures: await figuresOf(snapshot), hasTarget };
}

export type Documents = Pick<SnapshotView, "readDocument">;

/**
 * Returns a reader of a public document's data, which its callers must not change. It reads each snapshot's document
 * once, because every page of the explorer needs it.
 */
export function readOnce<J, T = J>(
  path: string,
  partOf: (json: J) => T,
): (snapshot: Documents) => Promise<T> {
  const cache = new WeakMap<Documents, Promise<T>>();
  return (snapshot) => {
    const data =
      cache.get(snapshot) ?? snapshot.readDocument(path).then((bytes) => partOf(madeJson(bytes)));
    cache.set(snapshot, data);
    data.catch(() => cache.delete(snapshot));
    return data;
  };
}

const dataOf = <T>({ data }: { readonly data: T }): T => data;

/** Rejects if the document is missing or damaged. */
export const figuresOf = readOnce(FIGURES_DOCUMENT, (figures: Figures) => figures);

/** Each rejects if the document is missing or damaged when it is first read. */
export const standardsOf = readOnce(ROUTES.standards.document, dataOf<Standards>);
export const tagsOf = readOnce(ROUTES.tags.document, dataOf<TaxonomyEntry[]>);
const categoriesOf = readOnce(ROUTES.categories.document, dataOf<TaxonomyEntry[]>);

/** What the methodology page shows of the figures. @throws as `standardsOf` */
export async function adoptionOf(snapshot: Documents): Promise<Adoption> {
  return { figures: await figuresOf(snapshot), categories: await categoriesOf(snapshot) };
}

const examples = new WeakMap<Engine, Promise<string | null>>();

/** The host of the API page's examples: the first in the order of the store; null if there is none. */
export async function exampleHost(
  snapshot: Pick<SnapshotView, "engine" | "pause">,
): Promise<string | null> {
  const engine = await snapshot.engine;
  const finding = examples.get(engine) ?? findExample(snapshot);
  examples.set(engine, finding);
  finding.catch(() => examples.delete(engine));
  return finding;
}

async function findExample(
  snapshot: Pick<SnapshotView, "engine" | "pause">,
): Promise<string | null> {
  let first: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  await eachScored(snapshot, (host) => {
    const hash = hostHash(host);
    if (hash > least || !isExample(host)) return;
    if (hash < least || first === null || host < first) first = host;
    least = hash;
  });
  return first;
}

/** Listings read between two pauses for other requests. */
export const IN_A_ROW = 2_000;

/** Visits the hosts of all listings that have a score, in the default order. */
export async function eachScored(
  snapshot: Pick<SnapshotView, "engine" | "pause">,
  visit: (host: string, number: number) => void,
): Promise<void> {
  const engine = await snapshot.engine;
  for (let from = 0; from < engine.scored; from += IN_A_ROW) {
    const length = Math.min(IN_A_ROW, engine.scored - from);
    const hosts = await engine.hostsOf(Uint32Array.from({ length }, (_, at) => from + at));
    for (const [at, host] of hosts.entries()) visit(host, from + at);
    await snapshot.pause();
  }
}
