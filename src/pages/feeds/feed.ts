import type { SiteSummary, TaxonomyEntry } from "../../contract/listing.js";
import { oneLine, shown } from "../kit/escape.js";
import { html } from "../kit/html.js";
import { absoluteLink } from "../kit/links.js";
import { languageOf, type PageContext } from "../kit/page-context.js";
import { categoryAddress, type FeedForm, feedAddress } from "../kit/page-names.js";
import { directoryText } from "../kit/publisher-links.js";
import { bandLabel, dayOf, visible } from "../kit/words.js";

/** What a feed shows: sites of the directory or of a category, the most recently scanned first. */
export interface FeedShown {
  /** Null for the whole directory. */
  readonly category: Pick<TaxonomyEntry, "slug" | "name"> | null;
  readonly sites: readonly SiteSummary[];
}

/** An item of a feed: a scan, or a change. */
export interface FeedItem {
  /** Differs between scans or changes of the same site. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly updated: string;
  readonly category: SiteSummary["category"];
}

/** What a feed says about itself. Addresses are absolute. */
export interface FeedFacts {
  readonly self: string;
  /** The page that shows the same sites. */
  readonly home: string;
  readonly title: string;
  /** The feed with older items (RFC 5005, section 3); null if there are none. */
  readonly next: string | null;
}

/** The date of a feed without scans: Atom requires one. */
const NEVER = "1970-01-01T00:00:00Z";

/** The text of a feed of scans. */
export function scanFeed(form: FeedForm, feed: FeedShown, context: PageContext): string {
  return feedText(form, feedFacts(feed, form, context), feedItems(feed, context), context);
}

/** The text of a feed. @param items the newest first */
export function feedText(
  form: FeedForm,
  facts: FeedFacts,
  items: readonly FeedItem[],
  context: PageContext,
): string {
  return (form === "xml" ? atomFeed : jsonFeed)(facts, items, context);
}

/** The text of an Atom feed (RFC 4287). Its date is that of the newest item. */
function atomFeed(
  { self, home, title, next }: FeedFacts,
  items: readonly FeedItem[],
  context: PageContext,
): string {
  const about = directoryText(context);
  const entries = items.map(
    ({ id, url, title: what, text, updated, category }) => html`<entry>
<id>${id}</id>
<title>${what}</title>
<updated>${updated}</updated>
<link rel="alternate" type="text/html" href="${url}"/>
${category === null ? null : html`<category term="${category.slug}" label="${oneLine(category.name)}"/>\n`}
  <summary>${text}</summary>
</entry>
`,
  );
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${languageOf(context)}">
<id>${self}</id>
<title>${title}</title>
${about === null ? null : html`<subtitle>${about}</subtitle>\n`}<updated>${items[0]?.updated ?? NEVER}</updated>
<author><name>${oneLine(context.name)}</name><uri>${absoluteLink("", context)}</uri></author>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${home}"/>
${next === null ? null : html`<link rel="next" type="application/atom+xml" href="${next}"/>\n`}${entries}</feed>
`.markup;
}

/** The text of a JSON Feed (jsonfeed.org, version 1.1). */
function jsonFeed(
  { self, home, title, next }: FeedFacts,
  shownItems: readonly FeedItem[],
  context: PageContext,
): string {
  const items = shownItems.map((item) => ({
    id: item.id,
    url: item.url,
    title: item.title,
    content_text: item.text,
    date_published: item.updated,
    ...(item.category !== null && { tags: [oneLine(item.category.name)] }),
  }));
  const about = directoryText(context);
  const json = {
    version: "https://jsonfeed.org/version/1.1",
    title,
    ...(about !== null && { description: about }),
    home_page_url: home,
    feed_url: self,
    ...(next !== null && { next_url: next }),
    language: languageOf(context),
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

function feedFacts({ category }: FeedShown, form: FeedForm, context: PageContext): FeedFacts {
  const address = category === null ? "" : categoryAddress(category.slug);
  return {
    self: absoluteLink(feedAddress(category?.slug ?? null, form), context),
    home: absoluteLink(address, context),
    title: feedTitle(category, context),
    next: null,
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
export function feedScore(site: SiteSummary, context: PageContext): string {
  const { latestScore: score, latestBand: band, latestScoreVersion: scoreVersion } = site;
  if (score === null) return "not scored";
  const label = bandLabel({ band, scoreVersion }, context);
  return `${score} of 100${label === null ? "" : `, ${oneLine(label)}`}`;
}
