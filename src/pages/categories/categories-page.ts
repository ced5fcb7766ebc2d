import { SCRIPTS, STYLES } from "#scripts/names";
import {
  FIGURES_MIN,
  type Figures,
  type GroupFigures,
  medianScore,
} from "../../contract/figures.js";
import type { TaxonomyEntry } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import { oneLine } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { binGroups } from "../kit/histogram.js";
import { type Html, html } from "../kit/html.js";
import { absoluteLink, linkedFrom } from "../kit/links.js";
import { numberHead, scrollingTable } from "../kit/lists.js";
import { checkAnchor, type LinkedContext, type PageContext } from "../kit/page-context.js";
import { addressAt, CATEGORIES, categoryAddress } from "../kit/page-names.js";
import { mostFailed, type NamedCheck, quoteView, scoresFact } from "../kit/quote.js";
import { scoreTag } from "../kit/site-row.js";
import { counted, NO_VALUE, numberOf, visible } from "../kit/words.js";

/** What the list of categories shows. */
export interface CategoriesData {
  readonly figures: Figures;
  readonly categories: readonly Pick<TaxonomyEntry, "slug" | "name">[];
  readonly checks: readonly NamedCheck[];
}

/** A category with sites. */
interface CategoryRow {
  readonly slug: string;
  readonly name: string;
  readonly group: GroupFigures;
  /** Null if it has too few scores to compare. */
  readonly median: number | null;
}

/** The categories that have sites: the highest median first, those with too few scores last. */
function rankedCategories({ figures, categories }: CategoriesData): CategoryRow[] {
  const names = new Map(categories.map(({ slug, name }) => [slug, visible(name)]));
  return Object.entries(figures.categories)
    .map(([slug, group]) => ({
      slug,
      name: names.get(slug) ?? slug,
      group,
      median: group.scored < FIGURES_MIN ? null : medianScore(group),
    }))
    .sort((a, b) => (b.median ?? -1) - (a.median ?? -1) || byCodeUnit(a.name, b.name));
}

/** The page that lists all categories, with figures about their sites. */
export function categoriesPage(data: CategoriesData, unlinked: PageContext): string {
  const rows = rankedCategories(data);
  const directory = oneLine(unlinked.name);
  const context = linkedFrom(CATEGORIES, unlinked);
  const title = `Categories · ${directory}`;
  const description =
    `${counted(rows.length, "category", "categories")} of ${directory}, compared: how readable the ` +
    "sites of each are to AI crawlers, and what they do not pass most often.";
  const body = html`<main id="categories" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<h1>Categories</h1>
<p class="lead">How readable the sites of each category are to AI crawlers. 
  The category with the highest median score comes first.</p>
</div></div>
<div class="wide table-page">
${rows.length === 0 ? html`<p>No site has a category yet.</p>` : tableOf(rows, data, context)}
${allQuote(data, context)}</div>
</main>`;
  return framed(
    {
      title,
      description,
      address: CATEGORIES,
      style: STYLES.tables,
      script: SCRIPTS.quote,
      json: "api/categories",
      main: "categories",
      linkedData: {
        "@type": "CollectionPage",
        mainEntity: {
          "@type": "ItemList",
          numberOfItems: rows.length,
          itemListElement: rows.map(({ slug }, index) => ({
            "@type": "ListItem",
            position: index + 1,
            url: absoluteLink(categoryAddress(slug), context),
          })),
        },
      },
      body,
    },
    context,
  );
}

/** The scores of the whole directory, to quote. */
function allQuote({ figures }: CategoriesData, context: LinkedContext): Html | null {
  const { all, lastScannedAt } = figures;
  const source = { address: CATEGORIES, kind: "scores", slug: null, lastScannedAt } as const;
  const quote = quoteView(scoresFact(all, oneLine(context.name)), source, context);
  return quote && html`<h2>The scores of all sites</h2>\n${quote}`;
}

function tableOf(rows: readonly CategoryRow[], data: CategoriesData, context: LinkedContext): Html {
  const numbers = ["Median", "Sites"].map(numberHead);
  const headings = linkedPages(context).map(({ heading }) => heading);
  const columns = ["Category", ...numbers, "Bands", "Not passed most often", ...headings];
  const table = scrollingTable(
    { name: "categories", caption: "Categories", className: "groups", columns },
    html`<tbody>${rows.map((row) => categoryRow(row, data, context))}</tbody>`,
  );
  return html`${table}
<p class="quiet measure">A category with fewer than ${FIGURES_MIN} scored sites has no median here.</p>`;
}

/** The other pages that each category has. */
function linkedPages({ pages = [] }: PageContext) {
  return pages.flatMap(({ path, ofCategory }) =>
    ofCategory === undefined ? [] : [{ path, ...ofCategory }],
  );
}

function categoryRow(
  { slug, name, group, median }: CategoryRow,
  { checks }: CategoriesData,
  context: LinkedContext,
): Html {
  const { to } = context;
  const [worst] = mostFailed(group, checks);
  const failed =
    worst &&
    html`<a href="${to(`standards#${checkAnchor(worst.id)}`)}" dir="auto">${worst.name}</a> 
      ${numberOf(worst.failing)} of ${numberOf(worst.subject)}`;
  const tag = median === null ? NO_VALUE : scoreTag(levelAt(median, context), numberOf(median));
  const others = linkedPages(context).map(
    ({ path, rowLink }) => html`
    <td><a href="${to(addressAt(path, slug))}">${rowLink}<span class="hidden"> in ${name}</span></a></td>`,
  );
  return html`<tr>
    <th scope="row"><a href="${to(categoryAddress(slug))}"><bdi>${name}</bdi></a></th>
    <td class="number">${tag}</td>
    <td class="number">${numberOf(group.listed)}</td>
    <td>${bandsBar(group, context)}</td>
    <td>${failed ?? NO_VALUE}</td>${others}
    </tr>
`;
}

function levelAt(score: number, { rubric }: PageContext) {
  const groups = binGroups(rubric, []);
  const own = groups.find(({ bins }) => bins.some(({ from, to }) => from <= score && score <= to));
  return own?.level ?? "none";
}

/** The shares of the bands as one bar, with the counts in words for screen readers. */
function bandsBar({ scored, scores }: GroupFigures, { rubric }: PageContext): Html | string {
  if (scored === 0) return NO_VALUE;
  let start = 0;
  const counts = binGroups(rubric, scores).map(({ label, level, bins }) => {
    const count = bins.reduce((sum, one) => sum + one.count, 0);
    const width = (100 * count) / scored;
    const x = start.toFixed(2);
    const part = html`<rect class="level-${level}" x="${x}%" width="${width.toFixed(2)}%" height="100%"/>`;
    start += width;
    return { label: label ?? "Between bands", count, part };
  });
  const filled = counts.filter(({ count }) => count > 0);
  const words = filled.map(({ label, count }) => `${label}: ${numberOf(count)}`).join(", ");
  return html`<svg class="bar" aria-hidden="true">${filled.map(({ part }) => part)}</svg>
    <span class="hidden">${words}</span>`;
}
