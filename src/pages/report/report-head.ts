import { SCRIPTS, STYLES } from "#scripts/names";
import type { Report } from "../../contract/report.js";
import { oneLine } from "../kit/escape.js";
import { type PageHead, pageHead, socialImage } from "../kit/frame.js";
import { type Html, html } from "../kit/html.js";
import { absoluteLink, hasAnswer, rootedLinks, rootPathOf, treeMarks } from "../kit/links.js";
import { homeText, type LinkedContext, languageOf, type PageContext } from "../kit/page-context.js";
import { categoryAddress, FEED_TYPES } from "../kit/page-names.js";
import { contactData, licenseData } from "../kit/publisher-links.js";
import { cutText, DESCRIPTION_MAX, hostText, visible } from "../kit/words.js";
import {
  descriptionOf,
  headline,
  isPending,
  isShared,
  queryOf,
  starterFilesOf,
} from "./report-texts.js";
import { followingOf, NO_SURROUNDINGS, type Surroundings } from "./surroundings.js";

/** The content of a report page's `head` element. */
export function reportHead(report: Report, context: LinkedContext, around: Surroundings): Html {
  return pageHead(headOf(report, context, around), context);
}

function headOf(report: Report, context: LinkedContext, around: Surroundings): PageHead {
  const { site, seo, enrichment } = report;
  const { to } = context;
  const title = oneLine(headline(report));
  const description = cutText(oneLine(descriptionOf(report, context)), DESCRIPTION_MAX);
  const hasScript =
    isShared(report) || report.fixes.data.length > 0 || starterFilesOf(report) !== null;
  const isWatched = enrichment !== null && isPending(enrichment);
  return {
    title: `${title} · ${oneLine(context.name)}`,
    name: title,
    description,
    isIndexed: seo.indexable,
    canonical: absoluteLink(`sites/${site.host}`, context),
    alternates: alternatesOf(report, context, around),
    // The picture shows the latest scan.
    image: report.scan.historical ? null : socialImage(report, context),
    siteName: oneLine(context.name),
    to,
    styles: [STYLES.pages, STYLES.report],
    // The first script includes the second.
    script: isWatched ? SCRIPTS.watch : hasScript ? SCRIPTS.report : SCRIPTS.quote,
    linkedData: linkedData(report, context, around, description),
  };
}

/** Links to the report as Markdown and as JSON, and to the feeds of its site. */
function alternatesOf(report: Report, context: LinkedContext, around: Surroundings): Html {
  const { to } = context;
  const { host } = report.site;
  const markdown = to(`sites/${host}/report.md${queryOf(report)}`);
  const json = `api/sites/${host}/report${queryOf(report)}`;
  const jsonLink = hasAnswer(json, context)
    ? html`<link rel="alternate" type="application/json" href="${to(json)}" title="This report as JSON">\n`
    : null;
  const following = followingOf(report, context, around);
  const feeds = (["xml", "json"] as const).map((form) => {
    const title = `Changes of ${hostText(host)}`;
    const address = following?.feed(host, form);
    return address === undefined
      ? null
      : html`<link rel="alternate" type="${FEED_TYPES[form]}" href="${to(address)}" title="${title}">\n`;
  });
  return html`<link rel="alternate" type="text/markdown" href="${markdown}" title="This report in Markdown">
${jsonLink}${feeds}`;
}

/** The `head` of the page that stands for a report where only a script can show it. */
function linkPreviewHead(report: Report, context: LinkedContext): Html {
  const head = headOf(report, context, NO_SURROUNDINGS);
  const preview = {
    ...head,
    alternates: null,
    image: head.image ?? context.socialImage?.(null, context) ?? null,
    styles: [STYLES.pages],
    script: SCRIPTS.register,
    linkedData: null,
  };
  return pageHead(preview, context);
}

/**
 * The page at a report's address in a packed tree, where a worker in the browser makes the report. Programs that show
 * previews of links read its head, readers without JavaScript its two sentences. Its script starts the worker, then
 * opens the report (`browser/register.ts`).
 */
export function linkPreviewPage(report: Report, unlinked: PageContext): string {
  const { host } = report.site;
  // Some servers send the page of a folder at the folder's address without a slash.
  const to = rootedLinks(rootPathOf(unlinked), unlinked);
  const context = { ...unlinked, to };
  return html`<!doctype html>
<html lang="${languageOf(unlinked)}" data-lost data-report="${to(`sites/${host}`)}"${treeMarks(unlinked)}>
<head>
${linkPreviewHead(report, context)}
</head>
<body>
<main><div class="hero"><div class="wide hero-text">
<p class="eyebrow"><a href="${to("")}">${homeText(unlinked)}</a></p>
<h1>${headline(report)}</h1>
<p class="lead">${descriptionOf(report, context)}</p>
<p class="needs-script" data-opens>Opening the whole report…</p>
<p data-no-worker hidden>This browser cannot show the whole report here.</p>
<noscript><p>The whole report needs JavaScript here.</p></noscript>
</div></div></main>
</body>
</html>
`.markup;
}

/** The report as schema.org linked data: a page about a website, with a review if there is a score. */
function linkedData(
  report: Report,
  context: PageContext,
  around: Surroundings,
  description: string,
): object {
  const { site, scan } = report;
  const about = {
    "@type": "WebSite",
    url: site.url,
    name: oneLine(visible(site.name) ?? site.host),
  };
  const publisher = {
    "@type": "Organization",
    name: oneLine(context.name),
    url: context.siteUrl,
    ...contactData(context),
  };
  // A historical report has its own address, although both it and the latest name the latest as canonical.
  const query = queryOf(report);
  const url = absoluteLink(`sites/${site.host}${query}`, context);
  return {
    "@context": "https://schema.org",
    "@type": "WebPage",
    "@id": url,
    url,
    name: oneLine(headline(report)),
    description,
    dateModified: scan.finishedAt,
    inLanguage: languageOf(context),
    isPartOf: { "@type": "WebSite", url: context.siteUrl, name: oneLine(context.name) },
    publisher,
    ...licenseData(context),
    about,
    breadcrumb: breadcrumb(report, context, around),
    encoding: {
      "@type": "MediaObject",
      contentUrl: absoluteLink(`sites/${site.host}/report.md${query}`, context),
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

/** The path from the directory to the report, as the page shows it. */
function breadcrumb({ site }: Report, context: PageContext, around: Surroundings): object {
  const category = around.listing?.category ?? null;
  const steps = [
    { name: homeText(context), item: absoluteLink("", context) },
    ...(category === null
      ? []
      : [
          {
            name: visible(category.name) ?? category.slug,
            item: absoluteLink(categoryAddress(category.slug), context),
          },
        ]),
    { name: site.host, item: absoluteLink(`sites/${site.host}`, context) },
  ];
  return {
    "@type": "BreadcrumbList",
    itemListElement: steps.map((step, index) => ({
      "@type": "ListItem",
      position: index + 1,
      ...step,
    })),
  };
}
