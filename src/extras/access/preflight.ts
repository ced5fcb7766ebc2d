import {
  type Content,
  type Failure,
  isFailure,
  madeContent,
  type SnapshotView,
} from "../../answer/content.js";
import { standardsOf, summariesOf } from "../../answer/page-facts.js";
import { ERROR_TEXTS, type Issue } from "../../contract/error.js";
import type { Report } from "../../contract/report.js";
import { type AskedHost, askedHosts, isObject } from "../../contract/values.js";
import { MalformedSnapshotError } from "../../store/bad-snapshot.js";
import { storedJson } from "../../store/stored-json.js";
import type { PreflightSite } from "./bodies.js";
import { accessFor, type Crawler, crawlerNamed, declaredIn } from "./crawlers.js";
import { type Access, accessIn } from "./gist.js";
import { CRAWLER, PREFLIGHT_LIMITS } from "./reads.js";
import { indexOf, NO_INDEX } from "./stored-access.js";

const MAY_READ = {
  allowed: "yes",
  disallowed: "no",
  mixed: "partly",
  unstated: "unstated",
} as const;

/**
 * Tells for each host whether, how well and how a crawler can read it. Reads no report but those of withheld hosts.
 * @param name of the list of hosts, for issues
 * @param crawler as given; undefined for all
 * @param allAt what has all crawlers, for the failure of an unknown one
 */
export async function preflightSites(
  name: string,
  texts: readonly unknown[],
  crawler: string | undefined,
  snapshot: SnapshotView,
  allAt?: string,
): Promise<PreflightSite[] | Failure> {
  const { hosts, issues } = askedHosts(name, texts);
  if (issues.length > 0) return invalid(issues);
  const index = await indexOf(snapshot);
  if (index === null) return NO_INDEX;
  const wanted = crawler === undefined ? null : await crawlerNamed(crawler, snapshot, allAt);
  if (wanted !== null && isFailure(wanted)) return wanted;
  const names = hosts.map(({ host }) => host);
  const summaries = await summariesOf(names, snapshot);
  const exempted = await (await snapshot.engine).exemptOf(names);
  const achievements = await achievementsOf(snapshot);
  const toldOf = onceFor((access: Access) => toldIn(access, wanted));
  const sites: PreflightSite[] = [];
  for (const [at, asked] of hosts.entries()) {
    const summary = summaries[at];
    if (summary === undefined) {
      sites.push(await unlistedSite(asked, wanted, snapshot));
      continue;
    }
    const access = index.of(asked.host);
    if (access === undefined)
      throw new MalformedSnapshotError(`the index of access lacks ${asked.host}`);
    const { capabilities: offers } = summary;
    const others = new Set(offers);
    for (const id of exempted.get(asked.host) ?? []) others.add(id);
    const lacks = achievements.filter((id) => !others.has(id));
    sites.push(siteOf(asked, "listed", toldOf(access), summary, offers, lacks));
  }
  return sites;
}

/** The checks that give points, in the order of the methodology. */
async function achievementsOf(snapshot: SnapshotView): Promise<string[]> {
  const { checks } = await standardsOf(snapshot);
  return checks.flatMap(({ id, kind }) => (kind === "achievement" ? [id] : []));
}

/** Makes a value once for each key. */
function onceFor<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** What is said of a host that is not in search. */
async function unlistedSite(asked: AskedHost, crawler: Crawler | null, snapshot: SnapshotView) {
  const listing = await snapshot.listing(asked.host);
  if (listing === undefined) return siteOf(asked, "unknown", NO_ACCESS, UNSCORED);
  // The report of a withheld listing is small. It only tells where the site has moved.
  const report = await snapshot.readAnswer(listing.report);
  const access = accessIn(storedJson<{ readonly data: Report }>(report).data);
  return siteOf(asked, "withheld", toldIn(access, crawler), UNSCORED);
}

/** What is said of access. */
type Told = Pick<PreflightSite, "mayRead" | "robotsVerdict" | "access" | "movedTo">;

function toldIn(found: Access, crawler: Crawler | null): Told {
  const { robotsVerdict, movedTo } = found;
  const access = accessFor(found, crawler);
  const mayRead = MAY_READ[declaredIn(access.flatMap(({ states }) => states))];
  return { mayRead, robotsVerdict, access, movedTo };
}

const NO_ACCESS: Told = { mayRead: "unstated", robotsVerdict: null, access: [], movedTo: null };

const UNSCORED = {
  latestScore: null,
  latestBand: null,
  latestScoreVersion: null,
  latestScannedAt: null,
} as const;
type Scored = Pick<PreflightSite, keyof typeof UNSCORED>;

/** Names each member: spreading objects takes most of the time of a thousand hosts. */
function siteOf(
  { asked, host }: AskedHost,
  known: PreflightSite["known"],
  { mayRead, robotsVerdict, access, movedTo }: Told,
  scored: Scored,
  offers: string[] = [],
  lacks: string[] = [],
): PreflightSite {
  return {
    host,
    ...(asked !== host && { asked }),
    known,
    mayRead,
    robotsVerdict,
    access,
    movedTo,
    latestScore: scored.latestScore,
    latestBand: scored.latestBand,
    latestScoreVersion: scored.latestScoreVersion,
    latestScannedAt: scored.latestScannedAt,
    offers,
    lacks,
  };
}

function invalid(issues: readonly Issue[]): Failure {
  return { status: 400, error: ERROR_TEXTS.invalid, issues };
}

/** The content of `/api/preflight`. @param name of the list of hosts, for issues */
export async function preflightContent(
  name: string,
  texts: readonly unknown[],
  crawler: string | undefined,
  snapshot: SnapshotView,
): Promise<Content | Failure> {
  const data = await preflightSites(name, texts, crawler, snapshot);
  return isFailure(data) ? data : madeContent(JSON.stringify({ data }), snapshot);
}

/** The same for the JSON of a body. */
export async function postedPreflightContent(
  value: unknown,
  snapshot: SnapshotView,
): Promise<Content | Failure> {
  const { hosts, crawler, ...others } = isObject(value) ? value : {};
  const [other] = Object.keys(others);
  const name = typeof crawler === "string" ? CRAWLER.read(crawler) : undefined;
  const isList =
    Array.isArray(hosts) && hosts.length > 0 && hosts.length <= PREFLIGHT_LIMITS.postMax;
  if (other !== undefined)
    return invalid([{ path: "body", message: "has only hosts and crawler" }]);
  if (crawler !== undefined && crawler !== null && name === undefined)
    return invalid([{ path: "crawler", message: CRAWLER.message }]);
  if (isList) return preflightContent("hosts", hosts, name, snapshot);
  const message = `must be a list of 1 to ${PREFLIGHT_LIMITS.postMax} hosts`;
  return invalid([{ path: "hosts", message }]);
}
