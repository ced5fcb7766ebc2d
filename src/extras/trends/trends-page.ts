import { STYLES } from "#scripts/names";
import type { TaxonomyEntry } from "../../contract/listing.js";
import { oneLine } from "../../pages/kit/escape.js";
import { framed } from "../../pages/kit/frame.js";
import { type Html, html, movedView } from "../../pages/kit/html.js";
import { subscribeLink } from "../../pages/kit/links.js";
import { numberHead, scrollingTable } from "../../pages/kit/lists.js";
import type { LinkedContext } from "../../pages/kit/page-context.js";
import { categoryAddress, checkAddress } from "../../pages/kit/page-names.js";
import { categoryGroup, quotedFact } from "../../pages/kit/quote.js";
import {
  counted,
  dayOf,
  decimalOf,
  listed,
  NO_VALUE,
  numberOf,
  orNone,
  visible,
} from "../../pages/kit/words.js";
import { trendFiles, trendsAddress } from "./names.js";
import { comparablePoints, type Series, seriesFact, seriesText, valueText } from "./series.js";
import { chartView } from "./trend-chart.js";

/** How many sites passed a check at a time. */
export interface CheckPoint {
  readonly passed: number;
  readonly n: number;
  readonly share: number;
}

/** A check with its figures by time: the earliest first, the present last. */
export interface CheckTrend {
  readonly id: string;
  readonly name: string;
  /** Null with too few sites to say, and by another version of the methodology. */
  readonly points: readonly (CheckPoint | null)[];
  /** The greatest difference between its share now and an earlier one, in points. */
  readonly moved: number;
}

export interface TrendsShown {
  /** Null for the whole directory. */
  readonly category: Pick<TaxonomyEntry, "slug" | "name"> | null;
  readonly series: readonly Series[];
  /** The publications with which the checks are compared, the earliest first; null for the first publication. */
  readonly times: readonly (string | null)[];
  /** Those that have moved farthest first. */
  readonly checks: readonly CheckTrend[];
  readonly lastScannedAt: string | null;
  /** What changed in the latest publications; null if no page says that. */
  readonly latest: Html | null;
}

/**
 * The page of how the directory, or a category, has developed over the publications.
 * @param context with the links of the page
 */
export function trendsPage(shown: TrendsShown, context: LinkedContext): string {
  const directory = oneLine(context.name);
  const { series, latest, category } = shown;
  const name = category && (visible(category.name) ?? category.slug);
  const group = category === null ? directory : categoryGroup(category);
  const about = name === null ? "" : `: ${oneLine(name)}`;
  const heading =
    category === null
      ? html`<h1>Trends</h1>`
      : html`<p class="eyebrow"><a href="${context.to(categoryAddress(category.slug))}">All sites of the 
  category</a></p>
<h1 class="clamped">Trends: <bdi>${name}</bdi></h1>`;
  const body = html`<main id="trends" tabindex="-1">
<div class="hero"><div class="wide hero-text">
${heading}
<p class="lead">${leadText(series, group)}</p>
${category === null ? subscribeLink(context) : null}
</div></div>
<div class="wide check-page">
<section aria-label="Charts">
<div class="trends">${series.map((one) => seriesView(one, shown, group, context))}</div>
${numbersView(series)}</section>
${latest}
${checksView(shown, context)}
</div>
</main>`;
  return framed(
    {
      title: `Trends${about} · ${directory}`,
      description:
        `How the scores, the checks and the number of the sites in ${oneLine(name ?? directory)} have ` +
        `developed over the publications${category === null ? ", and what changed lately" : ` of ${directory}`}.`,
      address: trendsAddress(category),
      style: STYLES.standards,
      main: "trends",
      linkedData: {
        "@type": "WebPage",
        isPartOf: { "@type": "WebSite", url: context.siteUrl, name: directory },
      },
      body,
    },
    context,
  );
}

function leadText(series: readonly Series[], group: string): string {
  const { points } = series.at(-1) ?? { points: [] };
  const first = points[0]?.time ?? null;
  const last = points.at(-1)?.time ?? null;
  if (points.length < 2)
    return "There has been one publication so far. The charts begin with the next one.";
  const days = first === null || last === null ? "" : `, from ${dayOf(first)} to ${dayOf(last)}`;
  return `How ${group} has developed over ${counted(points.length, "publication")}${days}.`;
}

/** A series: its value now and how far it has moved, the line, and the sentence to quote. */
function seriesView(
  series: Series,
  { category, lastScannedAt }: TrendsShown,
  group: string,
  context: LinkedContext,
): Html {
  const fact = seriesFact(series, group);
  const { name, points, title } = series;
  const id = `trend-${name}`;
  const page = { address: trendsAddress(category), lastScannedAt };
  const files = category === null ? trendFiles(name) : [];
  return html`<section class="trend" aria-labelledby="${id}"><h2 id="${id}" dir="auto">${title}</h2>
<p class="trend-now"><b>${orNone(points.at(-1)?.value ?? null, (value) => valueText(value, series))}</b> 
  ${developedView(series)}</p>
<p class="quiet trend-since">${sinceText(series)}</p>
${chartView(series, seriesText(series))}
${fact && quotedFact(fact, page, files, context)}</section>`;
}

