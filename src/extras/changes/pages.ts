import type { Page } from "../../answer/page-types.js";
import { firstPairs } from "../../contract/query.js";
import { HTML, PAGE_POLICY } from "../../pages/kit/routes.js";
import { listNamed } from "./list-names.js";
import { SEARCH_FEED, siteFeedAddress, watchQuery } from "./reads.js";
import { WATCH, watchedTexts, watchText } from "./watch-list.js";

/* Loaded with the first of these pages: the script of an edge worker stays small. */
const drawings = () => import("./drawings.js");

/** The page of what changed, to which the foot of all pages leads, and the lists to which its numbers lead. */
export const PAGES: readonly Page[] = [
  {
    name: "changes",
    after: "apiPage",
    path: "/changes",
    contentType: HTML,
    policy: PAGE_POLICY,
    following: "what changed",
    searchFeed: SEARCH_FEED.path.slice(1),
    isInSitemap: true,
    isNumbered: true,
    latest: async () => (await drawings()).LATEST_SECTION,
    load: async () => (await drawings()).CHANGES_PAGE,
  },
  {
    name: "changedList",
    after: "changes",
    path: "/changed/{name}",
    contentType: HTML,
    policy: PAGE_POLICY,
    fits: (name) => listNamed(name) !== null,
    isNumbered: true,
    load: async () => (await drawings()).LIST_PAGE,
  },
];

/** The page of a watch list: the sites of `?host=`. A tree has none, as it could not show other lists. */
export const WATCH_PAGE: Page = {
  name: WATCH,
  after: "changes",
  path: `/${WATCH}`,
  contentType: HTML,
  policy: PAGE_POLICY,
  files: [],
  isNumbered: true,
  purged: [`/${WATCH}`, `/${WATCH}?*`],
  follows: {
    feed: siteFeedAddress,
    list: (host) => `${WATCH}?${watchQuery([host])}`,
  },
  readState: (query) => ({ ok: true, value: watchText(watchedTexts(firstPairs(query))) }),
  load: async () => (await import("./watch.js")).WATCH_DRAWING,
};

/** A badge of the same sites, with their median score. */
export const WATCH_BADGE: Page = {
  name: "watchBadge",
  after: WATCH,
  path: `/${WATCH}.svg`,
  contentType: "image/svg+xml",
  files: [],
  isIndexedWithQuery: true,
  purged: [`/${WATCH}.svg`, `/${WATCH}.svg?*`],
  readState: WATCH_PAGE.readState,
  load: async () => (await import("./watch.js")).WATCH_BADGE_DRAWING,
};
