import { STYLES } from "#scripts/names";
import { isFailure, type SnapshotView } from "../../answer/content.js";
import type { Drawing } from "../../answer/page-types.js";
import type { SiteSummary } from "../../contract/listing.js";
import { oneLine } from "../../pages/kit/escape.js";
import { framed } from "../../pages/kit/frame.js";
import { type Html, html } from "../../pages/kit/html.js";
import { linkedFrom } from "../../pages/kit/links.js";
import type { LinkedContext, PageContext } from "../../pages/kit/page-context.js";
import { siteLink } from "../../pages/kit/site-row.js";
import { counted, numberOf } from "../../pages/kit/words.js";
import { storedJson } from "../../store/stored-json.js";
import { crawlerSites, figuresOf } from "./access.js";
import { ACCESS_ADDRESS, crawlerAddress, sitesOf, treatmentAnchor } from "./access-page.js";
import type { CrawlerFigures } from "./bodies.js";
import { crawlerSlug, DECLARED, type Declared, SERVED, type Served } from "./crawlers.js";
import { ACCESS_READ } from "./reads.js";

/** The most sites that the page names of each treatment. */
const NAMED_MAX = 100;

/** The sites that treat a crawler alike. */
interface TreatedSites {
  readonly declared: Declared;
  readonly served: Served;
  /** The best ones, at most `NAMED_MAX`. */
  readonly sites: readonly SiteSummary[];
}

/** Draws the page of the sites of one crawler. */
export const CRAWLER_DRAWING: Drawing = {
  draw: async ({ own, context, snapshot }) => {
    const figures = (await figuresOf(snapshot)).find((one) => slugOf(one) === own);
    if (figures === undefined) return null;
    return crawlerPage(figures, await treatedSites(figures, snapshot), context);
  },
  addresses: async (snapshot) => {
    const all = await figuresOf(snapshot);
    return [...new Set(all.map(({ crawler }) => crawlerAddress(crawler)))];
  },
};

function slugOf({ crawler }: CrawlerFigures): string {
  return crawlerSlug({ name: crawler });
}

async function treatedSites(
  { crawler, counts }: CrawlerFigures,
  snapshot: SnapshotView,
): Promise<TreatedSites[]> {
  const all: TreatedSites[] = [];
  for (const { declared, served } of counts) {
    const query = { crawler, declared, served, page: 1, limit: NAMED_MAX };
    const found = await crawlerSites(query, snapshot);
    if (isFailure(found)) continue;
    const sites = found.sites.flatMap(({ summary }) =>
      summary === null ? [] : storedJson<SiteSummary>(summary),
    );
    all.push({ declared, served, sites });
  }
  return all;
}

const DECLARED_WORDS: Readonly<Record<Declared, string>> = {
  allowed: "Declared allowed",
  disallowed: "Declared disallowed",
  mixed: "Declared allowed in part",
  unstated: "Nothing declared",
};

const SERVED_WORDS: Readonly<Record<Served, string>> = {
  answered: "Requests answered",
  refused: "Requests refused",
  mixed: "Some requests answered, others refused",
  unknown: "No request seen",
};

function crawlerPage(
  figures: CrawlerFigures,
  treated: readonly TreatedSites[],
  unlinked: PageContext,
): string {
  const { crawler, n, allowedButRefused, disallowedButAnswered } = figures;
  const address = crawlerAddress(crawler);
  const context = linkedFrom(address, unlinked);
  const name = oneLine(crawler);
  const directory = oneLine(context.name);
  const groups = DECLARED.map((declared) => group(declared, figures, treated, context));
  const body = html`<main id="crawler" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow"><a href="${context.to(ACCESS_ADDRESS)}">All crawlers</a></p>
<h1><bdi>${name}</bdi></h1>
<p class="lead">${counted(n, "site")} whose report says something about this crawler. 
  Declared allowed, yet refused: ${numberOf(allowedButRefused)}. Declared disallowed, yet answered: 
  ${numberOf(disallowedButAnswered)}.</p>
</div></div>
<div class="wide table-page">
${groups}
</div>
</main>`;
  return framed(
    {
      title: `Sites that allow, disallow and refuse ${name} · ${directory}`,
      description: `Which sites of ${directory} declare ${name} allowed or disallowed, and what their servers do.`,
      address,
      style: STYLES.tables,
      main: "crawler",
      linkedData: { "@type": "WebPage" },
      body,
    },
    context,
  );
}

/** The sites that declare the same to the crawler, those that do the opposite first; null if there are none. */
function group(
  declared: Declared,
  figures: CrawlerFigures,
  treated: readonly TreatedSites[],
  context: LinkedContext,
): Html | null {
  const count = sitesOf(figures, declared);
  if (count === 0) return null;
  const opposite = declared === "disallowed" ? "answered" : "refused";
  const parts = SERVED.toSorted((a, b) => Number(b === opposite) - Number(a === opposite)).flatMap(
    (served) => {
      const own = treated.find((one) => one.declared === declared && one.served === served);
      return own === undefined ? [] : treatedView(own, figures, context);
    },
  );
  const id = treatmentAnchor(declared);
  const title = `${DECLARED_WORDS[declared]}: ${counted(count, "site")}`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${parts}</section>
`;
}

function treatedView(
  { declared, served, sites }: TreatedSites,
  figures: CrawlerFigures,
  context: LinkedContext,
): Html {
  const count = sitesOf(figures, declared, served);
  const query = new URLSearchParams({ crawler: figures.crawler, declared, served });
  const hasRead = context.tree === undefined && context.extensions !== false;
  const all = hasRead
    ? html`; <a href="${context.to(ACCESS_READ.path.slice(1))}?${query.toString()}">all of them as JSON</a>`
    : null;
  const rest =
    count > sites.length
      ? html`<p class="quiet">The ${numberOf(sites.length)} with the highest scores${all}.</p>\n`
      : null;
  const items = sites.map((site) => html`<li>${siteLink(site, context)}</li>`);
  return html`<h3 id="${treatmentAnchor(declared, served)}">${SERVED_WORDS[served]}: ${numberOf(count)}</h3>
${rest}<ul class="treated">${items}</ul>
`;
}
