import { EXTRA_SCRIPTS, STYLES } from "#scripts/names";
import type { CategoryData } from "../../pages/categories/category-page.js";
import { oneLine } from "../../pages/kit/escape.js";
import { framed } from "../../pages/kit/frame.js";
import { flag, type Html, html, shareBar } from "../../pages/kit/html.js";
import { absoluteLink, linkedFrom } from "../../pages/kit/links.js";
import { checkAnchor, type LinkedContext, type PageContext } from "../../pages/kit/page-context.js";
import { CATEGORIES, categoryAddress, categoryPagesOf } from "../../pages/kit/page-names.js";
import { mostFailed, type NamedCheck } from "../../pages/kit/quote.js";
import { scoreTag } from "../../pages/kit/site-row.js";
import { counted, cutText, levelOf, NO_VALUE, numberOf, visible } from "../../pages/kit/words.js";
import {
  ariaSort,
  type CheckMark,
  checkMark,
  isInMatrix,
  type MarkCounts,
  type MatrixRow,
  type MatrixSite,
  type MatrixState,
  markCounts,
  matrixOrder,
  matrixQuery,
  matrixSites,
  notPassedText,
  readMatrix,
  sortAfter,
  stateText,
} from "./matrix.js";
import { matrixAddress, tableAddress } from "./names.js";
import type { PartialChecks } from "./partial.js";

/** The text of a mark in a cell. The stylesheet shows a symbol instead. */
const MARK_NAMES: Readonly<Record<CheckMark, string>> = {
  pass: "yes",
  warn: "in part",
  fail: "no",
  na: "n/a",
};

/** The most characters of a name that the page has. Stylesheets cut the text where there is less room. */
const NAME_MAX = 120;
/** The most checks whose names are horizontal. */
const HORIZONTAL_MAX = 8;

/** What the parts of a matrix draw. */
interface Matrix {
  readonly state: MatrixState;
  readonly checks: readonly MatrixCheck[];
  /** By falling scores. */
  readonly rows: readonly PageRow[];
  readonly context: LinkedContext;
  /** The address of the page in a state, relative to itself. */
  readonly at: (state: MatrixState) => string;
}

interface MatrixCheck extends NamedCheck {
  readonly counts: MarkCounts;
  /** The cells of its column: a table has thousands. */
  readonly cells: Readonly<Record<CheckMark, Html>>;
}

interface PageRow extends MatrixRow {
  readonly one: MatrixSite;
  readonly mark: (check: string) => CheckMark;
}

/**
 * The page that shows which sites of a category pass which checks.
 * @param query what it shows and in which order; a script changes both without loading a page
 * @param partial null if the snapshot does not say which checks are passed in part
 */
