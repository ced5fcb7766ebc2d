import { csvText, oneLine } from "../../pages/kit/escape.js";
import {
  brokenAtDots,
  type Html,
  html,
  type Part,
  timeElement,
  unseen,
} from "../../pages/kit/html.js";
import { scrollingTable } from "../../pages/kit/lists.js";
import { checkAnchor, type LinkedContext } from "../../pages/kit/page-context.js";
import { scoreTag } from "../../pages/kit/site-row.js";
import {
  bandLabel,
  counted,
  cutText,
  dayOf,
  levelOf,
  listed,
  NO_VALUE,
  numberOf,
  visible,
} from "../../pages/kit/words.js";
import {
  type ComparedCheck,
  type ComparedSite,
  comparedChecks,
  hasResults,
} from "../../pages/report/comparison.js";
import { comparedQuery } from "./compared-query.js";

/** The points that a site earned; null without a score, or if no check with points applies to it. */
function earnedPoints({ scan, checks }: ComparedSite): number | null {
  if (scan.score === null) return null;
  const subject = checks.filter(
    ({ kind, status, maxPoints }) => kind === "achievement" && status !== "na" && maxPoints > 0,
  );
  return subject.length === 0 ? null : subject.reduce((total, { points }) => total + points, 0);
}

/** The comparison as CSV: two columns per site, the result of each check and its points. */
export function comparisonCsv(sites: readonly ComparedSite[], checkIds: readonly string[]): string {
  const fact = (name: string, of: (site: ComparedSite) => string | number | null) => [
    name,
    "",
    ...sites.flatMap((site) => [of(site), null]),
  ];
  return csvText(
    ["check", "name", ...sites.flatMap(({ host }) => [host, `${host} points`])],
    [
      fact("score", ({ scan }) => scan.score),
      fact("band", ({ scan }) => scan.band),
      fact("scoreVersion", ({ scan }) => scan.scoreVersion),
      fact("scannedAt", ({ scan }) => scan.finishedAt),
      ...comparedChecks(sites, checkIds).map(({ id, label, results }) => [
        id,
        label,
        ...results.flatMap((one) => [one?.status ?? null, one?.points ?? null]),
      ]),
    ],
  );
}

/** The facts about the directory that a comparison needs. */
export type CompareMethodology = Pick<LinkedContext, "rubric" | "checkIds" | "to">;

/** The sites that were asked for, each with its report; null for those without one. */
export type ComparedHosts = readonly (readonly [host: string, site: ComparedSite | null])[];

/** The most characters of a name that the table has. */
const NAME_MAX = 120;
/** How many texts that are no hosts are named, and how many characters of each. */
const OTHERS_NAMED = 5;
const OTHER_SHOWN = 80;

/**
 * The comparison of sites. The server and, in a tree, the page's script draw it.
 * @param others the texts that cannot be hosts
 */
export function compareView(
  asked: ComparedHosts,
  others: readonly string[],
  methodology: CompareMethodology,
): Html {
  const sites = asked.flatMap(([, site]) => site ?? []);
  const missing = asked.flatMap(([host, site]) => (site === null ? [host] : []));
  const have = missing.length === 1 ? "has" : "have";
  return html`
    ${missing.length === 0 ? null : html`<p class="notice">${listed(missing)} ${have} no report here.</p>`}
    ${others.length === 0 ? null : othersNotice(others)}
    ${sites.length === 0 ? null : comparedTable(sites, methodology)}`;
}

function othersNotice(others: readonly string[]): Html {
  const names = others.slice(0, OTHERS_NAMED).map((text) => {
    const start = [...text].slice(0, OTHER_SHOWN).join("");
    return `“${oneLine(start)}${start === text ? "" : "…"}”`;
  });
  const rest = others.length - names.length;
  const all = rest > 0 ? [...names, counted(rest, "other text")] : names;
  const cannot = others.length === 1 ? "cannot be a host, and is" : "cannot be hosts, and are";
  return html`<p class="notice">${listed(all)} ${cannot} left out. 
    Write a host such as example.org, or a web address.</p>`;
}

