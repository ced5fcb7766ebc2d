import type { SnapshotView } from "../../answer/content.js";
import { summariesOf } from "../../answer/page-facts.js";
import type { NamedSite, SiteSummary } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import { addTo } from "../../contract/tables.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { changesOf, readChanges } from "./addition.js";
import { CHANGES_NAMED, type FirstOf, type PublicationChanges } from "./page-changes.js";
import type { StoredChange } from "./stored-change.js";

/* What changed in the latest publications, for people: the log of changes, with each site's changes joined. */

/** The most days for which the page lists the changes since then. */
const DAYS = 3;
/** The most changes that are read. They take about a tenth of a second. */
const READ_MAX = 10_000;

/** What changed since each of the last days on which a publication changed something, the latest day first. */
export async function publicationChanges(snapshot: SnapshotView): Promise<PublicationChanges[]> {
  const { changes: files } = changesOf(snapshot);
  const read: StoredChange[][] = [];
  let left = READ_MAX;
  for (const file of files.toReversed()) {
    left -= file.entries;
    if (left < 0) break;
    read.unshift([...(await readChanges(snapshot, file))]);
    await snapshot.pause();
  }
  const last = files.at(-1);
  if (last !== undefined && read.length === 0)
    return [{ since: publicationDay(last.until), changes: null }];
  const known = read.flat();
  const days = [...new Set(known.map(({ publishedAt }) => publicationDay(publishedAt)))].reverse();
  // Unless all files were read, the oldest day is incomplete.
  const whole = read.length < files.length ? days.slice(0, -1) : days;
  const found = whole.slice(0, DAYS).map((since) => {
    const later = known.filter(({ publishedAt }) => publicationDay(publishedAt) >= since);
    return { since, lists: changeLists(joinedChanges(later)) };
  });
  const hosts = [...new Set(found.flatMap(({ lists }) => hostsIn(lists)))];
  const sites = await summariesOf(hosts, await snapshot.engine);
  const named = new Map(hosts.map((host, at) => [host, sites[at]]));
  return found.map(({ since, lists }) => ({ since, changes: namedLists(lists, named) }));
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

type Moved = SiteChanges & { readonly before: number; readonly rise: number };

/** What changed since a day, before the sites are named. */
interface ChangeLists {
  readonly added: FirstOf<SiteChanges>;
  readonly risen: FirstOf<Moved>;
  readonly fallen: FirstOf<Moved>;
  readonly checks: readonly {
    readonly checkId: string;
    readonly gained: FirstOf<SiteChanges>;
    readonly lost: FirstOf<SiteChanges>;
  }[];
}

function changeLists(sites: readonly SiteChanges[]): ChangeLists {
  const moved: Moved[] = [];
  const gained = new Map<string, SiteChanges[]>();
  const lost = new Map<string, SiteChanges[]>();
  for (const site of sites) {
    // Scores and checks of different scoring versions cannot be compared.
    if (site.isNew || site.from.scoreVersion?.from !== site.to.scoreVersion?.to) continue;
    const before = site.from.score?.from ?? null;
    const after = newScoreOf(site);
    if (before !== null && after !== null && before !== after)
      moved.push({ ...site, before, rise: after - before });
    for (const [id, times] of site.checks) {
      if (times !== 0) addTo(times > 0 ? gained : lost, id, site);
    }
  }
  moved.sort((a, b) => Math.abs(b.rise) - Math.abs(a.rise) || byCodeUnit(a.host, b.host));
  const ids = [...new Set([...gained.keys(), ...lost.keys()])].sort(byCodeUnit);
  const best = (some: readonly SiteChanges[]) => firstOf(some.toSorted(byNewScore));
  return {
    added: best(sites.filter(({ isNew }) => isNew)),
    risen: firstOf(moved.filter(({ rise }) => rise > 0)),
    fallen: firstOf(moved.filter(({ rise }) => rise < 0)),
    checks: ids.map((checkId) => ({
      checkId,
      gained: best(gained.get(checkId) ?? []),
      lost: best(lost.get(checkId) ?? []),
    })),
  };
}

function firstOf<T>(items: readonly T[]): FirstOf<T> {
  return { first: items.slice(0, CHANGES_NAMED), count: items.length };
}

/** The hosts of all sites that the lists name. */
function hostsIn({ added, risen, fallen, checks }: ChangeLists): string[] {
  const ofChecks = checks.flatMap(({ gained, lost }) => [gained, lost]);
  return [added, risen, fallen, ...ofChecks].flatMap(({ first }) => first.map(({ host }) => host));
}

/** @param sites the sites in search by host */
function namedLists(
  { added, risen, fallen, checks }: ChangeLists,
  sites: ReadonlyMap<string, SiteSummary | undefined>,
): NonNullable<PublicationChanges["changes"]> {
  const namedSite = ({ host }: SiteChanges): NamedSite => {
    const site = sites.get(host);
    if (site === undefined) throw unlisted(host);
    const { name, latestScore, latestBand, latestScoreVersion } = site;
    return { host, name, latestScore, latestBand, latestScoreVersion };
  };
  const named = ({ first, count }: FirstOf<SiteChanges>) => ({
    first: first.map(namedSite),
    count,
  });
  const moved = ({ first, count }: FirstOf<Moved>) => ({
    first: first.map((site) => ({ ...namedSite(site), from: site.before })),
    count,
  });
  return {
    added: named(added),
    risen: moved(risen),
    fallen: moved(fallen),
    checks: checks.map(({ checkId, gained, lost }) => ({
      checkId,
      gained: named(gained),
      lost: named(lost),
    })),
  };
}

function unlisted(host: string): BadSnapshotError {
  return new BadSnapshotError(`its changes name ${host}, which is not in search`);
}

function newScoreOf({ to }: SiteChanges): number | null {
  return to.score?.to ?? null;
}

function byNewScore(a: SiteChanges, b: SiteChanges): number {
  return (newScoreOf(b) ?? -1) - (newScoreOf(a) ?? -1) || byCodeUnit(a.host, b.host);
}
