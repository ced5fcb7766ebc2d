import type { StoredChange } from "../../contract/change-feed.js";
import {
  CHANGES_NAMED,
  type FirstOf,
  type NamedSite,
  type PublicationChanges,
} from "../../contract/changes.js";
import type { SiteSummary } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import { addTo } from "../../contract/tables.js";
import type { SnapshotView } from "./content.js";

/* What changed in the latest publications, for people: the log of changes, with each site's changes joined. */

/** The most days for which the page lists the changes since then. */
const DAYS = 3;
/** The most changes that are read. They take about a tenth of a second. */
const READ_MAX = 10_000;

/** What changed since each of the last days on which a publication changed something, the latest day first. */
export async function publicationChanges(snapshot: SnapshotView): Promise<PublicationChanges[]> {
  const { changes: files } = snapshot.history;
  const read: StoredChange[][] = [];
  let left = READ_MAX;
  for (const file of files.toReversed()) {
    left -= file.entries;
    if (left < 0) break;
    read.unshift([...(await snapshot.changesIn(file))]);
    await snapshot.pause();
  }
  const last = files.at(-1);
  if (last !== undefined && read.length === 0)
    return [{ since: publicationDay(last.until), changes: null }];
  const known = read.flat();
  const days = [...new Set(known.map(({ publishedAt }) => publicationDay(publishedAt)))].reverse();
  // Unless all files were read, the oldest day is incomplete.
  const whole = read.length < files.length ? days.slice(0, -1) : days;
  const found: PublicationChanges[] = [];
  for (const since of whole.slice(0, DAYS)) {
    const later = known.filter(({ publishedAt }) => publicationDay(publishedAt) >= since);
    found.push({ since, changes: await changeLists(joinedChanges(later), snapshot) });
  }
  return found;
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

async function changeLists(
  sites: readonly SiteChanges[],
  snapshot: SnapshotView,
): Promise<NonNullable<PublicationChanges["changes"]>> {
  const moved: Moved[] = [];
  const [gained, lost] = [new Map<string, SiteChanges[]>(), new Map<string, SiteChanges[]>()];
  for (const site of sites) {
    // Scores and checks of different scoring versions cannot be compared.
    if (site.isNew || site.from.scoreVersion?.from !== site.to.scoreVersion?.to) continue;
    const [before, after] = [site.from.score?.from ?? null, newScoreOf(site)];
    if (before !== null && after !== null && before !== after)
      moved.push({ ...site, before, rise: after - before });
    for (const [id, times] of site.checks) {
      if (times !== 0) addTo(times > 0 ? gained : lost, id, site);
    }
  }
  moved.sort((a, b) => Math.abs(b.rise) - Math.abs(a.rise) || byCodeUnit(a.host, b.host));
  const movedSites = async (some: readonly Moved[]) => {
    const { first, count } = await firstSites(some, snapshot);
    return { first: first.map((site, at) => ({ ...site, from: some[at]!.before })), count };
  };
  const ids = [...new Set([...gained.keys(), ...lost.keys()])].sort(byCodeUnit);
  const best = (some: readonly SiteChanges[]) => firstSites(some.toSorted(byNewScore), snapshot);
  return {
    added: await best(sites.filter(({ isNew }) => isNew)),
    risen: await movedSites(moved.filter(({ rise }) => rise > 0)),
    fallen: await movedSites(moved.filter(({ rise }) => rise < 0)),
    checks: await Promise.all(
      ids.map(async (checkId) => ({
        checkId,
        gained: await best(gained.get(checkId) ?? []),
        lost: await best(lost.get(checkId) ?? []),
      })),
    ),
  };
}

function newScoreOf({ to }: SiteChanges): number | null {
  return to.score?.to ?? null;
}

function byNewScore(a: SiteChanges, b: SiteChanges): number {
  return (newScoreOf(b) ?? -1) - (newScoreOf(a) ?? -1) || byCodeUnit(a.host, b.host);
}

async function firstSites(
  sites: readonly SiteChanges[],
  snapshot: SnapshotView,
): Promise<FirstOf<NamedSite>> {
  const engine = await snapshot.engine;
  const first: NamedSite[] = [];
  for (const { host: own } of sites.slice(0, CHANGES_NAMED)) {
    const bytes = await engine.summaryOf(own);
    const summary: SiteSummary = JSON.parse(new TextDecoder().decode(bytes));
    const { host, name, latestScore, latestBand, latestScoreVersion } = summary;
    first.push({ host, name, latestScore, latestBand, latestScoreVersion });
  }
  return { first, count: sites.length };
}
