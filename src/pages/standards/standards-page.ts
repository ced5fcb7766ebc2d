import { SCRIPTS } from "#scripts/names";
import type { Standards } from "../../contract/standards.js";
import { STANDARDS_STYLE } from "../kit/assets.js";
import { oneLine } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { checksSections, crawlersSection, scoringSection } from "./standards-sections.js";

/** The methodology as a page for people (contract section 4, GET /api/standards). Checks have anchors, `check-<id>`. */
export function standardsPage(standards: Standards, context: PageContext): string {
  const name = oneLine(context.name);
  const { rubric, checks, crawlerCatalogue } = standards;
  const scoring = scoringSection(standards);
  const searched = [...checksSections(standards), crawlersSection(standards)].filter(
    (section) => section !== null,
  );
  const url = `${context.siteUrl}/standards`;
  const description = `How ${name} scores how readable and accessible websites are to AI crawlers: bands, ${checks.length} checks with their points and how each is judged, and ${crawlerCatalogue.length} crawlers.`;
  const body = html`<main id="methodology" tabindex="-1">
<div class="hero"><div class="wide">
<p class="eyebrow">Methodology, version ${rubric.version}</p>
<h1>How sites are scored</h1>
</div></div>
<div class="wide columns">
<nav class="contents" aria-label="On this page"><ul>${[scoring, ...searched].map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>
<div class="sections">
<section id="${scoring.id}" aria-labelledby="${scoring.id}-title"><h2 id="${scoring.id}-title">${scoring.title}</h2>
${scoring.body}
</section>
<div class="words needs-script" role="search"><label for="words">Search checks and crawlers</label><input id="words" type="search" autocomplete="off" spellcheck="false"><p id="told" class="quiet" role="status"></p></div>
${searched.map(
  ({ id, title, body: inside }) =>
    html`<section id="${id}" aria-labelledby="${id}-title" data-searched><h2 id="${id}-title">${title}</h2>
${inside}
</section>
`,
)}</div>
</div>
</main>`;
  return framed(
    {
      title: `How sites are scored · ${name}`,
      description,
      place: "standards",
      isIndexed: true,
      style: STANDARDS_STYLE,
      script: SCRIPTS.standards,
      json: "api/standards",
      main: "methodology",
      linkedData: {
        "@context": "https://schema.org",
        "@type": "TechArticle",
        "@id": url,
        url,
        name: "How sites are scored",
        description,
        version: rubric.version,
        inLanguage: "en",
        isPartOf: { "@type": "WebSite", url: context.siteUrl, name },
      },
      body,
    },
    context,
  );
}
