import { canonicalHostOf } from "../../contract/host.js";
import type { Report } from "../../contract/report.js";
import { categoryAddress } from "../kit/category-name.js";
import { type Html, html, outsideLink } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { dayOf, visible } from "../kit/words.js";
import { noticesOf, standingOf } from "./report-texts.js";
import { scoreWords } from "./score-card.js";
import type { Surroundings } from "./surroundings.js";

/** What a reader must know first, each with links that lead on. */
export function noticesHtml(report: Report, context: PageContext, around: Surroundings): Html[] {
  return noticesOf(report).map(
    ({ kind, title, text }) =>
      html`<div class="notice"><p><strong>${title}</strong> ${text}</p>${
        kind === "historical"
          ? latestLink(report, context, around)
          : html`<p>${waysOn(report, around)}</p>`
      }</div>`,
  );
}

/** The latest report, with its score and this one's. */
function latestLink({ site, scan }: Report, context: PageContext, { listing }: Surroundings): Html {
  if (listing === null) return html`<p><a href="${site.host}">See the latest report</a></p>`;
  const { latestScore, latestBand, latestScoreVersion, latestScannedAt } = listing;
  const latest = { score: latestScore, band: latestBand, scoreVersion: latestScoreVersion };
  const when = latestScannedAt === null ? "" : ` of ${dayOf(latestScannedAt)}`;
  return html`<p><a href="${site.host}">See the latest report${when}</a>: ${scoreWords(latest, context)}. This one: ${scoreWords(scan, context)}.</p>`;
}

function waysOn({ scan, ...report }: Report, { listing, hasTarget }: Surroundings): Html {
  const target = scan.redirect?.host ?? null;
  const isRedirected = standingOf({ scan, ...report }) === "redirected";
  if (isRedirected && target !== null && visible(target) !== null) {
    const host = canonicalHostOf(target);
    const found =
      host === null
        ? null
        : hasTarget
          ? html`<a href="${host}">See the report of ${host}</a>, or go `
          : html`<a href="../?q=${host}">Look for ${host} in the directory</a>, or go `;
    return html`${found ?? "Go "}to the site: ${outsideLink(`https://${target}/`, target)}`;
  }
  const category = listing?.category ?? null;
  if (category === null) return html`<a href="../">Explore other sites of the directory</a>`;
  const name = visible(category.name) ?? category.slug;
  return html`<a href="../${categoryAddress(category.slug)}">See other sites in ${name}</a>`;
}
