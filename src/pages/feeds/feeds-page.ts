import { STYLES } from "#scripts/names";
import type { TaxonomyEntry } from "../../contract/listing.js";
import { oneLine } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { type Html, html, unseen } from "../kit/html.js";
import { absoluteLink, changesPlace, linkedFrom } from "../kit/links.js";
import { scrollingTable } from "../kit/lists.js";
import type { LinkedContext, PageContext } from "../kit/page-context.js";
import { FEEDS, type FeedForm, feedAddress } from "../kit/page-names.js";
import { visible } from "../kit/words.js";

/**
 * The page of all feeds, for people: browsers show a feed itself as its source, whatever stylesheet it names.
 * @param categories those that have feeds
 */
export function feedsPage(
  categories: readonly Pick<TaxonomyEntry, "slug" | "name">[],
  unlinked: PageContext,
): string {
  const context = linkedFrom(FEEDS, unlinked);
  const directory = oneLine(unlinked.name);
  const body = html`<main id="feeds" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<h1>Feeds</h1>
<p class="lead">A feed tells you what is new in ${directory}. Copy its address into a feed reader: that needs no 
  account.</p>
</div></div>
<div class="wide check-page">
${changesSection(context)}
<section aria-labelledby="scans"><h2 id="scans">New scans</h2>
<p class="measure">The 50 sites that were scanned last, with their scores. 
  <a href="${context.to("?sort=recent")}">See them as a page</a>.</p>
${addressView(feedAddress(null, "xml"), context)}
<p class="quiet">Also as <a href="${context.to(feedAddress(null, "json"))}">JSON Feed</a>.</p></section>
${categories.length === 0 ? null : categoriesSection(categories, context)}
</div>
</main>`;
  return framed(
    {
      title: `Feeds · ${directory}`,
      description: `The feeds of ${directory}: new scans of all sites and of each category, to subscribe to.`,
      address: FEEDS,
      style: STYLES.standards,
      main: "feeds",
      linkedData: { "@type": "WebPage" },
      body,
    },
    context,
  );
}

/** The feed of changes; null if no page has one. */
function changesSection(context: LinkedContext): Html | null {
  const { to } = context;
  const place = changesPlace(context);
  if (place === null) return null;
  return html`<section aria-labelledby="changes"><h2 id="changes">All changes</h2>
<p class="measure">Sites that enter or leave, scores that rise or fall, checks that are passed or no longer passed. 
  <a href="${to(place.page)}">See them as a page</a>.</p>
${addressView(place.feed, context)}
<p class="measure">Each <a href="${to("")}">search of the explorer</a> has such a feed of its own, to which its foot 
  leads.</p></section>`;
}

/** The address of a feed, to copy. */
function addressView(address: string, context: LinkedContext): Html {
  return html`<pre class="measure" data-copy="Copy the address">${absoluteLink(address, context)}</pre>`;
}

function categoriesSection(
  categories: readonly Pick<TaxonomyEntry, "slug" | "name">[],
  context: LinkedContext,
): Html {
  const { to } = context;
  const rows = categories.map(({ slug, name }) => {
    const shown = visible(name) ?? slug;
    const link = (form: FeedForm, text: string) =>
      html`<a href="${to(feedAddress(slug, form))}">${text}${unseen(` of ${shown}`)}</a>`;
    return html`<tr><th scope="row" dir="auto">${shown}</th>
      <td>${link("xml", "Atom")}</td><td>${link("json", "JSON Feed")}</td></tr>`;
  });
  const head = { name: "Feeds of categories", columns: ["Category", "Atom", "JSON"] };
  return html`<section aria-labelledby="by-category"><h2 id="by-category">New scans of a category</h2>
${scrollingTable(head, html`<tbody>${rows}</tbody>`)}</section>`;
}
