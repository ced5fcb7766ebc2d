import { STYLES } from "#scripts/names";
import { countPassing, countSubject } from "../../contract/figures.js";
import type { NamedSite } from "../../contract/listing.js";
import type { CheckDescription, Standards } from "../../contract/standards.js";
import { oneLine } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { type Html, html } from "../kit/html.js";
import { absoluteLink, linkedFrom } from "../kit/links.js";
import { titledList } from "../kit/lists.js";
import type { LinkedContext, PageContext } from "../kit/page-context.js";
import { checkAddress } from "../kit/page-names.js";
import { checkFact, quoteView } from "../kit/quote.js";
import { siteLink } from "../kit/site-row.js";
import { counted, hostText, partNameOf, visible } from "../kit/words.js";
import { type Adoption, adoptionByCategory, checkAdoption } from "./adoption.js";
import { CHECK_EXAMPLES } from "./examples.js";
import {
  checkFacts,
  checkNames,
  checkSources,
  checkTexts,
  pointsText,
  relatedChecks,
} from "./standards-sections.js";

/** What the page of a check shows besides the methodology. */
export interface CheckData {
  readonly check: CheckDescription;
  readonly adoption: Adoption;
  /** The sites with the highest scores: those that pass, and those that do not, although the check applies to them. */
  readonly passing: readonly NamedSite[];
  readonly failing: readonly NamedSite[];
}

/** The page of a check: what it looks for, how that is judged, an example of each result, and the sites that pass. */
export function checkPage(standards: Standards, data: CheckData, unlinked: PageContext): string {
  const { check } = data;
  const names = checkNames(standards);
  const name = names.get(check.id) ?? check.id;
  const directory = oneLine(unlinked.name);
  const address = checkAddress(check.id);
  const context = linkedFrom(address, unlinked);
  const { to } = context;
  const description = oneLine(
    `${check.overview} How ${directory} checks it, an example that passes and one that fails, and ` +
      "the sites that pass.",
  );
  const examples = examplesOf(check.id);
  const body = html`<main id="check" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow"><a href="${to("standards")}">Methodology</a> · ${partNameOf(check)}</p>
<h1 class="clamped" dir="auto">${name}</h1>
${check.overview === "" ? null : html`<p class="lead" dir="auto">${check.overview}</p>`}
<p class="outcome">${pointsText(check)}</p>
</div></div>
<div class="wide check-page">
<section aria-labelledby="how"><h2 id="how">How it is checked</h2>
${checkTexts(check)}
${checkSources(check)}</section>
${examples}
${sitesSection(data, name, context)}
${categoriesSection(data, context)}
<section aria-labelledby="more"><h2 id="more">About this check</h2>
${relatedChecks(check, names, (id) => to(checkAddress(id)))}
${checkFacts(check)}</section>
</div>
</main>`;
  return framed(
    {
      title: `${oneLine(name)}: how it is checked · ${directory}`,
      description,
      address,
      style: STYLES.standards,
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

function examplesOf(id: string): Html | null {
  const example = Object.hasOwn(CHECK_EXAMPLES, id) ? CHECK_EXAMPLES[id] : undefined;
  if (example === undefined) return null;
  return html`<section aria-labelledby="examples"><h2 id="examples">Examples</h2>
<div class="pair">
  <div><h3><span class="status status-pass">Passes</span></h3><pre tabindex="0">${example.passes}</pre></div>
<div><h3><span class="status status-fail">Fails</span></h3><pre tabindex="0">${example.fails}</pre></div>
  </div></section>`;
}

/** Which sites pass and which do not; null if the directory does not count the check. */
function sitesSection(
  { check, adoption, passing, failing }: CheckData,
  name: string,
  context: LinkedContext,
): Html | null {
  const shares = checkAdoption(check, name, adoption, context.to);
  if (shares === null && passing.length + failing.length === 0) return null;
  const { all, lastScannedAt } = adoption.figures;
  const fact =
    shares === null ? null : checkFact(all, { id: check.id, name }, oneLine(context.name));
  const source = {
    address: checkAddress(check.id),
    kind: "checks",
    slug: null,
    lastScannedAt,
  } as const;
  const passed = countPassing(all, check.id);
  const failed = countSubject(all, check.id) - passed;
  const list = (title: string, count: number, sites: readonly NamedSite[]) => {
    const which = count > sites.length ? "; these have the highest scores" : "";
    const lines = sites.map((site) => siteLine(site, context));
    return sites.length === 0
      ? null
      : titledList(title, `${counted(count, "site")}${which}`, lines);
  };
  return html`<section aria-labelledby="sites"><h2 id="sites">Which sites pass</h2>
${shares}${quoteView(fact, source, context)}
<div class="pair">${list("Pass", passed, passing)}${list("Do not pass", failed, failing)}</div></section>`;
}

/** How many sites of each category pass; null if the directory does not count them. */
function categoriesSection({ check, adoption }: CheckData, { to }: LinkedContext): Html | null {
  const lines = adoptionByCategory(check, adoption, to);
  return (
    lines &&
    html`<section aria-labelledby="by-category"><h2 id="by-category">By category</h2>
${lines}</section>`
  );
}

function siteLine(site: NamedSite, context: LinkedContext): Html {
  const address = html` <span class="address">${hostText(site.host)}</span>`;
  return html`${siteLink(site, context)}${visible(site.name) === null ? null : address}`;
}
