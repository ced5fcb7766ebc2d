import type { PageContext } from "../kit/page-context.js";
import { checkAnchor } from "../kit/page-context.js";
import { el, type Tree, type TreeElement, unseen } from "../kit/tree.js";
import {
  bandLabel,
  counted,
  dayOf,
  levelOf,
  listed,
  NO_VALUE,
  numberOf,
  visible,
} from "../kit/words.js";
import {
  type ComparedCheck,
  type ComparedSite,
  comparedChecks,
  comparedQuery,
  earnedPoints,
} from "./comparison.js";

/** What a comparison needs of the directory. */
export type CompareMethodology = Pick<PageContext, "rubric" | "checkIds">;

/** The sites that were asked for, each with its report; null for those without one. */
export type ComparedHosts = readonly (readonly [host: string, site: ComparedSite | null])[];

/** The comparison of sites. The server and, in a tree, the page's script draw it. */
export function compareView(asked: ComparedHosts, methodology: CompareMethodology): Tree[] {
  const sites = asked.flatMap(([, site]) => site ?? []);
  const missing = asked.flatMap(([host, site]) => (site === null ? [host] : []));
  return [
    ...(missing.length === 0
      ? []
      : [
          el(
            "p",
            { class: "notice" },
            `${listed(missing)} ${missing.length === 1 ? "has" : "have"} no report here.`,
          ),
        ]),
    ...(sites.length === 0 ? [] : [comparedTable(sites, methodology)]),
  ];
}

function comparedTable(
  sites: readonly ComparedSite[],
  methodology: CompareMethodology,
): TreeElement {
  const checks = comparedChecks(sites, methodology.checkIds);
  const different = checks.filter(({ isDifferent }) => isDifferent);
  const same = checks.filter(({ isDifferent }) => !isDifferent);
  const group = (title: string, rows: readonly ComparedCheck[]) =>
    rows.length === 0
      ? null
      : el(
          "tbody",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "rowgroup", colspan: sites.length + 1, class: "group" }, title),
          ),
          rows.map((row) => checkRow(row, methodology)),
        );
  const isAlone = sites.length === 1;
  return el(
    "div",
    { class: "scroll", role: "region", "aria-label": "Table: checks by site", tabindex: 0 },
    el(
      "table",
      { class: "compare" },
      el("caption", { class: "hidden" }, "Checks by site"),
      headOf(sites),
      el("tbody", {}, factRows(sites, methodology)),
      group(`Different: ${counted(different.length, "check")}`, different),
      group(isAlone ? "Checks" : `The same for all: ${counted(same.length, "check")}`, same),
    ),
  );
}

/** A host that may wrap after each of its dots. */
function hostLines(host: string): Tree[] {
  return host
    .split(/(?<=\.)/)
    .flatMap((part, index) => (index === 0 ? part : [el("wbr", {}), part]));
}

function headOf(sites: readonly ComparedSite[]): TreeElement {
  const hosts = sites.map(({ host }) => host);
  const cell = ({ host, name }: ComparedSite) => {
    const label = visible(name);
    const rest = hosts.filter((one) => one !== host);
    const href = rest.length === 0 ? "compare" : `compare?${comparedQuery(rest)}`;
    return el(
      "th",
      { scope: "col" },
      el("a", { href: `sites/${host}` }, el("bdi", {}, label ?? host)),
      label === null ? null : el("span", { class: "address" }, hostLines(host)),
      el("a", { href, class: "without", rel: "nofollow" }, "Leave out", unseen(` ${host}`)),
    );
  };
  return el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Check"), sites.map(cell)));
}

function factRows(sites: readonly ComparedSite[], { rubric }: CompareMethodology): TreeElement[] {
  const row = (title: string, cell: (site: ComparedSite) => Tree | null) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, title),
      sites.map((site) => el("td", {}, cell(site) ?? NO_VALUE)),
    );
  const rows = [
    row("Score", ({ scan }) =>
      scan.score === null
        ? "Not scored"
        : el(
            "span",
            { class: `score-tag level-${levelOf(scan, { rubric })}` },
            numberOf(scan.score),
          ),
    ),
    row("Band", ({ scan }) => bandLabel(scan, { rubric })),
    row("Points earned", (site) => {
      const { points, of } = earnedPoints(site);
      if (of === 0) return null;
      return `${numberOf(points)} of ${numberOf(of)} (${numberOf(Math.round((100 * points) / of))}\u00a0%)`;
    }),
    row("Penalties", ({ scan }) =>
      scan.penalties ? `−${numberOf(Math.abs(scan.penalties))}` : null,
    ),
    row("Capped at", ({ scan }) => (scan.cappedAt === null ? null : numberOf(scan.cappedAt))),
    row("Scanned", ({ scan }) => el("time", { datetime: scan.finishedAt }, dayOf(scan.finishedAt))),
  ];
  const versions = new Set(sites.flatMap(({ scan }) => scan.scoreVersion ?? []));
  return versions.size < 2
    ? rows
    : [...rows, row("Scoring version", ({ scan }) => scan.scoreVersion)];
}

const MARK_TEXTS = { pass: "yes", warn: "in part", fail: "no", na: "n/a" } as const;

function checkRow(
  { id, label, kind, results }: ComparedCheck,
  { checkIds }: CompareMethodology,
): TreeElement {
  const name = el("bdi", {}, visible(label) ?? id);
  return el(
    "tr",
    {},
    el(
      "th",
      { scope: "row" },
      checkIds.includes(id) ? el("a", { href: `standards#${checkAnchor(id)}` }, name) : name,
    ),
    results.map((one) => {
      if (one === null) return el("td", {}, NO_VALUE);
      const { status, points, maxPoints } = one;
      // What brings no points never looks failed.
      const isOptional = kind !== "penalty" && maxPoints === 0;
      const text =
        kind === "penalty"
          ? points === 0
            ? ""
            : ` −${numberOf(Math.abs(points))}`
          : maxPoints === 0 || status === "na"
            ? ""
            : ` ${numberOf(points)} of ${numberOf(maxPoints)}`;
      return el(
        "td",
        { class: isOptional ? "result extra" : "result" },
        el(
          "span",
          { class: isOptional && status === "fail" ? "fail extra" : status },
          MARK_TEXTS[status],
        ),
        text,
      );
    }),
  );
}
