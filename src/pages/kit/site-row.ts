import type { NamedSite, SiteSummary } from "../../contract/listing.js";
import { foldText } from "../../contract/order.js";
import type { Standards } from "../../contract/standards.js";
import { itemAt } from "../../contract/tables.js";
import { linkTarget, oneLine } from "./escape.js";
import { type Html, html, type Part, timeElement, unseen } from "./html.js";
import type { LinkTo } from "./links.js";
import {
  bandLabel,
  counted,
  dayOf,
  hostInScript,
  hostText,
  type Level,
  levelOf,
  NO_VALUE,
  numberOf,
  visible,
} from "./words.js";

/** The parts of the methodology that a row needs. */
export interface RowMethodology {
  readonly rubric: Pick<Standards["rubric"], "version" | "bands">;
  /** Ids of the achievements, in the order of their dots. */
  readonly achievements: readonly string[];
  /** Writes the links. */
  readonly to: LinkTo;
}

/**
 * A site in a list: score, logo, name, tagline and checks, with a link to its report.
 * @param facts links and texts beneath the tagline, which come before the day of the scan
 * @param sought the text that was searched for, which is marked in the row
 */
export function siteRow(
  site: SiteSummary,
  methodology: RowMethodology,
  facts: readonly Html[] = [],
  sought = "",
): Html {
  const { host, latestScannedAt, highlighted } = site;
  const hostName = hostInScript(host);
  const name = visible(site.name);
  const tagline = visible(site.tagline);
  const scanned =
    latestScannedAt === null
      ? []
      : [timeElement(latestScannedAt, `Scanned ${dayOf(latestScannedAt)}`)];
  const shownFacts = [...facts, ...scanned].map((fact) => html`<li>${fact}</li>`);
  const address = methodology.to(`sites/${encodeURIComponent(host)}`);
  const title = withMarks(name ?? hostName ?? host, sought);
  const hostLine =
    name === null && hostName === null
      ? null
      : html`<p class="address">${withMarks(name === null ? host : hostText(host), sought)}</p>`;
  const taglineView =
    tagline === null ? null : html`<p class="tagline" dir="auto">${withMarks(tagline, sought)}</p>`;
  const factsView =
    shownFacts.length === 0 ? null : html`<ul class="site-facts quiet">${shownFacts}</ul>`;
  return html`<li class="${highlighted ? "site highlighted" : "site"}">
    ${scoreView(site, methodology)}${logoView(site)} 
    <div class="site-text">
      <h3><a href="${address}"><bdi>${title}</bdi></a>${highlightMark(site)}</h3>
      ${hostLine}${taglineView}${checksView(site, methodology)}${factsView}
    </div></li>`;
}

/** Why a listing has the mark. */
const HIGHLIGHTED =
  "Highlighted by the listing’s plan, which changes neither the score nor the order.";

/** The mark of a highlighted listing; null for others. */
export function highlightMark({ highlighted }: Pick<SiteSummary, "highlighted">): Html | null {
  return highlighted ? html` <span class="mark" title="${HIGHLIGHTED}">Highlighted</span>` : null;
}

/** What the mark means, below a list of sites; null if none of them has it. */
export function highlightNote(sites: readonly Pick<SiteSummary, "highlighted">[]): Html | null {
  if (!sites.some(({ highlighted }) => highlighted)) return null;
  return html`<p class="quiet">${HIGHLIGHTED}</p>`;
}

/** A score in the colour of its band, without a sentence around it. */
export function scoreTag(level: Level, score: Part): Html {
  return html`<span class="score-tag level-${level}">${score}</span>`;
}

/** A site in a short list: its score, and its name with a link to its report. */
export function siteLink(site: NamedSite, context: Pick<RowMethodology, "rubric" | "to">): Html {
  const { host, name, latestScore, latestBand, latestScoreVersion } = site;
  const level = levelOf({ band: latestBand, scoreVersion: latestScoreVersion }, context);
  const prefix = unseen(latestScore === null ? "No score " : "Score ");
  return html`${scoreTag(level, [prefix, latestScore ?? NO_VALUE])} 
    <a href="${context.to(`sites/${host}`)}"><bdi>${visible(name) ?? hostText(host)}</bdi></a>`;
}

