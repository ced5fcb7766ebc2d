import type { Report } from "../../contract/report.js";
import { html } from "../kit/html.js";
import { rootedLinks, rootPathOf, treeMarks } from "../kit/links.js";
import { homeText, type PageContext } from "../kit/page-context.js";
import { linkPreviewHead } from "./report-head.js";
import { descriptionOf, headline } from "./report-texts.js";

/**
 * The page at a report's address in a packed tree, where a worker in the browser makes the report. Programs that show
 * previews of links read its head, readers without JavaScript its two sentences. Its script starts the worker, then
 * opens the report (`browser/register.ts`).
 */
export function linkPreviewPage(report: Report, place: PageContext): string {
  const { host } = report.site;
  // Some servers send the page of a folder at the folder's address without a slash.
  const to = rootedLinks(rootPathOf(place), place);
  const context = { ...place, to };
  return html`<!doctype html>
<html lang="en" data-lost data-report="${to(`sites/${host}`)}"${treeMarks(place)}>
<head>
${linkPreviewHead(report, context)}
</head>
<body>
<main><div class="hero"><div class="wide hero-text">
<p class="eyebrow"><a href="${to("")}">${homeText(place)}</a></p>
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
