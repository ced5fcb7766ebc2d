import { EXTRA_SCRIPTS, STYLES } from "#scripts/names";
import type { CategoryData, RankedSite } from "../../pages/categories/category-page.js";
import { oneLine } from "../../pages/kit/escape.js";
import { framed } from "../../pages/kit/frame.js";
import { brokenAtDots, flag, type Html, html } from "../../pages/kit/html.js";
import { absoluteLink, type LinkTo, linkedFrom } from "../../pages/kit/links.js";
import { numberHead, scrollingTable } from "../../pages/kit/lists.js";
import { checkAnchor, type LinkedContext, type PageContext } from "../../pages/kit/page-context.js";
import { CATEGORIES, categoryAddress, categoryPagesOf } from "../../pages/kit/page-names.js";
import type { NamedCheck } from "../../pages/kit/quote.js";
import { scoreTag } from "../../pages/kit/site-row.js";
import { counted, levelOf, NO_VALUE, numberOf, visible } from "../../pages/kit/words.js";
import {
  type CheckMark,
  checkMark,
  isInMatrix,
  MATRIX_SORTS,
  type MatrixState,
  matrixOrder,
  matrixQuery,
  readMatrix,
} from "./matrix.js";
import { matrixAddress, tableAddress } from "./names.js";

/** The text of a mark in a cell. The stylesheet shows a symbol instead. */
const MARK_NAMES: Readonly<Record<CheckMark, string>> = { pass: "yes", fail: "no", na: "n/a" };

/**
 * The page that shows which sites of a category pass which checks.
 * @param query which sites it shows and in which order; a script changes both without loading a page
 */
export function matrixPage(data: CategoryData, unlinked: PageContext, query: string): string {
  const { category, page, total, checks } = data;
  const state = readMatrix(
    query,
    checks.map(({ id }) => id),
  );
  const name = oneLine(visible(category.name) ?? category.slug);
  const pages = categoryPagesOf(total);
  const part = pages === 1 ? "" : `, page ${numberOf(page)} of ${numberOf(pages)}`;
  const address = matrixAddress(category.slug, page);
  const context = linkedFrom(address, unlinked);
  const { to } = context;
  const directory = oneLine(unlinked.name);
  const title = `${name}: who passes what${part} · ${directory}`;
  const description =
    `Which of ${counted(total, "site")} of the category ${name} in ${directory} pass which ` +
    `checks${part}.`;
  const body = html`<main id="matrix" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow"><a href="${to(CATEGORIES)}">Categories</a> / 
  <a href="${to(categoryAddress(category.slug, page))}" dir="auto">${name}</a></p>
<h1 dir="auto">${name}: who passes what</h1>
<p class="lead">${counted(total, "site")}${part}. Choose a check to see the sites that do not pass it first.</p>
<p class="near"><a href="${to(tableAddress(category.slug, page))}" download>Download as CSV</a></p>
</div></div>
<div class="wide table-page">
${controls(state, checks)}
<p class="marks quiet">
  <span><span class="pass">yes</span>\u00a0passed</span> 
  <span><span class="fail">no</span>\u00a0not passed, or only in part</span> 
  <span><span class="fail extra">no</span>\u00a0not passed, which costs no points</span> 
  <span><span class="na">n/a</span>\u00a0does not apply, or was not checked</span></p>
${matrixTable(data, state, context)}
${checkList(checks, to)}</div>
</main>`;
  return framed(
    {
      title,
      description,
      address,
      isIndexed: matrixQuery(state) === "",
      style: STYLES.tables,
      script: EXTRA_SCRIPTS.matrix ?? null,
      main: "matrix",
      linkedData: {
        "@type": "Dataset",
        distribution: [
          {
            "@type": "DataDownload",
            encodingFormat: "text/csv",
            contentUrl: absoluteLink(tableAddress(category.slug, page), context),
          },
        ],
      },
      body,
    },
    context,
  );
}

