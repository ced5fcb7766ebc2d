import { SCRIPTS, STYLES } from "#scripts/names";
import type { Report } from "../../contract/report.js";
import type { Standards } from "../../contract/standards.js";
import { oneLine } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { type Html, html } from "../kit/html.js";
import { linkedFrom } from "../kit/links.js";
import type { LinkedContext, PageContext, Section } from "../kit/page-context.js";
import { checksFact, quoteView } from "../kit/quote.js";
import { visible } from "../kit/words.js";
import { type Adoption, adoptionSection } from "./adoption.js";
import {
  checkNames,
  checksSections,
  crawlersSection,
  scoringSection,
} from "./standards-sections.js";
import { workedExample } from "./worked-example.js";

/**
 * The methodology as a page for people (docs/contract.md#16-standards). Checks have anchors, `check-<id>`.
 * @param adoption null if the directory's figures are not known
 * @param example a report that the page works through to its score; null if there is none
 */
export function standardsPage(
  standards: Standards,
  place: PageContext,
  adoption: Adoption | null,
  example: Report | null = null,
): string {
  const context = linkedFrom("standards", place);
  const name = oneLine(context.name);
  const { rubric, checks, crawlerCatalogue } = standards;
  const description =
    `How ${name} scores how readable and accessible websites are to AI crawlers: bands, ` +
    `${checks.length} checks with their points and how each is judged, and ` +
    `${crawlerCatalogue.length} crawlers.`;
  return framed(
    {
      title: `How sites are scored · ${name}`,
      description,
      address: "standards",
      style: STYLES.standards,
      script: SCRIPTS.standards,
      json: "api/standards",
      main: "methodology",
      linkedData: {
        "@type": "TechArticle",
        name: "How sites are scored",
        version: rubric.version,
        isPartOf: { "@type": "WebSite", url: context.siteUrl, name },
      },
      body: mainOf(standards, adoption, example, context),
    },
    context,
  );
}

function mainOf(
  standards: Standards,
  adoption: Adoption | null,
  example: Report | null,
  context: LinkedContext,
): Html {
  const { to } = context;
  const { rubric, checks } = standards;
  const names = checkNames(standards);
  const first = [
    scoringSection(standards, adoption),
    example && workedExample(example, standards, to),
    adoption &&
      adoptionSection(checks, names, adoption, adoptionQuote(standards, adoption, context)),
  ].filter((section) => section !== null);
  const searched = [
    ...checksSections(standards, names, adoption, to),
    crawlersSection(standards),
  ].filter((section) => section !== null);
  return html`<main id="methodology" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow">Methodology, version ${rubric.version}</p>
<h1>How sites are scored</h1>
<p class="lead">A site’s score runs from 0 to 100. It says how readable and accessible the site is to AI crawlers: what the site sends to readers without a browser, and what it allows them to do.</p>
</div></div>
<div class="wide columns">
<nav class="contents" aria-label="On this page"><ul>${[...first, ...searched].map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>
<div class="sections">
${first.map((section) => sectionElement(section, false))}
  <div class="words needs-script" role="search" aria-label="Checks and crawlers">
  <label for="words">Search checks and crawlers</label>
  <input id="words" type="search" autocomplete="off" spellcheck="false"><p id="told" class="quiet" role="status">
  </p></div>
${searched.map((section) => sectionElement(section, true))}</div>
</div>
</main>`;
}

/** The fact of the charts of adoption, to quote. */
function adoptionQuote(
  { checks }: Standards,
  { figures }: Adoption,
  context: LinkedContext,
): Html | null {
  const scored = checks
    .filter(({ kind, lifecycle }) => kind === "achievement" && lifecycle === "active")
    .map(({ id, name }) => ({ id, name: visible(name) ?? id, isScored: true }));
  const fact = checksFact(figures.all, scored, oneLine(context.name));
  const { lastScannedAt } = figures;
  const place = { address: "standards", kind: "checks", slug: null, lastScannedAt } as const;
  return quoteView(fact, place, context);
}

/** @param isSearched whether the page's search hides the section when nothing in it matches */
function sectionElement({ id, title, body }: Section, isSearched: boolean): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"${isSearched ? html` data-searched` : null}>
    <h2 id="${id}-title">${title}</h2>
${body}
</section>
`;
}
