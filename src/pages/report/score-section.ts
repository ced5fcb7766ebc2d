import type { Report } from "../../contract/report.js";
import { type Html, html, outsideLink, paragraph } from "../kit/html.js";
import type { PageContext, Section } from "../kit/page-context.js";
import { numberOf, orNone, titleOf, visible } from "../kit/words.js";
import { capText, pointsOf, type ScorePart, scoreParts } from "./report-texts.js";
import { percentOf } from "./surroundings.js";

/** A stretch of the bar of 100 points. */
interface Stretch {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

/** How the score is made up, as one bar of 100 points and a table; null without a score. */
export function scoreSection(report: Report, context: PageContext): Section | null {
  const { scan } = report;
  if (scan.score === null) return null;
  const parts = scoreParts(report, context);
  const rows = parts.map(
    ({ kind, label, points, of }) =>
      html`<tr><th scope="row"><span class="key part-${kind}"></span>${label}</th><td class="number">${orNone(points, numberOf)}</td><td class="number">${orNone(of, numberOf)}</td></tr>`,
  );
  const cap = capText(scan);
  const body = html`${pointsBar(report, parts)}
<div class="scroll" role="region" aria-label="Table: What the score is made of" tabindex="0"><table class="parts"><caption class="hidden">Points of each part</caption><thead><tr><th scope="col">Part</th><th scope="col" class="number">Points</th><th scope="col" class="number">Out of</th></tr></thead><tbody>${rows}</tbody><tfoot><tr><th scope="row">Score</th><td class="number">${scan.score}</td><td class="number">100</td></tr></tfoot></table></div>
${cap === null ? null : html`<p class="notice"><strong>Capped.</strong> ${cap}</p>`}`;
  return { id: "score", title: "What the score is made of", body };
}

/** All 100 points as one bar, with the points that are not in the table below as text; null if the parts are unknown. */
function pointsBar({ scan }: Report, parts: readonly ScorePart[]): Html | null {
  const { score, block1, block2 } = scan;
  if (score === null || block1 === null || block2 === null) return null;
  const first = Math.min(score, clampedPoints(block1));
  const earned = clampedPoints(block1 + block2);
  const taken = parts.find(({ kind }) => kind === "penalties")?.points ?? 0;
  const afterPenalties = clampedPoints(earned + taken);
  const last = scan.cappedAt === null ? afterPenalties : Math.min(score, afterPenalties);
  const stretches: Stretch[] = [
    { kind: "block1", from: 0, to: Math.min(first, last) },
    { kind: "block2", from: Math.min(first, last), to: last },
    { kind: "cap", from: last, to: afterPenalties },
    { kind: "penalties", from: afterPenalties, to: earned },
    { kind: "lost", from: earned, to: 100 },
  ];
  const drawn = stretches.filter(({ from, to }) => to > from);
  const words = drawn.flatMap(({ kind, from, to }) => {
    const word = UNTABLED.get(kind);
    return word === undefined
      ? []
      : html`<li><span class="key part-${kind}"></span>${word}: ${pointsOf(to - from)}</li>`;
  });
  return html`<svg class="points-bar" width="100%" height="28" aria-hidden="true">${drawn.map(
    ({ kind, from, to }) =>
      html`<rect class="part-${kind}" x="${percentOf(from / 100)}" width="${percentOf((to - from) / 100)}" height="28"/>`,
  )}</svg>
${words.length === 0 ? null : html`<ul class="keys">${words}</ul>`}`;
}

const UNTABLED: ReadonlyMap<string, string> = new Map([
  ["lost", "Not earned"],
  ["cap", "Held back by the cap"],
]);

function clampedPoints(points: number): number {
  return Math.min(100, Math.max(0, points));
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
