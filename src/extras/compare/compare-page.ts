import { EXTRA_SCRIPTS, STYLES } from "#scripts/names";
import type { SiteSummary } from "../../contract/listing.js";
import { oneLine, scriptJson } from "../../pages/kit/escape.js";
import { framed } from "../../pages/kit/frame.js";
import { flag, Html, html } from "../../pages/kit/html.js";
import { linkedFrom } from "../../pages/kit/links.js";
import type { LinkedContext, PageContext } from "../../pages/kit/page-context.js";
import { counted, cutText, numberOf, visible } from "../../pages/kit/words.js";
import { COMPARED_MAX } from "../../pages/report/comparison.js";
import { comparedQuery } from "./compared-query.js";
import { type ComparedHosts, type CompareMethodology, compareView } from "./comparison.js";

/**
 * The page that compares the reports of sites, check by check. In a tree, its script reads the reports of the sites in
 * the address and draws the comparison.
 * @param asked the sites of the address; none in a tree
 * @param others the texts of the address that cannot be hosts; none in a tree
 * @param offers sites of the same category that a lone site can be compared with
 */
export function comparePage(
  asked: ComparedHosts,
  others: readonly string[],
  unlinked: PageContext,
  offers: readonly SiteSummary[] = [],
): string {
  const hosts = asked.map(([host]) => host);
  const directory = oneLine(unlinked.name);
  const context = linkedFrom("compare", unlinked);
  const title = `${hosts.length === 0 ? "Compare sites" : `Compare ${hosts.join(", ")}`} · ${directory}`;
  const description =
    `Compare up to ${COMPARED_MAX} sites of ${directory}, check by check: scores, bands, points and ` +
    "what each lacks.";
  const { rubric, checkIds, tree, to } = context;
  const data: CompareMethodology = { rubric, checkIds, to };
  const hasTable = asked.some(([, site]) => site !== null);
  const texts = [...hosts, ...others].join(", ");
  const csv = html` href="${to("compare.csv")}?${comparedQuery(hosts)}" download="compare.csv"`;
  const methodology = html`
<script type="application/json" id="methodology">${new Html(scriptJson(data))}</script>`;
  const body = html`<main id="compare" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<h1>Compare sites</h1>
<p class="lead">Check by check, differences first.</p>
<form class="choices" action="${to("compare")}" method="get">
  <label class="wide-choice">
    <span>Up to ${COMPARED_MAX} hosts, with commas between them</span>
    <input type="text" name="sites" value="${texts}" autocomplete="off" autocapitalize="none" spellcheck="false">
  </label>
  <button class="button strong">Compare</button></form>
<p class="quiet">Or tick sites in <a href="${to("?sort=score")}">the explorer</a>.</p>
</div></div>
<div class="wide table-page">
${tree === undefined ? null : NEEDS_SCRIPT}
  <p id="told" class="quiet" role="status">${hasTable ? counted(hosts.length, "site") : null}</p>
${offersView(hosts, offers, context)}
${hasTable ? MARKS : null}<div id="comparison">${compareView(asked, others, data)}</div>
<p id="csv" class="near"${flag("hidden", !hasTable)}>
  <a${tree === undefined ? csv : null}>Download as CSV</a></p>
</div>
</main>${tree === undefined ? null : methodology}`;
  return framed(
    {
      title,
      description,
      address: "compare",
      isIndexed: hosts.length === 0,
      style: STYLES.tables,
      script: tree === undefined ? null : (EXTRA_SCRIPTS.compare ?? null),
      main: "compare",
      linkedData: { "@type": "WebPage" },
      body,
    },
    context,
  );
}

/** Links that add sites to the compared ones; null without any. */
function offersView(
  hosts: readonly string[],
  offers: readonly SiteSummary[],
  { to }: LinkedContext,
): Html | null {
  const [first] = offers;
  if (first === undefined) return null;
  const link = (added: readonly string[], text: Html | string) =>
    html`<a href="${to(`compare?${comparedQuery([...hosts, ...added])}`)}" rel="nofollow">${text}</a>`;
  const links = offers.map(({ host, name }) =>
    link([host], html`<bdi>${cutText(oneLine(visible(name) ?? host), NAME_MAX)}</bdi>`),
  );
  const all = offers.map(({ host }) => host);
  const together =
    offers.length === 1 ? null : html` or ${link(all, `all ${numberOf(offers.length)}`)}`;
  const category = cutText(oneLine(visible(first.category?.name ?? "") ?? ""), NAME_MAX);
  return html`<p>Add sites with the highest scores in <bdi>${category}</bdi>: 
    ${links.map((one, at) => (at === 0 ? one : html`, ${one}`))}${together}.</p>
`;
}

/** The most characters of a name in the links. */
const NAME_MAX = 60;
const NEEDS_SCRIPT = html`<p class="no-script">Comparing needs JavaScript here.</p>
`;
const MARKS = html`<p class="marks quiet">
  <span><span class="pass">yes</span>\u00a0passed</span> 
  <span><span class="warn">in part</span>\u00a0passed in part</span> 
  <span><span class="fail">no</span>\u00a0not passed</span> 
  <span><span class="na">n/a</span>\u00a0does not apply</span> 
  <span><span class="fail extra">no</span>\u00a0not passed, which costs no points</span></p>
`;
