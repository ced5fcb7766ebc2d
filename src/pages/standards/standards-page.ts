import { SCRIPTS, STYLES } from "#scripts/names";
import type { Check, Report } from "../../contract/report.js";
import type { Standards } from "../../contract/standards.js";
import { oneLine } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { flag, type Html, html } from "../kit/html.js";
import { type LinkTo, linkedFrom } from "../kit/links.js";
import { contentsList, numberHead, scrollingTable } from "../kit/lists.js";
import type { LinkedContext, PageContext, Section } from "../kit/page-context.js";
import { checkAddress } from "../kit/page-names.js";
import { checksFact, quoteView } from "../kit/quote.js";
import { CORE_ROUTES } from "../kit/routes.js";
import { dayOf, numberOf, PART_NAMES, visible } from "../kit/words.js";
import { type Adoption, adoptionSection } from "./adoption.js";
import {
  checkNames,
  checksSections,
  crawlersSection,
  scoringSection,
} from "./standards-sections.js";

/**
 * The methodology as a page for people (docs/contract.md#16-standards). Checks have anchors, `check-<id>`.
 * @param adoption null if the directory's figures are not known
 * @param example a report that the page works through to its score; null if there is none
 */
export function standardsPage(
  standards: Standards,
  unlinked: PageContext,
  adoption: Adoption | null,
  example: Report | null = null,
): string {
  const context = linkedFrom("standards", unlinked);
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
    ...checksSections(standards, names, adoption, context),
    crawlersSection(standards),
  ].filter((section) => section !== null);
  return html`<main id="methodology" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow">Methodology, version ${rubric.version}</p>
<h1>How sites are scored</h1>
<p class="lead">A site’s score runs from 0 to 100. It says how readable and accessible the site is to AI crawlers, 
  measured by the checks below. A listing may be highlighted by its plan: that changes neither its score nor its 
  place in a list.</p>
${furtherPages(context)}
</div></div>
<div class="wide columns">
${contentsList([...first, ...searched])}
<div class="sections">
${first.map((section) => sectionElement(section, false))}
  <div class="words needs-script" role="search" aria-label="Checks and crawlers">
    <label for="words">Search checks and crawlers</label>
    <input id="words" type="search" autocomplete="off" spellcheck="false">
    <p id="told" class="quiet" role="status"></p></div>
${searched.map((section) => sectionElement(section, true))}</div>
</div>
</main>`;
}

/** Links to the pages about the methodology that extras add. */
function furtherPages({ to, pages = CORE_ROUTES }: LinkedContext): Html[] {
  return pages.flatMap(({ path, ofStandards }) =>
    ofStandards === undefined ? [] : html`<p><a href="${to(path.slice(1))}">${ofStandards}</a></p>`,
  );
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
  const source = { address: "standards", kind: "checks", slug: null, lastScannedAt } as const;
  return quoteView(fact, source, context);
}

/** @param isSearched whether the page's search hides the section when nothing in it matches */
function sectionElement({ id, title, body }: Section, isSearched: boolean): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"${flag("data-searched", isSearched)}>
    <h2 id="${id}-title">${title}</h2>
${body}
</section>
`;
}

const RESULTS = { pass: "Passed", warn: "Passed in part", fail: "Failed", na: "Does not apply" };

/** One report, check by check, up to its score; null if it lacks any number that the sum needs. */
function workedExample(report: Report, standards: Standards, to: LinkTo): Section | null {
  const { site, scan, checks } = report;
  const { score, block1, block2, cappedAt } = scan;
  if (score === null || block1 === null || block2 === null || checks.length === 0) return null;
  if (scan.scoreVersion !== standards.rubric.version) return null;
  const taken = Math.abs(scan.penalties ?? 0);
  const sum = block1 + block2 - taken;
  const known = new Set(standards.checks.map(({ id }) => id));
  const rowsOf = (belongs: (check: Check) => boolean) =>
    checks.filter(belongs).map(({ checkId, label, status, points, maxPoints, kind }) => {
      const name = visible(label) ?? checkId;
      const own = known.has(checkId)
        ? html`<a href="${to(checkAddress(checkId))}">${name}</a>`
        : name;
      const number = kind === "penalty" ? -Math.abs(points) : points;
      return html`<tr>
        <td dir="auto">${own}</td>
        <td>${RESULTS[status]}</td>
        <td class="number">${numberOf(number)}</td>
        <td class="number">${kind === "penalty" ? null : numberOf(maxPoints)}</td>
        </tr>`;
    });
  const group = (title: string, points: number, most: number | null, rows: readonly Html[]) =>
    html`<tbody>${rows}
      <tr class="sum">
        <th scope="row" colspan="2">${title}</th>
        <td class="number">${numberOf(points)}</td>
        <td class="number">${most === null ? null : numberOf(most)}</td></tr></tbody>`;
  const inBlock = (block: number) => (check: Check) =>
    check.kind === "achievement" && check.block === block && check.maxPoints > 0;
  const isTaking = ({ kind, status }: Check) => kind === "penalty" && status === "fail";
  const { block1Points, block2Points } = standards.rubric;
  const steps =
    `${numberOf(block1)} + ${numberOf(block2)}${taken === 0 ? "" : ` − ${numberOf(taken)}`} = ` +
    `${numberOf(sum)} points`;
  const capped =
    cappedAt === null
      ? ""
      : `, but the homepage is an empty shell, so the score ends at ${cappedAt}`;
  const rounded = cappedAt !== null || sum === score ? "" : ", a whole number from 0 to 100";
  const table = scrollingTable(
    {
      name: "A report worked through",
      caption: `The checks of ${site.host} and their points`,
      className: "worked",
      columns: ["Check", "Result", numberHead("Points"), numberHead("Out of")],
    },
    html`
${group(PART_NAMES.block1, block1, block1Points, rowsOf(inBlock(1)))}
${group(PART_NAMES.block2, block2, block2Points, rowsOf(inBlock(2)))}
${group(PART_NAMES.penalties, -taken, null, rowsOf(isTaking))}
<tfoot><tr>
  <th scope="row" colspan="2">Score${cappedAt === null ? "" : `, capped at ${cappedAt}`}</th>
  <td class="number">${numberOf(score)}</td><td class="number">100</td></tr></tfoot>`,
  );
  const body = html`<p class="measure">This is how 
  <a href="${to(`sites/${site.host}`)}">the report of ${site.host}</a> of ${dayOf(scan.finishedAt)} comes to its score: 
  ${steps}${capped}. The score is ${numberOf(score)}${rounded}.</p>
${table}`;
  return { id: "example", title: "A report worked through", body };
}
