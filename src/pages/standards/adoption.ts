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
import { categoryAddress } from "../kit/page-names.js";
import { bandLevel, counted, listed, numberOf, titleOf, visible } from "../kit/words.js";

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
      .filter((check) => check.kind === kind && countSubject(all, check.id) > 0)
      .sort((a, b) => passingShare(all, b.id) - passingShare(all, a.id))
      .map(({ id }) =>
        shareLine(`#${checkAnchor(id)}`, names.get(id) ?? id, barOf(all, id), passingText(all, id)),
      );
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
  const body = html`<p class="measure">How many sites pass each check, of those among this directory’s 
  ${numberOf(all.listed)} sites to which it applies.</p>
${drawn}${quote}`;
  return { id: "adoption", title: "How many sites pass", body };
}

function passingShare(all: GroupFigures, id: string): number {
  return countPassing(all, id) / Math.max(1, countSubject(all, id));
}

/** How many sites pass a check; null if the directory does not count them, or if the check applies to none. */
export function checkAdoption(
  check: CheckDescription,
  name: string,
  { figures: { all } }: Adoption,
  to: LinkTo,
): Html | null {
  const subject = countSubject(all, check.id);
  if (!isCounted(check) || subject === 0) return null;
  const count = countPassing(all, check.id);
  const share = sharePassing(all, check.id);
  const sites =
    subject === all.listed
      ? counted(subject, "site")
      : `${counted(subject, "site")} to which it applies`;
  const counts = `${numberOf(count)} of ${sites}`;
  const text = typeof share === "number" ? html`<strong>${share}%</strong> (${counts})` : counts;
  const found = to(`?capability=${encodeURIComponent(check.id)}`);
  const see =
    count === 0
      ? null
      : html` <a href="${found}">See them<span class="hidden">: sites that pass ${name}</span></a>`;
  return html`<div class="adoption">${barOf(all, check.id)}
  <p>${text} ${count === 1 ? "passes" : "pass"}.${see}</p></div>`;
}

/**
 * How many sites of each category pass a check: the greatest share first, then the categories with few sites. Null if
 * the check applies to no site of a category.
 */
export function adoptionByCategory(
  check: CheckDescription,
  { figures, categories }: Adoption,
  to: LinkTo,
): Html | null {
  if (!isCounted(check)) return null;
  const { id } = check;
  const labels = new Map(categories.map((one) => [one.slug, visible(one.name)]));
  const groups = Object.entries(figures.categories).map(([slug, group]) => {
    const subject = countSubject(group, id);
    const name = labels.get(slug) ?? titleOf(slug);
    return { slug, name, group, subject, isFew: subject < FIGURES_MIN };
  });
  const order = (a: (typeof groups)[number], b: (typeof groups)[number]) =>
    Number(a.isFew) - Number(b.isFew) ||
    passingShare(b.group, id) - passingShare(a.group, id) ||
    b.subject - a.subject ||
    byCodeUnit(a.name, b.name);
  const shown = groups.filter(({ subject }) => subject > 0).sort(order);
  if (shown.length === 0) return null;
  const lines = shown.map(({ slug, name, group, isFew }) => {
    const count = countPassing(group, id);
    const query = `?category=${slug}&capability=${encodeURIComponent(id)}`;
    const passing =
      count === 0 ? "0" : html`<a href="${to(query)}" rel="nofollow">${numberOf(count)}</a>`;
    return html`<li>
  <a href="${to(categoryAddress(slug))}" dir="auto">${name}</a> ${isFew ? html`<span></span>` : barOf(group, id)}
  <span class="share">${passing} of ${numberOf(countSubject(group, id))}${shareAfter(group, id)}</span></li>`;
  });
  const without = groups.filter(({ subject }) => subject === 0).map(({ name }) => name);
  const rest =
    without.length === 0
      ? null
      : html`<p class="quiet measure" dir="auto">It applies to no site of ${listed(without.sort(byCodeUnit))}.</p>`;
  return html`<ol class="shares by-category">${lines}</ol>
${rest}`;
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

/** The bar of the share that passes a check. */
function barOf(group: GroupFigures, id: string): Html {
  return shareBar(Math.round(1000 * passingShare(group, id)) / 10);
}

/** How many sites pass a check, with their share unless they, or the others, are few. */
function passingText(group: GroupFigures, id: string): string {
  const counts = `${numberOf(countPassing(group, id))} of ${numberOf(countSubject(group, id))}`;
  return `${counts}${shareAfter(group, id)}`;
}

function shareAfter(group: GroupFigures, id: string): string {
  const share = sharePassing(group, id);
  return typeof share === "number" ? ` (${share}%)` : "";
}
