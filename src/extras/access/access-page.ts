import { STYLES } from "#scripts/names";
import type { SnapshotView } from "../../answer/content.js";
import { figuresOf as directoryFigures, standardsOf } from "../../answer/page-facts.js";
import type { Drawing } from "../../answer/page-types.js";
import type { Standards } from "../../contract/standards.js";
import { oneLine } from "../../pages/kit/escape.js";
import { framed } from "../../pages/kit/frame.js";
import { type Html, html, shareBar } from "../../pages/kit/html.js";
import { linkedFrom } from "../../pages/kit/links.js";
import { numberHead, scrollingTable } from "../../pages/kit/lists.js";
import type { LinkedContext, PageContext } from "../../pages/kit/page-context.js";
import { type Fact, quoteView } from "../../pages/kit/quote.js";
import { counted, NO_VALUE, numberOf, titleOf, visible } from "../../pages/kit/words.js";
import { figuresOf } from "./access.js";
import type { CrawlerFigures } from "./bodies.js";
import { crawlerSlug, type Declared, type Served } from "./crawlers.js";
import { ACCESS_READ } from "./reads.js";

/** The address of the page, relative to `/`. */
export const ACCESS_ADDRESS = "access";

/** What the page shows. */
interface AccessShown {
  readonly figures: readonly CrawlerFigures[];
  readonly catalogue: Standards["crawlerCatalogue"];
  readonly lastScannedAt: string | null;
}

/** Draws the page with the figures of all crawlers. */
export const ACCESS_DRAWING: Drawing = {
  draw: async ({ context, snapshot }) => accessPage(await shownOf(snapshot), context),
};

async function shownOf(snapshot: SnapshotView): Promise<AccessShown> {
  const { crawlerCatalogue: catalogue } = await standardsOf(snapshot);
  const { lastScannedAt } = await directoryFigures(snapshot);
  return { figures: await figuresOf(snapshot), catalogue, lastScannedAt };
}

/** The address of a crawler's page, relative to `/`. */
export function crawlerAddress(crawler: string): string {
  return `${ACCESS_ADDRESS}/${crawlerSlug({ name: crawler })}`;
}

/** The id of the part of a crawler's page that lists the sites of a treatment. */
export function treatmentAnchor(declared: Declared, served?: Served): string {
  return served === undefined ? declared : `${declared}-${served}`;
}

/** The number of a crawler's sites that declare something, and whose servers do something. */
export function sitesOf({ counts }: CrawlerFigures, declared: Declared, served?: Served): number {
  return counts
    .filter((one) => one.declared === declared && (served ?? one.served) === one.served)
    .reduce((sum, { sites }) => sum + sites, 0);
}

function accessPage({ figures, catalogue, lastScannedAt }: AccessShown, unlinked: PageContext) {
  const context = linkedFrom(ACCESS_ADDRESS, unlinked);
  const directory = oneLine(context.name);
  const source = { address: ACCESS_ADDRESS, kind: null, slug: null, lastScannedAt };
  const fact = strikingFact(figures);
  const filled =
    figures.length === 0
      ? html`<p>No report says anything about a crawler yet.</p>`
      : html`${figuresTable(figures, catalogue, context)}
<p class="quiet measure">A site counts where its latest report says something about the crawler. “Refused” means 
  that the server refused or challenged the requests of the scan; many crawlers send none that a scan could repeat. 
  Sites that declare both or neither count in neither group.</p>
${quoteView(fact, source, context)}`;
  const lead =
    fact?.sentence ??
    "What sites declare to each crawler, beside what their servers do with its requests.";
  const body = html`<main id="${ACCESS_ADDRESS}" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow"><a href="${context.to("standards")}">How sites are scored</a></p>
<h1>What sites declare to crawlers, and what they do</h1>
<p class="lead">${lead}</p>
</div></div>
<div class="wide table-page">
${filled}
</div>
</main>`;
  return framed(
    {
      title: `What sites declare to crawlers, and what they do · ${directory}`,
      description:
        `How many sites of ${directory} declare each crawler allowed or disallowed, and how many of ` +
        "their servers then do the opposite.",
      address: ACCESS_ADDRESS,
      style: STYLES.tables,
      json: context.extensions === false ? null : ACCESS_READ.path.slice(1),
      main: ACCESS_ADDRESS,
      linkedData: { "@type": "WebPage" },
      body,
    },
    context,
  );
}

/** The crawler that most sites allow and then refuse, as a fact; null without crawlers. */
function strikingFact(figures: readonly CrawlerFigures[]): Fact | null {
  const [first] = figures.toSorted(
    (a, b) => b.allowedButRefused - a.allowedButRefused || b.n - a.n,
  );
  if (first === undefined) return null;
  const { crawler, n, allowedButRefused } = first;
  const allowed = sitesOf(first, "allowed");
  const declared =
    `Of ${counted(n, "site")} whose report says something about ${oneLine(crawler)}, ` +
    `${numberOf(allowed)} ${allowed === 1 ? "declares" : "declare"} it allowed`;
  const refused =
    allowedButRefused === 0 ? "none of these refuses" : refusing(allowedButRefused, allowed);
  return { sentence: `${declared}; ${refused} its requests.`, n };
}

function refusing(refused: number, allowed: number): string {
  if (refused === allowed) return refused === 1 ? "it refuses" : "all of these refuse";
  return `${numberOf(refused)} of these ${refused === 1 ? "refuses" : "refuse"}`;
}

function figuresTable(
  figures: readonly CrawlerFigures[],
  catalogue: Standards["crawlerCatalogue"],
  context: LinkedContext,
): Html {
  const rows = figures.map((one) => {
    const { crawler, n } = one;
    const address = context.to(crawlerAddress(crawler));
    const known = catalogue.find(({ name, robotsToken }) => (robotsToken ?? name) === crawler);
    const about = [known?.operator ?? null, ...(known?.purposes ?? []).map(titleOf)].filter(
      (text) => visible(text) !== null,
    );
    const number = (declared: Declared, served?: Served) =>
      numberCell(sitesOf(one, declared, served), `${address}#${treatmentAnchor(declared, served)}`);
    return html`<tr>
      <th scope="row"><a href="${address}"><bdi>${crawler}</bdi></a>
        <span class="quiet">${about.map((text) => html`<bdi>${text}</bdi> · `)}${counted(n, "site")}</span></th>
      ${declaredCell(one, "allowed", address)}
      <td class="number against">${number("allowed", "refused")}</td>
      ${declaredCell(one, "disallowed", address)}
      <td class="number against">${number("disallowed", "answered")}</td>
      </tr>`;
  });
  const columns = [
    "Crawler",
    numberHead("Allowed"),
    numberHead("Yet refused"),
    numberHead("Disallowed"),
    numberHead("Yet answered"),
  ];
  const name = "What sites declare to each crawler, and what their servers do";
  return scrollingTable({ name, className: "crawlers", columns }, html`<tbody>${rows}</tbody>`);
}

/** How many sites declare something to a crawler, with their share as a bar. */
function declaredCell(figures: CrawlerFigures, declared: Declared, address: string): Html {
  const sites = sitesOf(figures, declared);
  const number = numberCell(sites, `${address}#${treatmentAnchor(declared)}`);
  const bar = shareBar(Math.round((100 * sites) / figures.n));
  return html`<td class="number"><div class="declared">${bar}<span>${number}</span></div></td>`;
}

function numberCell(count: number, address: string): Html | string {
  return count === 0 ? NO_VALUE : html`<a href="${address}">${numberOf(count)}</a>`;
}
