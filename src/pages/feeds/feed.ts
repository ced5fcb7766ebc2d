import type { SiteSummary, TaxonomyEntry } from "../../contract/listing.js";
import { oneLine, shown } from "../kit/escape.js";
import { html } from "../kit/html.js";
import { absoluteLink } from "../kit/links.js";
import type { PageContext } from "../kit/page-context.js";
import { categoryAddress, type FeedForm, feedAddress } from "../kit/page-names.js";
import { bandLabel, dayOf, visible } from "../kit/words.js";

/** What a feed shows: sites of the directory or of a category, the most recently scanned first. */
export interface FeedShown {
  /** Null for the whole directory. */
  readonly category: Pick<TaxonomyEntry, "slug" | "name"> | null;
  readonly sites: readonly SiteSummary[];
}

/** A scan as feeds show it. */
interface FeedItem {
  /** Another scan of the same site is another item. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly updated: string;
  readonly category: SiteSummary["category"];
}

/** The date of a feed without scans: Atom requires one. */
const NEVER = "1970-01-01T00:00:00Z";

/** The text of an Atom feed (RFC 4287). Its date is that of the newest scan. */
export function atomFeed(feed: FeedShown, context: PageContext): string {
  const items = feedItems(feed, context);
  const { self, home, title } = feedFacts(feed, "xml", context);
  const entries = items.map(
    ({ id, url, title: what, text, updated, category }) => html`<entry>
<id>${id}</id>
<title>${what}</title>
<updated>${updated}</updated>
<link rel="alternate" type="text/html" href="${url}"/>
${category === null ? null : html`<category term="${category.slug}" label="${oneLine(category.name)}"/>\n`}<summary>${text}</summary>
</entry>
`,
  );
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${self}</id>
<title>${title}</title>
<updated>${items[0]?.updated ?? NEVER}</updated>
<author><name>${oneLine(context.name)}</name><uri>${absoluteLink("", context)}</uri></author>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${home}"/>
${entries}</feed>
`.markup;
}

/** The text of a JSON Feed (jsonfeed.org, version 1.1). */
export function jsonFeed(feed: FeedShown, context: PageContext): string {
  const { self, home, title } = feedFacts(feed, "json", context);
  const items = feedItems(feed, context).map((item) => ({
    id: item.id,
    url: item.url,
    title: item.title,
    content_text: item.text,
    date_published: item.updated,
    ...(item.category !== null && { tags: [oneLine(item.category.name)] }),
  }));
  const json = {
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: home,
    feed_url: self,
    language: "en",
    authors: [{ name: oneLine(context.name), url: absoluteLink("", context) }],
    items,
  };
  return `${JSON.stringify(json)}\n`;
}

/** A feed's title: `New scans in Science · A directory`. */
function feedTitle(category: FeedShown["category"], { name }: Pick<PageContext, "name">) {
  const suffix = category === null ? "" : ` in ${oneLine(visible(category.name) ?? category.slug)}`;
  return `New scans${suffix} · ${oneLine(name)}`;
}

function feedFacts({ category }: FeedShown, form: FeedForm, context: PageContext) {
  const address = category === null ? "" : categoryAddress(category.slug);
  return {
    self: absoluteLink(feedAddress(category?.slug ?? null, form), context),
    home: absoluteLink(address, context),
    title: feedTitle(category, context),
  };
}

function feedItems({ sites }: FeedShown, context: PageContext): FeedItem[] {
  return sites.flatMap((site) => {
    const { host, latestScannedAt: updated, category } = site;
    if (updated === null) return [];
    const url = absoluteLink(`sites/${host}`, context);
    const title = `${host}: ${feedScore(site, context)}`;
    const about = [visible(site.name), visible(site.tagline)].filter((text) => text !== null);
    const text = shown([...about, `Scanned on ${dayOf(updated)}.`].join("\n"));
    return [
      {
        id: `${context.siteUrl}/sites/${host}#scan-${updated}`,
        url,
        title,
        text,
        updated,
        category,
      },
    ];
  });
}

/** `71 of 100, Readable`. A site without a score has no number. */
function feedScore(site: SiteSummary, context: PageContext): string {
  const { latestScore: score, latestBand: band, latestScoreVersion: scoreVersion } = site;
  if (score === null) return "not scored";
  const label = bandLabel({ band, scoreVersion }, context);
  return `${score} of 100${label === null ? "" : `, ${oneLine(label)}`}`;
}
