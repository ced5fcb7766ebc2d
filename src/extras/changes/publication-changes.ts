import type { SnapshotView } from "../../answer/content.js";
import { standardsOf, summariesOf } from "../../answer/page-facts.js";
import type { Drawing } from "../../answer/page-types.js";
import type { NamedSite, SiteSummary } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import { addTo } from "../../contract/tables.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { changesOf, readChanges } from "./addition.js";
import { changesPage } from "./changes-page.js";
import { withCurrentTerms } from "./current-terms.js";
import type { StoredChange } from "./stored-change.js";

/* What changed in the latest publications, for people: the log of changes, with each site's changes joined. */

/** The first items of a list, and the number of all its items. */
export interface FirstOf<T> {
  readonly first: readonly T[];
  readonly count: number;
}

/** The changes of all publications on a day and later. Only sites that are in search now are named. */
export interface PublicationChanges {
  /** The day, in UTC: `2026-01-01`. */
  readonly since: string;
  /** Null if there are too many to list. */
  readonly changes: {
    readonly added: FirstOf<NamedSite>;
    /** Scores of the same scoring version, by falling difference, then by host. `from` is the earlier score. */
    readonly risen: FirstOf<NamedSite & { readonly from: number }>;
    readonly fallen: FirstOf<NamedSite & { readonly from: number }>;
    /** The sites that gained or lost a check, by the check's id. */
    readonly checks: readonly {
      readonly checkId: string;
      readonly gained: FirstOf<NamedSite>;
      readonly lost: FirstOf<NamedSite>;
    }[];
  } | null;
}

/** Draws the page of the latest changes. */
export const CHANGES_PAGE: Drawing = {
  draw: async ({ context, snapshot }) => {
    const { checks } = await standardsOf(snapshot);
    return changesPage(await publicationChanges(snapshot), checks, context);
  },
};

/** The most items that a list names. */
const CHANGES_NAMED = 25;
/** The most days for which the page lists the changes since then. */
const DAYS = 3;
/** The most changes that are read. They take about a tenth of a second. */
const READ_MAX = 10_000;

/** What changed since each of the last days on which a publication changed something, the latest day first. */
export async function publicationChanges(snapshot: SnapshotView): Promise<PublicationChanges[]> {
  const { former } = snapshot.directory;
  const { changes: files } = changesOf(snapshot);
  const read: StoredChange[][] = [];
  let left = READ_MAX;
  for (const file of files.toReversed()) {
    left -= file.entries;
    if (left < 0) break;
    const changes = await readChanges(snapshot, file);
    read.unshift(changes.map((change) => withCurrentTerms(change, former)));
    await snapshot.pause();
  }
  const last = files.at(-1);
  if (last !== undefined && read.length === 0)
    return [{ since: publicationDay(last.until), changes: null }];
  const logged = read.flat();
  const days = [...new Set(logged.map(({ publishedAt }) => publicationDay(publishedAt)))].reverse();
  // Unless all files were read, the oldest day is incomplete.
  const whole = read.length < files.length ? days.slice(0, -1) : days;
  const found = whole.slice(0, DAYS).map((since) => {
    const later = logged.filter(({ publishedAt }) => publicationDay(publishedAt) >= since);
    return { since, sites: joinedChanges(later) };
  });
  // The lists are made twice: the sites that they name are read at once in between.
  const named = new Set<string>();
  const noted = (host: string) => {
    named.add(host);
    return { host };
  };
  for (const { sites } of found) changeLists(sites, noted);
  const hosts = [...named];
  const summaries = await summariesOf(hosts, await snapshot.engine);
  const known = new Map(hosts.map((host, at) => [host, summaries[at]]));
  return found.map(({ since, sites }) => ({
    since,
    changes: changeLists(sites, (host) => namedSite(host, known.get(host) ?? null)),
  }));
}

