import type { Report } from "../contract/report.js";
import { ICON, STYLE } from "./assets.js";
import { oneLine, scriptJson } from "./escape.js";
import { Html, html } from "./html.js";
import { descriptionOf, headline, isPending, type PageContext } from "./reading.js";

/** Characters of a description that search results show, about. */
const DESCRIPTION_MAX = 300;

/** What stands in a report page's head. */
export function reportHead(report: Report, context: PageContext): Html {
  const { site, links, seo, enrichment } = report;
  const title = oneLine(headline(report));
  const description = cut(oneLine(descriptionOf(report, context)));
  const indexing = seo.indexable ? null : html`<meta name="robots" content="noindex">\n`;
  const query = report.scan.historical ? `?scan=${report.scan.id}` : "";
  const twin = `../api/sites/${site.host}/report${query}`;
  const { copy, watch } = context.modules.names;
  const scripts = [
    report.fixes.data.length > 0 ? modulesHtml(copy) : null,
    enrichment !== null && isPending(enrichment) ? modulesHtml(watch) : null,
  ];
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${oneLine(context.name)}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
${indexing}<link rel="canonical" href="${links.canonical}">
<link rel="alternate" type="text/markdown" href="${site.host}/report.md${query}" title="This report in Markdown">
<link rel="alternate" type="application/json" href="${twin}" title="This report as JSON">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${oneLine(context.name)}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${links.canonical}">
<meta name="twitter:card" content="summary">
<link rel="icon" type="image/svg+xml" href="../assets/${ICON.name}">
<link rel="stylesheet" href="../assets/${STYLE.name}">
${scripts}<script type="application/ld+json">${new Html(scriptJson(linkedData(report, context, description)))}</script>`;
}

/** A module, and what it imports, which is to come at the same time. */
function modulesHtml([entry = "", ...others]: readonly string[]): Html {
  return html`<script type="module" src="../assets/${entry}"></script>
${others.map((name) => html`<link rel="modulepreload" href="../assets/${name}">\n`)}`;
}

/** The report by schema.org: a page about a website, which reviews it where it has a score. */
function linkedData(report: Report, context: PageContext, description: string): object {
  const { site, scan, links } = report;
  const about = { "@type": "WebSite", url: site.url, name: oneLine(site.name ?? site.host) };
  const publisher = { "@type": "Organization", name: oneLine(context.name), url: context.siteUrl };
  return {
    "@context": "https://schema.org",
    "@type": "WebPage",
    "@id": links.canonical,
    url: links.canonical,
    name: oneLine(headline(report)),
    description,
    dateModified: scan.finishedAt,
    inLanguage: "en",
    isPartOf: { "@type": "WebSite", url: context.siteUrl, name: oneLine(context.name) },
    publisher,
    about,
    encoding: {
      "@type": "MediaObject",
      contentUrl: links.markdown,
      encodingFormat: "text/markdown",
    },
    ...(scan.score !== null && {
      mainEntity: {
        "@type": "Review",
        itemReviewed: about,
        author: publisher,
        datePublished: scan.finishedAt,
        reviewAspect: "Readiness for AI crawlers",
        reviewRating: {
          "@type": "Rating",
          ratingValue: scan.score,
          worstRating: 0,
          bestRating: 100,
        },
      },
    }),
  };
}

function cut(text: string): string {
  if (text.length <= DESCRIPTION_MAX) return text;
  return `${text
    .slice(0, DESCRIPTION_MAX - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, "")
    .trimEnd()}…`;
}