export function matrixPage(
  data: CategoryData,
  unlinked: PageContext,
  query: string,
  partial: PartialChecks | null,
): string {
  const { category, page, total } = data;
  const name = shortName(visible(category.name) ?? category.slug);
  const pages = categoryPagesOf(total);
  const part = pages === 1 ? "" : `, page ${numberOf(page)} of ${numberOf(pages)}`;
  const address = matrixAddress(category.slug, page);
  const context = linkedFrom(address, unlinked);
  const { to } = context;
  const matrix = matrixOf(data, context, query, partial);
  const { state } = matrix;
  const directory = oneLine(unlinked.name);
  const title = `${name}: who passes what${part} · ${directory}`;
  const description =
    `Which of ${counted(total, "site")} of the category ${name} in ${directory} pass which ` +
    `checks${part}.`;
  const step = (number: number, label: string) =>
    number < 1 || number > pages
      ? null
      : html` <a href="${to(matrixAddress(category.slug, number))}">${label}</a>`;
  const body = html`<main id="matrix"${state.fails === null ? null : CHOSEN} tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow"><a href="${to(CATEGORIES)}">Categories</a> / 
  <a href="${to(categoryAddress(category.slug, page))}" dir="auto">${name}</a></p>
<h1 dir="auto">${name}: who passes what</h1>
<p class="lead">${counted(total, "site")}${part}. ${leastPassed(data)}</p>
<p class="near"><a href="${to(tableAddress(category.slug, page))}" download>Download as CSV</a>
  ${step(page - 1, "Previous page")}${step(page + 1, "Next page")}</p>
</div></div>
<div class="wide table-page">
${controls(matrix)}
${marksLine(matrix, partial !== null)}
${matrixTable(matrix)}
${checkLists(matrix)}</div>
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

const CHOSEN = html` class="one-check"`;

function shortName(name: string): string {
  return cutText(oneLine(name), NAME_MAX);
}

function matrixOf(
  { category, page, sites, checks }: CategoryData,
  context: LinkedContext,
  query: string,
  partial: PartialChecks | null,
): Matrix {
  const rows = matrixSites(sites, partial).map((one, index) => ({
    one,
    index,
    host: one.site.host,
    mark: (id: string) => checkMark(one, id),
  }));
  const own = context.to(matrixAddress(category.slug, page));
  const state = readMatrix(
    query,
    checks.map(({ id }) => id),
  );
  return {
    state,
    checks: checks.map((check) => ({
      ...check,
      name: shortName(check.name),
      counts: markCounts(rows, check.id),
      cells: cellsOf(check, state),
    })),
    rows,
    context,
    at: (other) => own + matrixQuery(other),
  };
}

function cellsOf({ id, isScored }: NamedCheck, state: MatrixState): MatrixCheck["cells"] {
  const cell = (mark: CheckMark) =>
    html`<td class="${classOf(mark, id, isScored, state)}">${MARK_NAMES[mark]}</td>`;
  return { pass: cell("pass"), warn: cell("warn"), fail: cell("fail"), na: cell("na") };
}

/** The check that the greatest share of the category does not pass, in a sentence; "" if all pass everything. */
function leastPassed({ figures, checks }: CategoryData): string {
  const [worst] = mostFailed(figures, checks);
  if (worst === undefined) return "";
  const { name, subject, failing } = worst;
  const passing = subject - failing;
  const those = passing === 0 ? "none" : numberOf(passing);
  return `Passed least often: ${shortName(name)}, by ${those} of ${numberOf(subject)}.`;
}

/** The form that says what is shown. Without a script, the server answers it. */
function controls({ state, checks, rows }: Matrix): Html {
  const { fails, sort, extras, table } = state;
  const nameOf = (id: string) => checks.find((check) => check.id === id)?.name ?? id;
  const options = checks.map(({ id, name, counts: { warn, fail } }) => {
    const text = `Not passing: ${name} (${numberOf(warn + fail)})`;
    return html`<option value="${id}"${flag("selected", fails === id)}>${text}</option>`;
  });
  const box = (name: string, isSet: boolean, label: string, className = "box") =>
    html`<label class="${className}">
      <input type="checkbox" name="${name}" value="1"${flag("checked", isSet)}> ${label}</label>`;
  const hasExtras = checks.some(({ isScored }) => !isScored);
  return html`<form id="choices" class="choices" method="get">
<label><span>Sites</span>
  <select name="fails"><option value="">All sites</option>${options}</select></label>
<input type="hidden" name="sort" value="${sort}">
${hasExtras ? box("extras", extras, "Show extras") : null}
${box("table", table, "Whole table", "box for-phones")}
<button class="button no-script">Show</button></form>
<p id="told" class="quiet" role="status">${stateText(state, rows, nameOf)}</p>`;
}

function marksLine({ checks }: Matrix, hasPartial: boolean): Html {
  const sign = (mark: CheckMark, text: string, className: string = mark) =>
    html`<span class="${className}">${MARK_NAMES[mark]}</span>\u00a0${text}`;
  const extra = html`<span class="extra">
    ${sign("fail", "not passed, which costs no points", "fail extra")}</span>`;
  return html`<p class="marks quiet">
  <span>${sign("pass", "passed")}</span> 
  ${hasPartial ? html`<span>${sign("warn", "passed in part")}</span> ` : null}
  <span>${sign("fail", hasPartial ? "not passed" : "not passed, or only in part")}</span> 
  <span>${sign("na", "does not apply, or was not checked")}</span> 
  ${checks.some(({ isScored }) => !isScored) ? extra : null}</p>`;
}

/** A row for each site, a column for each check. */
function matrixTable(matrix: Matrix): Html {
  const { state, checks, rows } = matrix;
  const lines = matrixOrder(rows, state).map((row) => siteRow(row, matrix));
  const className = checks.length > HORIZONTAL_MAX ? "sheet matrix upright" : "sheet matrix";
  return html`<div class="scroll" role="region" aria-label="Table: checks by site" tabindex="0">
<table class="${className}"><caption class="hidden">Checks by site</caption>
<thead>
<tr><th scope="col" class="number">Rank</th>
  ${sortHead("host", "Site", matrix)}${sortHead("score", "Score", matrix)}
  ${checks.map((check) => checkHead(check, matrix))}</tr>
<tr class="tally"><td></td><th scope="row" class="first">Passed by</th><td></td>
  ${checks.map((check) => tallyCell(check, state))}</tr>
</thead>
<tbody>${lines}</tbody></table></div>`;
}

function sortHead(column: "host" | "score", label: string, { state, at }: Matrix): Html {
  const className = column === "score" ? "number" : "first site-name";
  return html`<th scope="col" class="${className}"${sorted(state, column)}>
    ${sortLink(column, label, { state, at })}</th>`;
}

function sorted(state: MatrixState, column: string): Html | null {
  const order = ariaSort(state, column);
  return order === null ? null : html` aria-sort="${order}"`;
}

/** A link to the table in the order of a column. */
function sortLink(
  column: string,
  label: string,
  { state, at }: Pick<Matrix, "state" | "at">,
): Html {
  const href = at({ ...state, sort: sortAfter(state, column) });
  return html`<a href="${href}" rel="nofollow" data-sort="${column}" dir="auto">${label}</a>`;
}

function checkHead({ id, name, isScored }: MatrixCheck, matrix: Matrix): Html {
  const { state } = matrix;
  return html`
    <th scope="col" class="${classOf("check-name", id, isScored, state)}" data-check="${id}"${sorted(state, id)}>
      ${sortLink(id, name, matrix)}</th>`;
}

/** The classes of a cell in a check's column. */
function classOf(own: string, id: string, isScored: boolean, { fails }: MatrixState): string {
  return `${own}${isScored ? "" : " extra"}${fails === id ? " chosen" : ""}`;
}

/** How many sites pass a check, of those to which it applies. */
function tallyCell({ id, isScored, counts }: MatrixCheck, state: MatrixState): Html {
  const of = subjectsOf(counts);
  return html`<td class="${classOf("count", id, isScored, state)}">${
    of === 0
      ? NO_VALUE
      : html`${numberOf(counts.pass)} <span>of ${numberOf(of)}</span>${shareBar((100 * counts.pass) / of)}`
  }</td>`;
}

/** The sites to which a check applies. */
function subjectsOf({ pass, warn, fail }: MarkCounts): number {
  return pass + warn + fail;
}

function siteRow({ one, index, host, mark }: PageRow, { state, checks, context }: Matrix): Html {
  const { name, latestScore, latestBand: band, latestScoreVersion: scoreVersion } = one.site;
  const label = visible(name);
  const level = levelOf({ band, scoreVersion }, context);
  const score = latestScore === null ? NO_VALUE : scoreTag(level, latestScore);
  const isHidden = !isInMatrix({ index, host, mark }, state);
  return html`<tr data-place="${index}" data-host="${host}"${flag("hidden", isHidden)}>
    <td class="number">${one.rank === null ? NO_VALUE : numberOf(one.rank.rank)}</td>
    <th scope="row" class="first"><div>
      <a href="${context.to(`sites/${host}`)}" dir="auto">${label === null ? host : shortName(label)}</a>
      ${label && html` <span class="address">${host}</span>`}
    </div></th>
    <td class="number">${score}</td>${checks.map(({ id, cells }) => cells[mark(id)])}</tr>
`;
}

/** The checks with what they are, how many sites pass each, and a link to those that do not. */
function checkLists(matrix: Matrix): Html {
  const failing = ({ counts }: MatrixCheck) =>
    (counts.warn + counts.fail) / Math.max(1, subjectsOf(counts));
  const items = (isScored: boolean) =>
    matrix.checks
      .filter((check) => check.isScored === isScored)
      .sort((a, b) => failing(b) - failing(a))
      .map((check) => checkItem(check, matrix));
  const extras = items(false);
  const others =
    extras.length === 0
      ? null
      : html`<h3>Extras, which cost no points</h3>
<ol class="check-list">${extras}</ol>
`;
  return html`<section class="checks-of" aria-labelledby="checks-title">
<h2 id="checks-title">Checks, the least passed first</h2>
<ol class="check-list">${items(true)}</ol>
${others}<p class="quiet">Penalties are not in the table.</p></section>
`;
}

function checkItem(
  { id, name, counts }: MatrixCheck,
  { state, context: { to }, at }: Matrix,
): Html {
  const of = subjectsOf(counts);
  const isMissed = counts.warn + counts.fail > 0;
  const href = `${at({ ...state, fails: id })}#choices`;
  const missed = html`<a href="${href}" rel="nofollow" data-fails="${id}">${notPassedText(counts)}</a>`;
  const passed =
    of === 0
      ? html`<span class="quiet">Applies to no site</span>`
      : html`${shareBar((100 * counts.pass) / of)}
        <span class="quiet">${numberOf(counts.pass)} of ${numberOf(of)} pass</span>`;
  return html`<li><a href="${to(`standards#${checkAnchor(id)}`)}" dir="auto">${name}</a>
    ${passed}${isMissed ? missed : null}</li>`;
}