/** The score and its band, or the words `Not scored`. */
function scoreView(
  { latestScore, latestBand, latestScoreVersion }: SiteSummary,
  methodology: RowMethodology,
): Html {
  if (latestScore === null) {
    return html`<p class="site-score unscored"><span class="band">Not scored</span></p>`;
  }
  const banded = { band: latestBand, scoreVersion: latestScoreVersion };
  const band = bandLabel(banded, methodology);
  const bandView = band === null ? null : html` <span class="band" dir="auto">${band}</span>`;
  return html`<p class="site-score level-${levelOf(banded, methodology)}">
    <span class="points">${numberOf(latestScore)}${unseen(" of 100")}</span>${bandView}</p>`;
}

/**
 * A site's logo over the first letter of its name, which shows until the logo has loaded, or if it never does. Null for
 * a site without a logo.
 */
function logoView({ host, name, logoUrl }: SiteSummary): Html | null {
  const [letter = ""] = oneLine(visible(name) ?? host);
  const source = logoUrl === null ? null : linkTarget(logoUrl);
  if (source?.startsWith("https:") !== true) return null;
  return html`<span class="logo" aria-hidden="true">
    ${letter.toUpperCase()}
    <img src="${source}" alt="" width="40" height="40" loading="lazy" decoding="async" referrerpolicy="no-referrer">
    </span>`;
}

/** The width of a dot with its margin and the height of all dots, in the units of the drawing. */
const DOT = 10;

/**
 * The checks that the site has passed, each as a dot: achievements of the current methodology in their own positions,
 * and extras after them. A summary does not say which of the others do not apply, so nothing is drawn for them. Null
 * for a score of another methodology, whose checks differ, and without a score.
 */
function checksView(
  { capabilities, latestScore, latestScoreVersion }: SiteSummary,
  { rubric, achievements }: RowMethodology,
): Html | null {
  if (latestScore === null || latestScoreVersion !== rubric.version) return null;
  if (achievements.length === 0) return null;
  const positions = [...new Set([...achievements, ...capabilities])];
  const dots = positions.flatMap((id, at) =>
    capabilities.includes(id) ? [`M${DOT * at + DOT / 2} ${DOT / 2}h0`] : [],
  );
  const width = DOT * positions.length;
  return html`<p class="dots quiet">
    <svg viewBox="0 0 ${width} ${DOT}" width="${width}" height="${DOT}" aria-hidden="true">
      <path d="${dots.join("")}"></path>
    </svg> ${counted(capabilities.length, "check")} passed</p>`;
}

/** A letter with its marks. Folding joins no two of these, except for letters of Hangul that are written in parts. */
const LETTER = /.[\p{M}\u1160-\u11ff]*/gsu;

/** A text with each part that matches `sought` in a `mark` element, which has whole letters with all their marks. */
export function withMarks(text: string, sought: string): Html {
  const part = foldText(sought);
  if (part === "") return html`${text}`;
  /** By position in the folded text, the letter of the text that is there. */
  const letters: { readonly start: number; readonly end: number }[] = [];
  let folded = "";
  for (const { 0: letter, index: start } of text.matchAll(LETTER)) {
    folded += foldText(letter);
    while (letters.length < folded.length) letters.push({ start, end: start + letter.length });
  }
  if (folded !== foldText(text)) return html`${text}`;
  const parts: (Html | string)[] = [];
  let from = 0;
  for (let at = folded.indexOf(part); at >= 0; at = folded.indexOf(part, at + part.length)) {
    const start = Math.max(from, itemAt(letters, at).start);
    const { end } = itemAt(letters, at + part.length - 1);
    // A letter with several marks may have two matches.
    if (end === from) continue;
    parts.push(text.slice(from, start), html`<mark>${text.slice(start, end)}</mark>`);
    from = end;
  }
  return html`${parts}${text.slice(from)}`;
}