function namedSite(host: string, site: SiteSummary | null): NamedSite {
  if (site === null) throw new BadSnapshotError(`its changes name ${host}, which is not in search`);
  const { name, latestScore, latestBand, latestScoreVersion } = site;
  return { host, name, latestScore, latestBand, latestScoreVersion };
}

function publicationDay(instant: string): string {
  return instant.slice(0, "2026-01-01".length);
}

/** All changes of a site that is in search now. */
interface SiteChanges {
  readonly host: string;
  readonly isNew: boolean;
  readonly from: Pick<StoredChange, "score" | "scoreVersion">;
  to: Pick<StoredChange, "score" | "scoreVersion">;
  /** By check, 1 if it was gained and -1 if it was lost. */
  readonly checks: Map<string, number>;
}

/** @param changes oldest first */
function joinedChanges(changes: readonly StoredChange[]): SiteChanges[] {
  const sites = new Map<string, SiteChanges>();
  for (const one of changes) {
    const { host, change, checks } = one;
    if (host === null) continue;
    // The page says nothing about a removed site, or about a scan that was withdrawn.
    if (checks === null) sites.delete(host);
    else {
      const isNew = change === "added";
      const site = sites.get(host) ?? { host, isNew, from: one, to: one, checks: new Map() };
      site.to = one;
      for (const id of checks.gained) countCheck(site.checks, id, 1);
      for (const id of checks.lost) countCheck(site.checks, id, -1);
      sites.set(host, site);
    }
  }
  return [...sites.values()];
}

function countCheck(checks: Map<string, number>, id: string, by: number): void {
  checks.set(id, (checks.get(id) ?? 0) + by);
}

/** @param siteOf what the lists have of a site that they name */
function changeLists<T extends object>(sites: readonly SiteChanges[], siteOf: (host: string) => T) {
  const moved: { readonly host: string; readonly from: number; readonly rise: number }[] = [];
  const gained = new Map<string, SiteChanges[]>();
  const lost = new Map<string, SiteChanges[]>();
  for (const site of sites) {
    // Scores and checks of different scoring versions cannot be compared.
    if (site.isNew || site.from.scoreVersion?.from !== site.to.scoreVersion?.to) continue;
    const from = site.from.score?.from ?? null;
    const to = newScoreOf(site);
    if (from !== null && to !== null && from !== to)
      moved.push({ host: site.host, from, rise: to - from });
    for (const [id, times] of site.checks) {
      if (times !== 0) addTo(times > 0 ? gained : lost, id, site);
    }
  }
  moved.sort((a, b) => Math.abs(b.rise) - Math.abs(a.rise) || byCodeUnit(a.host, b.host));
  const ids = [...new Set([...gained.keys(), ...lost.keys()])].sort(byCodeUnit);
  const best = (some: readonly SiteChanges[] = []) =>
    firstOf(some.toSorted(byNewScore), ({ host }) => siteOf(host));
  const farthest = (some: typeof moved) =>
    firstOf(some, ({ host, from }) => ({ ...siteOf(host), from }));
  return {
    added: best(sites.filter(({ isNew }) => isNew)),
    risen: farthest(moved.filter(({ rise }) => rise > 0)),
    fallen: farthest(moved.filter(({ rise }) => rise < 0)),
    checks: ids.map((checkId) => ({
      checkId,
      gained: best(gained.get(checkId)),
      lost: best(lost.get(checkId)),
    })),
  };
}

function firstOf<T, Shown>(items: readonly T[], shown: (item: T) => Shown): FirstOf<Shown> {
  return { first: items.slice(0, CHANGES_NAMED).map(shown), count: items.length };
}

function newScoreOf({ to }: SiteChanges): number | null {
  return to.score?.to ?? null;
}

function byNewScore(a: SiteChanges, b: SiteChanges): number {
  return (newScoreOf(b) ?? -1) - (newScoreOf(a) ?? -1) || byCodeUnit(a.host, b.host);
}
