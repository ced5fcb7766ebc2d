import type { Report } from "../../contract/report.js";
import { html, outsideLink, paragraph } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import type { Section } from "../kit/section.js";
import { NO_VALUE, numberOf, orNone, titleOf, visible } from "../kit/words.js";
import { bar } from "./figures.js";
import { capText, pointsOf, scoreParts, scoreText } from "./report-texts.js";

/** How the score is made up. Without a score, the scan's summary and robots.txt verdict; null if both are missing. */
export function scoreSection(report: Report, context: PageContext): Section | null {
  const { scan } = report;
  if (scan.score === null) return summarySection(report);
  const rows = scoreParts(report, context).map(
    ({ label, points, of }) =>
      html`<tr><th scope="row">${label}</th><td class="number">${orNone(points, numberOf)}</td><td class="number">${orNone(of, numberOf)}</td><td class="bars">${bar(points, of, "bar-block")}</td></tr>`,
  );
  const cap = capText(scan);
  const robots =
    scan.robotsVerdict === null
      ? null
      : html`<p>Verdict on robots.txt: <strong>${titleOf(scan.robotsVerdict)}</strong>.</p>`;
  const body = html`${paragraph(scan.summary, "summary")}
<div class="scroll" role="region" aria-label="Table: What the score is made of" tabindex="0"><table class="parts"><caption class="quiet">Points of each part</caption><thead><tr><th scope="col">Part</th><th scope="col" class="number">Points</th><th scope="col" class="number">Out of</th><td></td></tr></thead><tbody>${rows}</tbody><tfoot><tr><th scope="row">Score</th><td class="number">${scan.score}</td><td class="number">100</td><td></td></tr></tfoot></table></div>
${cap === null ? null : html`<p class="notice"><strong>Capped.</strong> ${cap}</p>`}
${robots}`;
  return { id: "score", title: `Score: ${scoreText(scan.score)}`, body };
}

/** The summary and robots.txt verdict of a scan without a score; null if both are missing. */
function summarySection({ scan }: Report): Section | null {
  const summary = visible(scan.summary);
  if (summary === null && scan.robotsVerdict === null) return null;
  const body = html`<p class="summary" dir="auto">${summary ?? NO_VALUE}</p>${
    scan.robotsVerdict === null
      ? null
      : html`<p>Verdict on robots.txt: <strong>${titleOf(scan.robotsVerdict)}</strong>.</p>`
  }`;
  return { id: "score", title: "No score", body };
}

/** Notes on a host that renders its pages only for crawlers; null for any other host. */
export function prerenderSection({ prerender }: Report): Section | null {
  if (prerender === null) return null;
  const sources = prerender.sources.map(
    ({ label, url }) => html`<li>${outsideLink(url, label)}</li>`,
  );
  const body = html`${prerender.paragraphs.map((text) => paragraph(text))}
<p>Platform: ${titleOf(prerender.platform)}. Markdown on request: ${prerender.markdownOnRequest ? "yes" : "no"}.</p>
${sources.length === 0 ? null : html`<ul>${sources}</ul>`}`;
  return { id: "prerender", title: visible(prerender.title) ?? "Rendering for crawlers", body };
}

/** The points that a fix earns, and the resulting score if known. */
export function gainText(recoverablePoints: number, scoreAfter: number | null): string {
  const gain = `+${pointsOf(recoverablePoints)}`;
  return scoreAfter === null ? gain : `${gain}, to ${scoreAfter} of 100`;
}
