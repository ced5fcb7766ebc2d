import { SCRIPTS, STYLES } from "#scripts/names";
import { countPassing, countSubject } from "../../contract/figures.js";
import type { SiteSummary } from "../../contract/listing.js";
import type { CheckDescription, Standards } from "../../contract/standards.js";
import { oneLine } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { type Html, html } from "../kit/html.js";
import { absoluteLink, type LinkTo, linkedFrom } from "../kit/links.js";
import type { LinkedContext, PageContext } from "../kit/page-context.js";
import { checkAddress } from "../kit/page-names.js";
import { checkFact, quoteView } from "../kit/quote.js";
import {
  counted,
  hostText,
  levelOf,
  NO_VALUE,
  PART_NAMES,
  titleOf,
  visible,
} from "../kit/words.js";
import { type Adoption, checkAdoption } from "./adoption.js";
import { CHECK_EXAMPLES } from "./examples.js";
import {
  checkFacts,
  checkNames,
  checkSources,
  checkTexts,
  pointsText,
} from "./standards-sections.js";

/** A site on a check's page. */
export type CheckSite = Pick<
  SiteSummary,
  "host" | "name" | "latestScore" | "latestBand" | "latestScoreVersion"
>;

/** What the page of a check shows besides the methodology. */
export interface CheckShown {
  readonly check: CheckDescription;
  readonly adoption: Adoption;
  /** The sites with the highest scores: those that pass, and those that do not, although the check applies to them. */
  readonly passing: readonly CheckSite[];
  readonly failing: readonly CheckSite[];
}

/** The page of a check: what it looks for, how that is judged, an example of each result, and the sites that pass. */
export function checkPage(standards: Standards, shown: CheckShown, place: PageContext): string {
  const { check } = shown;
  const names = checkNames(standards);
  const name = names.get(check.id) ?? check.id;
  const directory = oneLine(place.name);
  const address = checkAddress(check.id);
  const context = linkedFrom(address, place);
  const { to } = context;
  const description = oneLine(
    `${check.overview} How ${directory} checks it, an example that passes and one that fails, and the sites that pass.`,
  );
  const examples = examplesOf(check.id);
  const body = html`<main id="check" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow"><a href="${to("standards")}">Methodology</a> · ${partName(check)}</p>
<h1 dir="auto">${name}</h1>
${check.overview === "" ? null : html`<p class="lead" dir="auto">${check.overview}</p>`}
<p class="outcome">${pointsText(check)}</p>
</div></div>
<div class="wide check-page">
<section aria-labelledby="how"><h2 id="how">How it is checked</h2>
${checkTexts(check)}
${checkSources(check)}</section>
${examples}
${sitesSection(shown, name, context)}
<section aria-labelledby="more"><h2 id="more">About this check</h2>
${relatedTo(check, names, to)}
${checkFacts(check)}</section>
</div>
</main>`;
  return framed(
    {
      title: `${oneLine(name)}: how it is checked · ${directory}`,
      description,
      address,
      style: STYLES.standards,
      script: SCRIPTS.quote,
      json: "api/standards",
      main: "check",
      linkedData: {
        "@type": "TechArticle",
        name: oneLine(name),
        version: String(check.version),
        isPartOf: { "@type": "TechArticle", url: absoluteLink("standards", context) },
      },
      body,
    },
    context,
  );
}

function partName({ kind, block }: CheckDescription): string {
  if (kind === "penalty") return PART_NAMES.penalties;
  if (kind === "capability") return PART_NAMES.capabilities;
  return { 1: PART_NAMES.block1, 2: PART_NAMES.block2 }[block ?? 0] ?? PART_NAMES.noBlock;
}

function examplesOf(id: string): Html | null {
  const example = Object.hasOwn(CHECK_EXAMPLES, id) ? CHECK_EXAMPLES[id] : undefined;
  if (example === undefined) return null;
  return html`<section aria-labelledby="examples"><h2 id="examples">Examples</h2>
<div class="pair"><div><h3><span class="status status-pass">Passes</span></h3>
  <pre tabindex="0">${example.passes}</pre></div>
<div><h3><span class="status status-fail">Fails</span></h3><pre tabindex="0">${example.fails}</pre></div></div>
  </section>`;
}

/** Which sites pass and which do not; null if the directory does not count the check. */
function sitesSection(
  { check, adoption, passing, failing }: CheckShown,
  name: string,
  context: LinkedContext,
): Html | null {
  const shares = checkAdoption(check, name, adoption, context.to);
  if (shares === null && passing.length + failing.length === 0) return null;
  const { all, lastScannedAt } = adoption.figures;
  const fact =
    shares === null ? null : checkFact(all, { id: check.id, name }, oneLine(context.name));
  const place = {
    address: checkAddress(check.id),
    kind: "checks",
    slug: null,
    lastScannedAt,
  } as const;
  const passed = countPassing(all, check.id);
  const failed = countSubject(all, check.id) - passed;
  const list = (title: string, count: number, sites: readonly CheckSite[]) =>
    sites.length === 0
      ? null
      : html`<div><h3>${title}</h3>
<p class="quiet">${counted(count, "site")}${count > sites.length ? `; these have the highest scores` : ""}.</p>
<ol class="named">${sites.map((site) => siteLine(site, context))}</ol></div>`;
  return html`<section aria-labelledby="sites"><h2 id="sites">Which sites pass</h2>
${shares}${quoteView(fact, place, context)}
<div class="pair">${list("Pass", passed, passing)}${list("Do not pass", failed, failing)}</div></section>`;
}

function siteLine(site: CheckSite, context: LinkedContext): Html {
  const { host, latestScore, latestBand, latestScoreVersion } = site;
  const level = levelOf({ band: latestBand, scoreVersion: latestScoreVersion }, context);
  const name = visible(site.name);
  return html`<li><span class="score-tag level-${level}">
    <span class="hidden">Score </span>${latestScore ?? NO_VALUE}</span> <a href="${context.to(`sites/${host}`)}">
    <bdi>${name ?? hostText(host)}</bdi></a>${
      name === null
        ? null
        : html` <span class="address">${hostText(host)}
    </span>`
    }</li>`;
}

function relatedTo(
  { related }: CheckDescription,
  names: ReadonlyMap<string, string>,
  to: LinkTo,
): Html | null {
  const known = related.filter((id) => names.has(id));
  if (known.length === 0) return null;
  return html`<p>See also: ${known.map(
    (id, index) => html`${index === 0 ? "" : ", "}
    <a href="${to(checkAddress(id))}">${names.get(id) ?? titleOf(id)}</a>`,
  )}.</p>`;
}
