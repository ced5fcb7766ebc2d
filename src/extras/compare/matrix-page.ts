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
  filterText,
  isInMatrix,
  type MarkCounts,
  type MatrixFilter,
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
/** The widths of columns in rem, as in the stylesheet: all but those of checks, then those of checks. */
const OTHER_COLUMNS = 24;
const UPRIGHT_COLUMN = 2.125;
const UPRIGHT_COLUMN_OF_HUNDREDS = 2.625;
const LEVEL_COLUMN = 6.25;
/** The widths of the page in rem from which the stylesheet can do without a box. The last is that of 1,280 pixels. */
const ROOMS = [36, 44, 60, 74];
const WIDEST_ROOM = 74;
/** The least share of the sites to which a check does not apply, if the page says so. */
const EXEMPT_SHARE = 0.1;

/** What the parts of a matrix draw. */
interface Matrix {
  readonly state: MatrixState;
  readonly checks: readonly MatrixCheck[];
  /** By falling scores. */
  readonly rows: readonly PageRow[];
  /** Whether the columns of extras are shown unless the address says something else. */
  readonly hasRoom: boolean;
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
  const body = html`<main id="matrix"${state.filter === null ? null : CHOSEN} tabindex="-1">
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
${exemptText(matrix)}
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
    hasRoom: uprightWidth(checks.length, rows.length) <= WIDEST_ROOM,
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
  const text = checks.every(({ isScored }) => isScored)
    ? "Passed least often"
    : "Least passed of the checks with points";
  return `${text}: ${shortName(name)}, by ${those} of ${numberOf(subject)}.`;
}

/** The form that says what is shown. Without a script, the server answers it. */
function controls({ state, checks, rows, hasRoom }: Matrix): Html {
  const { filter, sort, extras, table } = state;
  const nameOf = (id: string) => checks.find((check) => check.id === id)?.name ?? id;
  const box = (name: string, value: string, isSet: boolean, label: string, className = "box") =>
    html`<label class="${className}">
      <input type="checkbox" name="${name}" value="${value}"${flag("checked", isSet)}> ${label}</label>`;
  const hasExtras = checks.some(({ isScored }) => !isScored);
  const extrasBox = hasRoom
    ? box("extras", "0", extras === false, "Hide extras")
    : box("extras", "1", extras === true, "Show extras");
  return html`<form id="choices" class="choices" method="get">
<label><span>Sites</span>
  <select name="sites"><option value="">All sites</option>
  <optgroup label="Passing">${checks.map((check) => choice("passes", check, filter))}</optgroup>
  <optgroup label="Not passing">${checks.map((check) => choice("fails", check, filter))}</optgroup>
  </select></label>
<input type="hidden" name="sort" value="${sort}">
${hasExtras ? extrasBox : null}
${box("table", "1", table, "Whole table", "box for-phones")}
<button class="button no-script">Show</button></form>
<p id="told" class="quiet" role="status">${stateText(state, rows, nameOf)}</p>`;
}

/** An option of the menu of filters. */
function choice(
  name: MatrixFilter["name"],
  { id, name: label, counts: { pass, warn, fail } }: MatrixCheck,
  chosen: MatrixFilter | null,
): Html {
  const isChosen = chosen?.name === name && chosen.check === id;
  const text =
    name === "passes"
      ? `${label} (${numberOf(pass)} pass)`
      : `${label} (${numberOf(warn + fail)} do not)`;
  const value = filterText({ name, check: id });
  return html`<option value="${value}"${flag("selected", isChosen)}>${text}</option>`;
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
  <span>${sign("na", "does not apply, or was not checked; it brings no points")}</span> 
  ${checks.some(({ isScored }) => !isScored) ? extra : null}</p>`;
}

/**
 * The checks that bring no points to many sites, as they do not apply: such a site cannot reach the full score. Sites
 * without any result are left out.
 */
function exemptText({ checks, rows }: Matrix): Html | null {
  const judged = rows.filter(({ mark }) => checks.some(({ id }) => mark(id) !== "na"));
  const of = `${counted(judged.length, "site")}${judged.length < rows.length ? " with results" : ""}`;
  const texts = checks
    .filter(({ isScored }) => isScored)
    .map(({ id, name }) => ({ name, na: markCounts(judged, id).na }))
    .filter(({ na }) => na > 0 && na >= EXEMPT_SHARE * judged.length)
    .map(
      ({ name, na }) =>
        html` “<bdi>${name}</bdi>” does not apply to ${numberOf(na)} of ${of}, or was not checked.`,
    );
  return texts.length === 0 ? null : html`<p class="exempt quiet">${texts}</p>`;
}

/** The width of a table in rem if the names of its checks are upright. */
function uprightWidth(checks: number, rows: number): number {
  return OTHER_COLUMNS + checks * (rows < 100 ? UPRIGHT_COLUMN : UPRIGHT_COLUMN_OF_HUNDREDS);
}

/**
 * The classes that tell the stylesheet from which width of the page the page itself scrolls the table, and from which
 * the names of checks are level.
 */
function roomClasses({ checks, rows, hasRoom }: Matrix): string {
  const first = (name: string, width: number) => {
    const room = ROOMS.find((one) => width <= one);
    return room === undefined ? "" : ` ${name}-${room}`;
  };
  // A hidden column is shown if its check is chosen.
  const scored = checks.filter(({ isScored }) => isScored).length + 1;
  const shown = hasRoom ? checks.length : Math.min(scored, checks.length);
  const level = first("level", OTHER_COLUMNS + checks.length * LEVEL_COLUMN);
  const hundreds = rows.length < 100 ? "" : " hundreds";
  return `scroll${first("fits", uprightWidth(shown, rows.length))}${level}${hundreds}`;
}

/** A row for each site, a column for each check. */
function matrixTable(matrix: Matrix): Html {
  const { state, checks, rows } = matrix;
  const lines = matrixOrder(rows, state).map((row) => siteRow(row, matrix));
  return html`<div class="room">
<div class="${roomClasses(matrix)}" role="region" aria-label="Table: checks by site" tabindex="0">
<table class="sheet matrix"><caption class="hidden">Checks by site</caption>
<thead>
<tr><th scope="col" class="number">Rank</th>
  ${sortHead("host", "Site", matrix)}${sortHead("score", "Score", matrix)}
  ${checks.map((check) => checkHead(check, matrix))}</tr>
<tr class="tally"><td></td><th scope="row" class="first">Passed by</th><td></td>
  ${checks.map((check) => tallyCell(check, state))}</tr>
</thead>
<tbody>${lines}</tbody></table></div></div>`;
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
function classOf(own: string, id: string, isScored: boolean, { filter }: MatrixState): string {
  return `${own}${isScored ? "" : " extra"}${filter?.check === id ? " chosen" : ""}`;
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
  const listOf = (name: MatrixFilter["name"], text: string) => {
    const filter = { name, check: id };
    const href = `${at({ ...state, filter })}#choices`;
    return html`<a href="${href}" rel="nofollow" data-sites="${filterText(filter)}">${text}</a>`;
  };
  const share = `${numberOf(counts.pass)} of ${numberOf(of)} pass`;
  const passed =
    of === 0
      ? html`<span class="quiet">Applies to no site</span>`
      : html`${shareBar((100 * counts.pass) / of)}
        ${counts.pass > 0 ? listOf("passes", share) : html`<span class="quiet">${share}</span>`}`;
  const missed = counts.warn + counts.fail === 0 ? null : listOf("fails", notPassedText(counts));
  return html`<li><a href="${to(`standards#${checkAnchor(id)}`)}" dir="auto">${name}</a>
    ${passed}${missed}</li>`;
}