/** How far a series has moved since the first value that can be compared with the present one. */
function developedView(series: Series): Html | null {
  const known = comparablePoints(series);
  const first = known[0]?.value ?? null;
  const last = known.at(-1)?.value ?? null;
  if (known.length < 2 || first === null || last === null) return null;
  const unit = series.unit === "%" ? " points" : "";
  return movedView(last - first, (size) => `${numberOf(size)}${unit}`, false);
}

/** Since when it has moved so far. */
function sinceText(series: Series): string | null {
  const known = comparablePoints(series);
  const [first] = known;
  if (first === undefined || known.length < 2) return null;
  const since = first.time === null ? "since the first publication" : `since ${dayOf(first.time)}`;
  const isNewer = series.isScore && first !== series.points.find(({ value }) => value !== null);
  const version = isNewer ? `, version ${oneLine(first.scoreVersion)}` : "";
  const then = series.isScore ? ` (${counted(first.n, "scored site")})` : "";
  return `${since}${version}${then}`;
}

/** All numbers of the charts, the latest first. */
function numbersView(series: readonly Series[]): Html | null {
  const points = series[0]?.points ?? [];
  if (points.length < 2) return null;
  const rows = points.map(({ time, scoreVersion }, at) => {
    const cells = series.map((one) => {
      const value = one.points[at]?.value ?? null;
      return html`<td class="number">${orNone(value, (known) => valueText(known, one))}</td>`;
    });
    return html`<tr><th scope="row">${orNone(time, dayOf)}</th>${cells}<td dir="auto">${scoreVersion}</td></tr>`;
  });
  const columns = [
    "Publication",
    ...series.map(({ title }) => html`<th scope="col" class="number" dir="auto">${title}</th>`),
    "Methodology",
  ];
  const table = scrollingTable(
    { name: "The numbers of the charts", columns },
    html`<tbody>${rows.reverse()}</tbody>`,
  );
  return html`<details><summary>All numbers of these charts</summary>${table}</details>`;
}

/** The checks, before and after; null if there is nothing to compare with. */
function checksView({ times, checks }: TrendsShown, context: LinkedContext): Html | null {
  if (checks.length === 0) return null;
  const moved = checks.filter((one) => one.moved > 0);
  const others = checks.filter((one) => one.moved === 0).map(unmovedText);
  const same =
    others.length === 0
      ? null
      : html`<p class="measure">Unchanged: <bdi>${listed(others)}</bdi>.</p>`;
  return html`<section aria-labelledby="shares"><h2 id="shares">Checks, before and after</h2>
<p class="measure">The share of sites that pass a check, of those to which it applies, and how many points it has 
  moved since earlier publications. Sites that were added or removed move it, too.</p>
${moved.length === 0 ? null : checksTable(times, moved, context)}
${same}</section>`;
}

/** `Sitemap (61.0%)`. */
function unmovedText({ id, name, points }: CheckTrend): string {
  const share = orNone(points.at(-1) ?? null, (now) => shareText(now.share));
  return `${oneLine(visible(name) ?? id)} (${share})`;
}

function checksTable(
  times: readonly (string | null)[],
  checks: readonly CheckTrend[],
  { to }: LinkedContext,
): Html {
  const rows = checks.map(({ id, name, points }) => {
    const now = points.at(-1) ?? null;
    const [first = null] = points;
    const moves = points.slice(0, -1).map((point) => {
      const isKnown = point !== null && now !== null;
      const moved = isKnown
        ? movedView(100 * (now.share - point.share), decimalOf, false)
        : NO_VALUE;
      return html`<td class="number">${moved}</td>`;
    });
    return html`<tr><th scope="row" dir="auto"><a href="${to(checkAddress(id))}">${visible(name) ?? id}</a></th>
      <td class="number">${orNone(first, ({ share }) => shareText(share))}</td>
      <td class="number"><b>${orNone(now, ({ share }) => shareText(share))}</b></td>${moves}
      <td class="number quiet">${orNone(now, ({ passed, n }) => `${numberOf(passed)} of ${numberOf(n)}`)}</td></tr>`;
  });
  const columns = [
    "Check",
    ...[
      orNone(times[0] ?? null, dayOf, "First publication"),
      "Now",
      ...times.map((time) => `Since ${orNone(time, dayOf, "the first publication")}`),
      "Sites now",
    ].map(numberHead),
  ];
  const head = { name: "Checks, before and after", className: "shares-then", columns };
  return scrollingTable(head, html`<tbody>${rows}</tbody>`);
}

function shareText(share: number): string {
  return `${decimalOf(100 * share)}%`;
}
