import { NO_ADDRESS } from "../../answer/answer.js";
import type { Content, Failure, SnapshotView } from "../../answer/content.js";
import { ERROR_TEXTS } from "../../contract/error.js";
import { byCodeUnit } from "../../contract/order.js";
import { askedHosts } from "../../contract/values.js";
import type { FeedForm } from "../../pages/kit/page-names.js";
import { counted, hostText } from "../../pages/kit/words.js";
import { addressWith, SITE_WORDS } from "./change-feed.js";
import { CHANGES_LIMITS, siteFeedAddress, type WatchQuery, watchQuery } from "./reads.js";
import { changesOfHosts, feedContent } from "./search-feed.js";

/** The feed of one site. There is one of each site in search, and of each removed site that may still be named. */
export async function siteFeedContent(
  form: FeedForm,
  host: string,
  snapshot: SnapshotView,
): Promise<Content | Failure> {
  const found = await changesOfHosts([host], snapshot);
  const [site] = await (await snapshot.engine).summariesOf([host]);
  if (site === undefined && found.length === 0) return NO_ADDRESS;
  const subject = {
    about: hostText(host),
    words: SITE_WORDS,
    address: siteFeedAddress(host, form),
    query: "",
    home: site === undefined ? "" : `sites/${host}`,
  };
  return feedContent(form, subject, found.slice(0, CHANGES_LIMITS.feedItems), undefined, snapshot);
}

/** The feed of a watch list. Hosts that are not known are never in it. */
export async function watchFeedContent(
  form: FeedForm,
  { host: texts, before }: WatchQuery,
  snapshot: SnapshotView,
): Promise<Content | Failure> {
  const { hosts: asked, issues } = askedHosts("host", texts);
  if (issues.length > 0) return { status: 400, error: ERROR_TEXTS.invalid, issues };
  // The same list has the same feed, in whatever order it is.
  const hosts = asked.map(({ host }) => host).sort(byCodeUnit);
  const query = watchQuery(hosts);
  const subject = {
    about: counted(hosts.length, "site"),
    words: SITE_WORDS,
    address: `watch.${form}`,
    query,
    home: addressWith("watch", query),
  };
  return feedContent(form, subject, await changesOfHosts(hosts, snapshot), before, snapshot);
}