/** A row for each site, a column for each check. */
function matrixTable(
  { sites, checks }: CategoryData,
  state: MatrixState,
  context: LinkedContext,
): Html {
  const rows = sites.map((one, index) => ({
    one,
    index,
    host: one.site.host,
    mark: (id: string) => checkMark(one, id),
  }));
  const cells = matrixOrder(rows, state).map((row) =>
    siteCells(row.one, row.index, !isInMatrix(row, state), checks, context),
  );
  const heads = checks.map((check) => headCell(check, state));
  const columns = [numberHead("Rank"), "Site", numberHead("Score"), ...heads];
  return scrollingTable(
    { name: "checks by site", caption: "Checks by site", className: "matrix", columns },
    html`<tbody>${cells}</tbody>`,
  );
}

/** The form for filter and order. Without a script, the server answers it. */
function controls({ fails, sort }: MatrixState, checks: readonly NamedCheck[]): Html {
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}"${flag("selected", isChosen)}>${label}</option>`;
  const missed = checks.map(({ id, name }) => option(id, `Without: ${name}`, fails === id));
  const orders = Object.entries(MATRIX_SORTS).map(([value, label]) =>
    option(value, label, sort === value),
  );
  const byCheck = checks.map(({ id, name }) =>
    option(id, `${name}: not passed first`, sort === id),
  );
  return html`<form id="choices" class="choices" method="get">
<label><span>Sites</span>
  <select name="fails">${option("", "All sites", fails === null)}${missed}</select></label>
<label><span>Order</span>
  <select name="sort">${orders}${byCheck}</select></label>
<button class="button no-script">Show</button><p id="told" class="quiet" role="status"></p></form>`;
}

/** The head of a check's column. Its name links to the table in the order of the check. */
function headCell({ id, name, isScored }: NamedCheck, state: MatrixState): Html {
  const query = matrixQuery({ ...state, sort: id });
  const sorted = state.sort === id ? html` aria-sort="ascending"` : null;
  return html`
    <th scope="col" class="${isScored ? "check-name" : "check-name extra"}" data-check="${id}"${sorted}>
      <a href="${query}" rel="nofollow" dir="auto">${name}</a></th>`;
}

function siteCells(
  one: RankedSite,
  index: number,
  isHidden: boolean,
  checks: readonly NamedCheck[],
  context: LinkedContext,
): Html {
  const { host, name, latestScore, latestBand: band, latestScoreVersion: scoreVersion } = one.site;
  const label = visible(name);
  const level = levelOf({ band, scoreVersion }, context);
  const score = latestScore === null ? NO_VALUE : scoreTag(level, latestScore);
  const cells = checks.map(({ id, isScored }) => {
    const mark = checkMark(one, id);
    return html`<td class="${isScored ? mark : `${mark} extra`}">${MARK_NAMES[mark]}</td>`;
  });
  return html`<tr data-place="${index}" data-host="${host}"${flag("hidden", isHidden)}>
    <td class="number">${one.rank === null ? NO_VALUE : numberOf(one.rank.rank)}</td>
    <th scope="row">
      <a href="${context.to(`sites/${host}`)}"><bdi>${label ?? host}</bdi></a>
      ${label && html`<span class="address">${brokenAtDots(host)}</span>`}
    </th>
    <td class="number">${score}</td>
    ${cells}
    </tr>
`;
}

/** Links to the methodology's descriptions of the checks. */
function checkList(checks: readonly NamedCheck[], to: LinkTo): Html {
  const linked = (isScored: boolean) =>
    checks
      .filter((check) => check.isScored === isScored)
      .map(
        ({ id, name }, at) =>
          html`${at === 0 ? "" : ", "}<a href="${to(`standards#${checkAnchor(id)}`)}" dir="auto">${name}</a>`,
      );
  const extras = linked(false);
  const others = extras.length === 0 ? null : html` Without points: ${extras}.`;
  return html`<p class="quiet measure">What each check is: ${linked(true)}.${others} Penalties are not in the table.</p>
`;
}
