import { type Content, madeContent, type SnapshotView } from "../../answer/content.js";
import { summariesOf } from "../../answer/page-facts.js";
import type { Drawing, SectionDrawing } from "../../answer/page-types.js";
import type { NamedSite } from "../../contract/listing.js";
import { namesOf } from "../../contract/tables.js";
import { html } from "../../pages/kit/html.js";
import { NO_INDEX } from "../../pages/kit/routes.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import {
  CELL_MAX,
  COLUMN_MAX,
  changedListPage,
  changesPage,
  latestView,
  type Sites,
} from "./changes-page.js";
import { LIST_PAGE_SIZE, listAddress, listNamed } from "./list-names.js";
import { type Periods, periodsOf } from "./periods.js";
import { checkNames } from "./search-feed.js";

/* Draws the pages of the latest changes. */

export const CHANGES_PAGE: Drawing = {
  draw: async ({ context, snapshot }) => {
    const found = await periodsOf(snapshot);
    const [latest] = found.periods;
    const inCells = (latest?.checks ?? []).flatMap(({ gained, lost }) => [
      ...gained.slice(0, CELL_MAX),
      ...lost.slice(0, CELL_MAX),
    ]);
    const sites = await sitesOf([...inColumns(found, COLUMN_MAX), ...inCells], snapshot);
    const page = changesPage(found, sites, await checkNames(snapshot), context);
    return timedContent(page, found, snapshot);
  },
};

/** The sites in a column of another page. */
const SECTION_MAX = 10;

export const LATEST_SECTION: SectionDrawing = async ({ snapshot }, context) => {
  const found = await periodsOf(snapshot);
  const sites = await sitesOf(inColumns(found, SECTION_MAX), snapshot);
  const more = html`<p><a href="${context.to("changes")}">More of what changed, with the checks that sites gained 
  and lost</a></p>`;
  const section = latestView(found, sites, SECTION_MAX, context, more);
  return found.until === undefined ? { section } : { section, until: found.until };
};

export const LIST_PAGE: Drawing = {
  draw: async ({ own, context, snapshot }) => {
    const name = listNamed(own);
    const found = await periodsOf(snapshot);
    const period = found.periods.find(({ id }) => id === name?.period);
    if (name === null || period === undefined) return null;
    const { kind, page } = name;
    const first = (page - 1) * LIST_PAGE_SIZE;
    const shown = period.lists[kind].slice(first, first + LIST_PAGE_SIZE);
    if (shown.length === 0) return null;
    const hosts = kind === "gone" ? [] : shown.map(({ host }) => host);
    const sites = await sitesOf(hosts, snapshot);
    const text = changedListPage(name, period, sites, await checkNames(snapshot), context);
    return { ...(await timedContent(text, found, snapshot)), headers: NO_INDEX };
  },
  addresses: async (snapshot) => {
    const { periods } = await periodsOf(snapshot);
    return periods.flatMap(({ id, lists }) =>
      namesOf(lists).flatMap((kind) => {
        const pages = Math.ceil(lists[kind].length / LIST_PAGE_SIZE);
        return Array.from({ length: pages }, (_, index) => listAddress(id, kind, index + 1));
      }),
    );
  },
};

/** A page that must no longer be sent once a site that is gone may not be named any more. */
async function timedContent(
  page: string,
  { until }: Periods,
  snapshot: SnapshotView,
): Promise<Content> {
  const content = await madeContent(page, snapshot);
  return until === undefined ? content : { ...content, until };
}

/** The hosts that the columns name. */
function inColumns({ periods }: Periods, most: number): string[] {
  const [latest] = periods;
  if (latest === undefined) return [];
  const { risen, fallen } = latest.lists;
  return [...risen.slice(0, most), ...fallen.slice(0, most)].map(({ host }) => host);
}

/** @throws BadSnapshotError if one of the hosts is not in search */
async function sitesOf(hosts: readonly string[], snapshot: SnapshotView): Promise<Sites> {
  const wanted = [...new Set(hosts)];
  const summaries = await summariesOf(wanted, await snapshot.engine);
  const sites = new Map<string, NamedSite>();
  for (const [at, asked] of wanted.entries()) {
    const site = summaries[at];
    if (site === undefined)
      throw new BadSnapshotError(`its changes name ${asked}, which is not in search`);
    const { host, name, latestScore, latestBand, latestScoreVersion } = site;
    sites.set(host, { host, name, latestScore, latestBand, latestScoreVersion });
  }
  return sites;
}
