import { madeContent, type SnapshotView } from "../../answer/content.js";
import { drawnReportOf } from "../../answer/drawn-reports.js";
import { summariesOf } from "../../answer/page-facts.js";
import type { Drawing } from "../../answer/page-types.js";
import type { Report } from "../../contract/report.js";
import { NO_INDEX } from "../../pages/kit/routes.js";
import { comparedScores } from "./change-feed.js";
import { untilUnnamed } from "./changes.js";
import { CHANGES_LIMITS } from "./reads.js";
import { changesOfHosts, checkNames, type FoundChange } from "./search-feed.js";
import type { StoredChange } from "./stored-change.js";
import { watchBadge } from "./watch-badge.js";
import { watchedTexts } from "./watch-list.js";
import { type ScoreMove, type WatchShown, watchPage } from "./watch-page.js";

/** The most changes that the page lists. The feeds have more. */
const LISTED_MAX = 20;

/** Draws the page of a watch list. */
export const WATCH_DRAWING: Drawing = {
  draw: async ({ query, context, snapshot }) => {
    const texts = watchedTexts(query);
    const hosts = texts.hosts.slice(0, CHANGES_LIMITS.watchMax);
    const found = await changesOfHosts(hosts, snapshot);
    const summaries = await summariesOf(hosts, await snapshot.engine);
    const sites = hosts.map(async (host, at) => {
      const site = summaries[at] ?? null;
      return { host, site, report: site === null ? await reportOf(host, snapshot) : null };
    });
    const page = watchPage(
      {
        sites: await Promise.all(sites),
        left: texts.hosts.slice(hosts.length),
        others: texts.others,
        moves: lastMoves(found),
        changes: found.slice(0, LISTED_MAX),
        changeCount: found.length,
        checks: await checkNames(snapshot),
      },
      context,
    );
    const content = await madeContent(page, snapshot);
    return { ...content, headers: NO_INDEX, ...untilUnnamed(found.map(({ change }) => change)) };
  },
};

/** The report of a host; null if it has none. */
async function reportOf(host: string, snapshot: SnapshotView): Promise<Report | null> {
  const drawn = await drawnReportOf(snapshot, host, undefined);
  return "error" in drawn ? null : drawn.report;
}

/** By host, the last change of a score, if it is told and the scores compare. @param found the newest first */
function lastMoves(found: readonly FoundChange[]): WatchShown["moves"] {
  const moves = new Map<string, ScoreMove | null>();
  for (const { change } of found) {
    const { host, score, scoreVersion } = change;
    const isSame = score?.from === score?.to && scoreVersion?.from === scoreVersion?.to;
    if (!moves.has(host) && (score === null || !isSame)) moves.set(host, scoreMove(change));
  }
  return moves;
}

function scoreMove(one: StoredChange): ScoreMove | null {
  const { change, score, publishedAt } = one;
  if (change !== "changed" || score === null || score.from === score.to) return null;
  const isNone = score.from === null || score.to === null;
  return isNone || comparedScores(one) !== null ? { ...score, publishedAt } : null;
}

/** Draws the badge of a watch list. */
export const WATCH_BADGE_DRAWING: Drawing = {
  draw: async ({ query, context, snapshot }) => {
    const hosts = watchedTexts(query).hosts.slice(0, CHANGES_LIMITS.watchMax);
    const sites = await summariesOf(hosts, await snapshot.engine);
    const listed = sites.filter((site) => site !== undefined);
    return watchBadge(listed, context);
  },
};
