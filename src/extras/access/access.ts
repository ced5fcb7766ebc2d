import { jsonWithSite } from "../../answer/bodies.js";
import {
  type Content,
  type Failure,
  isFailure,
  madeContent,
  madeOnce,
  type SnapshotView,
} from "../../answer/content.js";
import { ERROR_TEXTS } from "../../contract/error.js";
import type { StoredSummary } from "../../engine/answering.js";
import type { CrawlerFigures } from "./bodies.js";
import {
  type Crawler,
  crawlerNamed,
  crawlerSlug,
  crawlersOf,
  DECLARED,
  SERVED,
  type Treatment,
  treatmentIn,
} from "./crawlers.js";
import type { AccessQuery } from "./reads.js";
import { type AccessIndex, indexOf, NO_INDEX } from "./stored-access.js";

/* How sites treat crawlers: what they declare, against what their servers do. */

/** The figures of all crawlers about which any report says something. */
export const figuresOf = madeOnce(async (snapshot: SnapshotView): Promise<CrawlerFigures[]> => {
  const index = await indexOf(snapshot);
  if (index === null) return [];
  return (await crawlersOf(snapshot))
    .map((crawler) => crawlerFigures(crawler, treatmentsOf(crawler, index), index))
    .filter(({ n }) => n > 0);
});

/** How sites treat a crawler, by index in `accesses`; null where the reports say nothing about it. */
type Treatments = readonly (Treatment | null)[];

function treatmentsOf(crawler: Crawler, { accesses }: AccessIndex): Treatments {
  return accesses.map((access) => treatmentIn(access, crawler));
}

function crawlerFigures(
  crawler: Crawler,
  treatments: Treatments,
  index: AccessIndex,
): CrawlerFigures {
  const sitesWith = (isIt: (treatment: Treatment) => boolean) =>
    index.sizes.reduce(
      (sum, size, at) => sum + (treatments[at] && isIt(treatments[at]) ? size : 0),
      0,
    );
  const counts = DECLARED.flatMap((declared) =>
    SERVED.map((served) => {
      const sites = sitesWith((one) => one.declared === declared && one.served === served);
      return { declared, served, sites };
    }),
  );
  const sites = (treatment: Treatment) =>
    counts.find((one) => one.declared === treatment.declared && one.served === treatment.served)
      ?.sites ?? 0;
  return {
    crawler: crawler.name,
    n: sitesWith(() => true),
    allowedButRefused: sites({ declared: "allowed", served: "refused" }),
    disallowedButAnswered: sites({ declared: "disallowed", served: "answered" }),
    counts: counts.filter((one) => one.sites > 0),
  };
}

/** The content of `/api/access`: the figures of all crawlers; or of one, with a page of the sites. */
export async function accessContent(
  { crawler, ...query }: AccessQuery,
  snapshot: SnapshotView,
): Promise<Content | Failure> {
  if (crawler === undefined) return allFiguresContent(query, snapshot);
  const found = await crawlerSites({ ...query, crawler }, snapshot);
  if (isFailure(found)) return found;
  const { page, limit } = query;
  const { total } = found;
  const sites = found.sites.map(({ treatment, summary }) => jsonWithSite(treatment, summary));
  const figures = JSON.stringify([found.figures]);
  const pagination = JSON.stringify({ page, limit, total, totalPages: Math.ceil(total / limit) });
  const json = `{"data":{"figures":${figures},"sites":[${sites.join(",")}]},"pagination":${pagination}}`;
  return madeContent(json, snapshot);
}

async function allFiguresContent(
  { declared, served }: Pick<AccessQuery, "declared" | "served">,
  snapshot: SnapshotView,
): Promise<Content | Failure> {
  if ((await indexOf(snapshot)) === null) return NO_INDEX;
  if (declared === undefined && served === undefined)
    return madeContent(JSON.stringify({ data: { figures: await figuresOf(snapshot) } }), snapshot);
  const message = "is required beside declared and served";
  return { status: 400, error: ERROR_TEXTS.invalid, issues: [{ path: "crawler", message }] };
}

/** How sites treat a crawler. */
interface CrawlerSites {
  readonly figures: CrawlerFigures;
  /** The number of sites that the query finds. */
  readonly total: number;
  /** A page of them, sorted by score, then by host. */
  readonly sites: readonly {
    readonly treatment: Treatment;
    readonly summary: StoredSummary | null;
  }[];
}

/**
 * Finds the sites that treat a crawler in a way.
 * @param allAt what has all crawlers, for the failure of an unknown one
 */
export async function crawlerSites(
  { crawler: name, declared, served, page, limit }: AccessQuery & { readonly crawler: string },
  snapshot: SnapshotView,
  allAt?: string,
): Promise<CrawlerSites | Failure> {
  const index = await indexOf(snapshot);
  if (index === null) return NO_INDEX;
  const crawler = await crawlerNamed(name, snapshot, allAt);
  if (isFailure(crawler)) return crawler;
  const treatments = treatmentsOf(crawler, index);
  const isWanted = treatments.map(
    (one) =>
      one !== null &&
      (declared ?? one.declared) === one.declared &&
      (served ?? one.served) === one.served,
  );
  const total = index.sizes.reduce((sum, size, at) => sum + (isWanted[at] ? size : 0), 0);
  const found = index.page(isWanted, (page - 1) * limit, limit);
  const summaries = await snapshot.summariesOf(found.map(({ host }) => host));
  const sites = found.map((one, at) => {
    return { treatment: treatments[one.index]!, summary: summaries[at] ?? null };
  });
  return { figures: crawlerFigures(crawler, treatments, index), total, sites };
}

/** What a list of hosts says of its crawler. */
export const LISTED_ACCESS = ["allowed", "disallowed", "refused"] as const;
type ListedAccess = (typeof LISTED_ACCESS)[number];

/** A list of the hosts that treat a crawler alike. */
export interface CrawlerList {
  readonly file: string;
  readonly crawler: string;
  readonly access: ListedAccess;
  readonly isIn: (treatment: Treatment) => boolean;
  /** The number of hosts. */
  readonly hosts: number;
}

/** The lists of all crawlers, by file. None is empty. */
export const crawlerLists = madeOnce(
  async (snapshot: SnapshotView): Promise<ReadonlyMap<string, CrawlerList>> => {
    const lists = new Map<string, CrawlerList>();
    const all = await figuresOf(snapshot);
    for (const crawler of await crawlersOf(snapshot)) {
      const figures = all.find((one) => one.crawler === crawler.name);
      for (const access of LISTED_ACCESS) {
        const isIn = ({ declared, served }: Treatment) => [declared, served].includes(access);
        const counts = figures?.counts.filter(isIn) ?? [];
        const hosts = counts.reduce((sum, { sites }) => sum + sites, 0);
        const file = `${crawlerSlug(crawler)}-${access}.txt`;
        if (hosts > 0 && !lists.has(file))
          lists.set(file, { file, crawler: crawler.name, access, isIn, hosts });
      }
    }
    return lists;
  },
);

/** The hosts of a list, sorted; null if there is no such list. */
export async function listedHosts(file: string, snapshot: SnapshotView): Promise<string[] | null> {
  const list = (await crawlerLists(snapshot)).get(file);
  const index = await indexOf(snapshot);
  if (list === undefined || index === null) return null;
  const crawler = await crawlerNamed(list.crawler, snapshot);
  if (isFailure(crawler)) return null;
  const isIn = treatmentsOf(crawler, index).map((one) => one !== null && list.isIn(one));
  return index.hosts(isIn);
}
