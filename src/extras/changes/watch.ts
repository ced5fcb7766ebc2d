import { madeContent } from "../../answer/content.js";
import { summariesOf } from "../../answer/page-facts.js";
import type { Drawing } from "../../answer/page-types.js";
import { NO_INDEX } from "../../pages/kit/routes.js";
import { comparedScores } from "./change-feed.js";
import { untilUnnamed } from "./changes.js";
import { CHANGES_LIMITS } from "./reads.js";
import { changesOfHosts, checkNames, type FoundChange } from "./search-feed.js";
import { watchBadge } from "./watch-badge.js";
import { watchedTexts } from "./watch-list.js";
import { type ScoreMove, watchPage } from "./watch-page.js";

/** The most changes that the page lists. The feeds have more. */
const LISTED_MAX = 20;

/** Draws the page of a watch list. */
export const WATCH_DRAWING: Drawing = {
  draw: async ({ query, context, snapshot }) => {
    const texts = watchedTexts(query);
    const hosts = texts.hosts.slice(0, CHANGES_LIMITS.watchMax);
    const found = await changesOfHosts(hosts, snapshot);
    const sites = await summariesOf(hosts, await snapshot.engine);
    const page = watchPage(
      {
        sites: hosts.map((host, at) => ({ host, site: sites[at] ?? null })),
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

/** By host, the last change of a score, if there was one. @param found the newest first */
function lastMoves(found: readonly FoundChange[]): ReadonlyMap<string, ScoreMove> {
  const moves = new Map<string, ScoreMove>();
  for (const { change } of found) {
    const { host, publishedAt } = change;
    const scores = comparedScores(change);
    if (scores === null || scores.from === scores.to || moves.has(host)) continue;
    moves.set(host, { ...scores, publishedAt });
  }
  return moves;
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
