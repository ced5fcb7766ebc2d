import type { Report } from "../../contract/report.js";
import { html, outsideLink } from "../kit/html.js";
import type { Section } from "../kit/section.js";
import {
  counted,
  durationOf,
  NO_VALUE,
  numberOf,
  orNone,
  sizeText,
  titleOf,
  visible,
} from "../kit/words.js";
import { type LeftOut, totalOf } from "./excerpt.js";

const COMPLETENESS = {
  full: "The sample is complete.",
  partial: "The sample is partial.",
  empty: "No page could be sampled.",
};

/** How complete a sample of pages is, and why it stopped, in words. */
export function sampleText(
  { completeness, stopped, pages }: NonNullable<Report["pages"]>,
  left: LeftOut,
): string {
  const end = visible(stopped) === null ? "" : ` It ended early: ${stopped}.`;
  return `${counted(totalOf("pages", pages, left), "content page")} sampled. ${COMPLETENESS[completeness]}${end}`;
}

/** The sampled pages; null for scans archived before sampling. */
export function pagesSection({ pages }: Report, left: LeftOut): Section | null {
  if (pages === null) return null;
  const rows = pages.pages.map(({ url, kind, sources, reasons, outcome, status, finalUrl }) => {
    const why = reasons.filter((reason) => visible(reason) !== null).join("; ");
    return html`<tr><th scope="row">${outsideLink(url)}${
      finalUrl === null || finalUrl === url
        ? null
        : html`<span class="quiet">→ ${outsideLink(finalUrl)}</span>`
    }</th><td>${titleOf(kind)}</td><td>${titleOf(outcome)}</td><td class="number">${orNone(status, String)}</td><td>${sources.map(titleOf).join(", ")}${
      why === "" ? null : html`<span class="quiet" dir="auto">${why}</span>`
    }</td></tr>`;
  });
  const table =
    rows.length === 0
      ? null
      : html`<div class="scroll" role="region" aria-label="Table: Sampled pages" tabindex="0"><table><caption class="hidden">Sampled pages</caption><thead><tr><th scope="col">Page</th><th scope="col">Kind</th><th scope="col">Outcome</th><th scope="col" class="number">Status</th><th scope="col">Found by</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  return {
    id: "pages",
    title: "Sampled pages",
    body: html`<p dir="auto">${sampleText(pages, left)}</p>${table}`,
  };
}

/** The requests that scanners usually send, as people write them. */
const REQUEST_NAMES: ReadonlyMap<string, string> = new Map([
  ["home", "Home page"],
  ["homepage", "Home page"],
  ["home-rendered", "Home page, after its scripts ran"],
  ["home-as-crawler", "Home page, as a crawler"],
  ["markdown", "Home page as Markdown"],
  ["robots", "robots.txt"],
  ["robots-txt", "robots.txt"],
  ["sitemap", "Sitemap"],
  ["llms", "llms.txt"],
  ["llms-txt", "llms.txt"],
  ["llms-full", "llms-full.txt"],
  ["llms-full-txt", "llms-full.txt"],
  ["catalog", "API catalogue"],
  ["api-catalog", "API catalogue"],
  ["openapi", "OpenAPI description"],
  ["feed", "Feed"],
]);

/** What a request was for. Keys may be written as `robots-txt`, `robots_txt` or `robotsTxt`. */
function requestName(key: string): string {
  const usual = key
    .replace(/(?=[A-Z])/g, "-")
    .replaceAll("_", "-")
    .toLowerCase();
  return REQUEST_NAMES.get(usual) ?? titleOf(key);
}

/** The scan's requests; null if the report has none. */
export function observationsSection({ observations, scan }: Report): Section | null {
  if (observations.length === 0) return null;
  const rows = observations.map(
    ({ key, url, finalUrl, status, contentType, durationMs, rung, redirects, byteLength }) =>
      html`<tr><th scope="row"><bdi>${requestName(key)}</bdi><span class="quiet">${outsideLink(url)}${
        finalUrl === null || finalUrl === url ? null : html` → ${outsideLink(finalUrl)}`
      }</span></th><td class="number">${orNone(status, String)}</td><td><bdi>${visible(contentType) ?? NO_VALUE}</bdi></td><td class="number">${sizeText(byteLength)}</td><td class="number">${durationOf(durationMs)}</td><td class="number">${numberOf(redirects)}</td><td>${titleOf(rung)}</td></tr>`,
  );
  const body = html`<p>${statsText(scan.stats)}</p><div class="scroll" role="region" aria-label="Table: Requests of the scan" tabindex="0"><table><caption class="hidden">Requests of the scan</caption><thead><tr><th scope="col">Request</th><th scope="col" class="number">Status</th><th scope="col">Type</th><th scope="col" class="number">Size</th><th scope="col" class="number">Time</th><th scope="col" class="number">Redirects</th><th scope="col">Asked as</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  return { id: "observations", title: "Requests of the scan", body };
}

/** The pages, requests, bytes and time of a scan, as far as they are known. */
export function statsText(stats: Report["scan"]["stats"]): string {
  const { pagesScanned, requestCount, bytesFetched, durationMs } = stats;
  const parts = [
    pagesScanned === null ? null : `${counted(pagesScanned, "page")} read`,
    requestCount === null ? null : counted(requestCount, "request"),
    bytesFetched === null ? null : `${sizeText(bytesFetched)} fetched`,
    durationMs === null ? null : `${durationOf(durationMs)} in all`,
  ].filter((part) => part !== null);
  return parts.length === 0
    ? "The scan's size and duration are not known."
    : `${parts.join(", ")}.`;
}
