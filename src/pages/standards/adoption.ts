import {
  countPassing,
  countSubject,
  FIGURES_MIN,
  type Figures,
  type GroupFigures,
  sharePassing,
} from "../../contract/figures.js";
import type { TaxonomyEntry } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import type { Band, CheckDescription, Standards } from "../../contract/standards.js";
import { type Html, html, shareBar } from "../kit/html.js";
import type { LinkTo } from "../kit/links.js";
import { shareLine } from "../kit/lists.js";
import { checkAnchor, type Section } from "../kit/page-context.js";
import { bandLevel, counted, numberOf, titleOf, visible } from "../kit/words.js";

/** The figures of a directory, with the names of the categories in them. */
export interface Adoption {
  readonly figures: Figures;
  readonly categories: readonly TaxonomyEntry[];
}

/**
 * Whether the directory counts the sites that pass a check. It does not read full reports, which have the penalties.
 */
function isCounted({ kind }: CheckDescription): boolean {
  return kind !== "penalty";
}

/**
 * Charts of all checks that the directory counts, those that most sites pass first.
 * @param names the checks' names by their ids
 * @param quote the fact that they show
 * @returns null if there is nothing to show
 */
export function adoptionSection(
  checks: readonly CheckDescription[],
  names: ReadonlyMap<string, string>,
  { figures: { all } }: Adoption,
  quote: Html | null,
): Section | null {
  const chartOf = (kind: CheckDescription["kind"]) =>
    checks
      .filter((check) => check.kind === kind)
      .sort((a, b) => passingShare(all, b.id) - passingShare(all, a.id))
      .flatMap(({ id }) => {
        const share = sharePassing(all, id);
        if (share === null) return [];
        const text = `${shareText(share)} of ${numberOf(countSubject(all, id))}`;
        return shareLine(`#${checkAnchor(id)}`, names.get(id) ?? id, barOf(share), text);
      });
  const charts = [
    { title: "Checks that can bring points", rows: chartOf("achievement") },
    { title: "Capabilities, which change no score", rows: chartOf("capability") },
  ].filter(({ rows }) => rows.length > 0);
  if (charts.length === 0) return null;
  const drawn = charts.map(
    ({ title, rows }) => html`<h3>${title}</h3>
<ol class="shares adoption-chart">${rows}</ol>
`,
  );
  const body = html`<p class="measure">The share that passes each check, of those among this directory’s 
  ${numberOf(all.listed)} sites to which it applies, and their number.</p>
${drawn}${quote}`;
  return { id: "adoption", title: "How many sites pass", body };
}

function passingShare(all: GroupFigures, id: string): number {
  return countPassing(all, id) / Math.max(1, countSubject(all, id));
}

/** How many sites pass a check, in total and by category; null if the directory does not count them or has too few. */
export function checkAdoption(
  check: CheckDescription,
  name: string,
  adoption: Adoption,
  to: LinkTo,
): Html | null {
  const { all } = adoption.figures;
  const share = isCounted(check) ? sharePassing(all, check.id) : null;
  if (share === null) return null;
  const subject = countSubject(all, check.id);
  const left = all.listed - subject;
  const sites = counted(subject, "site");
  const of = left === 0 ? sites : `the ${sites} to which it applies`;
  const texts = {
    few: html`Fewer than ${FIGURES_MIN} of ${of} pass`,
    most: html`All but fewer than ${FIGURES_MIN} of ${of} pass`,
  };
  const text =
    typeof share === "number" ? html`<strong>${share}%</strong> of ${of} pass` : texts[share];
  const found = to(`?capability=${encodeURIComponent(check.id)}`);
  return html`<div class="adoption">${barOf(share)}
  <p>${text}. <a href="${found}">See them<span class="hidden">: sites that pass ${name}</span></a></p></div>
${byCategory(check.id, name, adoption)}`;
}

/** The shares of the categories, the greatest first; null if no category has enough sites. */
function byCategory(id: string, name: string, { figures, categories }: Adoption): Html | null {
  const labels = new Map(categories.map((one) => [one.slug, visible(one.name)]));
  const groups = Object.entries(figures.categories).map(([slug, group]) => ({
    name: labels.get(slug) ?? titleOf(slug),
    share: sharePassing(group, id),
    subject: countSubject(group, id),
  }));
  const shown = groups
    .flatMap(({ share, ...one }) => (typeof share === "number" ? [{ ...one, share }] : []))
    .sort((a, b) => b.share - a.share || byCodeUnit(a.name, b.name));
  if (shown.length === 0) return null;
  const others = groups.filter(({ share }) => typeof share !== "number").map((one) => one.name);
  const lines = shown.map(
    (one) => html`<li>
  <span>${one.name}</span> ${shareBar(one.share)}<span>${one.share}% of ${numberOf(one.subject)}</span></li>`,
  );
  const names = others.sort(byCodeUnit).join(", ");
  const rest = html`<p class="quiet" dir="auto">Too few sites pass or do not pass to say: ${names}.</p>`;
  return html`<details class="by-category"><summary>By category<span class="hidden"> (${name})</span></summary>
<ol class="shares" dir="auto">${lines}</ol>
${others.length === 0 ? null : rest}</details>`;
}

/** The share of the scored sites that are in a band, with its bar in the band's colour; null if there are too few. */
export function bandShare(
  { band, min, max }: Band,
  rubric: Standards["rubric"],
  { figures: { all } }: Adoption,
): Html | null {
  if (all.scored < FIGURES_MIN) return null;
  const count = all.scores.reduce(
    (sum, [score, sites]) => sum + (min <= score && score <= max ? sites : 0),
    0,
  );
  const percent = Math.round((100 * count) / all.scored);
  return html`${shareBar(percent, bandLevel(band, rubric))}
    <span class="share">${numberOf(count)} (${percent}%)</span>`;
}

/** A share of few sites is not published (contract/figures.ts). */
type Share = number | "few" | "most";

/** The bar of a share. If the share is not published, the bar is only empty or full. */
function barOf(share: Share): Html {
  if (share === "few") return shareBar(0);
  return shareBar(share === "most" ? 100 : share);
}

function shareText(share: Share): string {
  if (typeof share === "number") return `${share}%`;
  return share === "few" ? `under ${FIGURES_MIN} sites` : "all but a few";
}