function comparedTable(sites: readonly ComparedSite[], methodology: CompareMethodology): Html {
  const checks = comparedChecks(sites, methodology.checkIds);
  const different = checks.filter(({ isDifferent }) => isDifferent);
  const same = checks.filter(({ isDifferent }) => !isDifferent);
  const judged = sites.filter(hasResults);
  const group = (title: string, rows: readonly ComparedCheck[]) => {
    const head = html`<th scope="rowgroup" colspan="${sites.length + 1}" class="group"><span>${title}</span></th>`;
    const lines = rows.map((row, at) => {
      const cells = sites.map((site, column) => {
        if (hasResults(site)) return resultCell(row, row.results[column] ?? null, site);
        return at === 0 ? html`<td rowspan="${rows.length}" class="quiet">No results</td>` : null;
      });
      return html`<tr>${checkTitle(row, methodology)}${cells}</tr>`;
    });
    return rows.length === 0 ? null : html`<tbody><tr>${head}</tr>${lines}</tbody>`;
  };
  const all = judged.length < sites.length ? "all with results" : "all";
  const sameTitle =
    judged.length === 1 ? "Checks" : `The same for ${all}: ${counted(same.length, "check")}`;
  const check = html`<th scope="col" class="first">Check</th>`;
  const columns = [check, ...headsOf(sites, methodology)];
  return scrollingTable(
    { name: "checks by site", caption: "Checks by site", className: "sheet compare", columns },
    [
      html`<tbody>${factRows(sites, methodology)}</tbody>`,
      group(`Different: ${counted(different.length, "check")}`, different),
      group(sameTitle, same),
    ],
  );
}

function headsOf(sites: readonly ComparedSite[], { to }: CompareMethodology): Html[] {
  const hosts = sites.map(({ host }) => host);
  return sites.map(({ host, name }) => {
    const label = visible(name);
    const rest = hosts.filter((one) => one !== host);
    const href = rest.length === 0 ? "compare" : `compare?${comparedQuery(rest)}`;
    return html`<th scope="col">
      <a href="${to(`sites/${host}`)}"><bdi>${label === null ? host : cutText(oneLine(label), NAME_MAX)}</bdi></a>
      ${label && html`<span class="address">${brokenAtDots(host)}</span>`}
      <a href="${to(href)}" class="without" rel="nofollow">Leave out${unseen(` ${host}`)}</a>
      </th>`;
  });
}

function factRows(sites: readonly ComparedSite[], { rubric }: CompareMethodology): Html[] {
  const row = (title: string, cell: (site: ComparedSite) => Part) =>
    html`<tr>
      <th scope="row" class="first">${title}</th>
      ${sites.map((site) => html`<td>${cell(site) ?? NO_VALUE}</td>`)}
      </tr>`;
  const rows = [
    row("Score", ({ scan }) =>
      scan.score === null
        ? "Not scored"
        : scoreTag(levelOf(scan, { rubric }), numberOf(scan.score)),
    ),
    row("Band", ({ scan }) => bandLabel(scan, { rubric })),
    row("Points earned", (site) => {
      const points = earnedPoints(site);
      return points === null ? null : numberOf(points);
    }),
    row("Penalties", ({ scan }) =>
      scan.penalties ? `−${numberOf(Math.abs(scan.penalties))}` : null,
    ),
    row("Capped at", ({ scan }) => (scan.cappedAt === null ? null : numberOf(scan.cappedAt))),
    row("Scanned", ({ scan }) => timeElement(scan.finishedAt, dayOf(scan.finishedAt))),
  ];
  const versions = new Set(sites.flatMap(({ scan }) => scan.scoreVersion ?? []));
  return versions.size < 2
    ? rows
    : [...rows, row("Scoring version", ({ scan }) => scan.scoreVersion)];
}

const MARK_TEXTS = { pass: "yes", warn: "in part", fail: "no", na: "n/a" } as const;

function checkTitle({ id, label }: ComparedCheck, { checkIds, to }: CompareMethodology): Html {
  const name = html`<bdi>${cutText(oneLine(visible(label) ?? id), NAME_MAX)}</bdi>`;
  const address = `standards#${checkAnchor(id)}`;
  const title = checkIds.includes(id) ? html`<a href="${to(address)}">${name}</a>` : name;
  return html`<th scope="row" class="first">${title}</th>`;
}

function resultCell(
  { kind }: ComparedCheck,
  result: ComparedSite["checks"][number] | null,
  { scan }: ComparedSite,
): Html {
  if (result === null) return html`<td class="quiet">Not checked</td>`;
  const { status, maxPoints } = result;
  // A check that brings no points never looks failed.
  const isOptional = kind !== "penalty" && maxPoints === 0;
  const mark = isOptional ? `${status} extra` : status;
  return html`<td class="${isOptional ? "result extra" : "result"}">
    <span class="${mark}">${MARK_TEXTS[status]}</span>
    ${scan.score === null ? null : pointsIn(result, kind)}</td>`;
}

/** The points of a result, after its mark; "" if there are none to show. */
function pointsIn(
  { status, points, maxPoints }: ComparedSite["checks"][number],
  kind: ComparedCheck["kind"],
): string {
  if (kind === "penalty") return points === 0 ? "" : ` −${numberOf(Math.abs(points))}`;
  if (maxPoints === 0 || status === "na") return "";
  return ` ${numberOf(points)} of ${numberOf(maxPoints)}`;
}
