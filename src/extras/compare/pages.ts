import type { Page } from "../../answer/page-types.js";
import { ISSUES_MAX } from "../../contract/error.js";
import { firstPairs } from "../../contract/query.js";
import { HOST_TEXT } from "../../contract/values.js";
import { categoryPageNamed } from "../../pages/kit/page-names.js";
import { CSV, HTML, PAGE_POLICY } from "../../pages/kit/routes.js";
import { comparedQuery, comparedTexts } from "./compared-query.js";
import { figureAddress, figureForms, figureNamed, tableNamed } from "./names.js";

/* Loaded with the first of these pages: the script of an edge worker stays small. */
const drawings = () => import("./drawings.js");

const PAGE = { contentType: HTML, policy: PAGE_POLICY } as const;

/** The pages that compare sites, and the charts as files. */
export const PAGES: readonly Page[] = [
  {
    // Up to 20 reports side by side: those of `?sites=`.
    ...PAGE,
    name: "compare",
    after: "category",
    path: "/compare",
    isSuggested: true,
    navigation: "Compare",
    purged: ["/compare*"],
    ofSites: {
      label: "Compare",
      prompt: "Compare the sites that are ticked.",
      reportLink: (host) => `Compare ${host} with others`,
    },
    readState: (query) => ({ ok: true, value: comparedText(query) }),
    load: async () => (await drawings()).compareDrawing,
  },
  {
    name: "compareCsv",
    after: "compare",
    path: "/compare.csv",
    contentType: CSV,
    isIndexedWithQuery: true,
    files: [],
    purged: [],
    readState: (query) => {
      const wrong = [...comparedTexts(firstPairs(query)).others.values()];
      if (wrong.length === 0) return { ok: true, value: comparedText(query) };
      const { message } = HOST_TEXT;
      const issues = wrong
        .slice(0, ISSUES_MAX + 1)
        .map((at) => ({ path: `sites[${at}]`, message }));
      return { ok: false, issues };
    },
    load: async () => (await drawings()).compareCsvDrawing,
  },
  {
    // Which sites of a category pass which checks.
    ...PAGE,
    name: "matrix",
    after: "category",
    path: "/matrix/{category}",
    fits: (name) => categoryPageNamed(name) !== null,
    term: "category",
    queryTerms: { fails: "capability", passes: "capability", sort: "capability" },
    isInSitemap: true,
    ofCategory: {
      link: "Compare them check by check",
      rowLink: "Who passes what",
    },
    readState: (query) => ({ ok: true, value: choicesText(query) }),
    load: async () => (await drawings()).matrixDrawing,
  },
  {
    // The same table as CSV.
    name: "table",
    after: "matrix",
    path: "/tables/{name}",
    contentType: CSV,
    fits: (name) => tableNamed(name) !== null,
    term: "category",
    files: ["tables/{category}.csv"],
    guide: {
      address: "tables/{category}.csv",
      says: "says which of its sites pass which check",
    },
    load: async () => (await drawings()).tableDrawing,
  },
  {
    // A chart as a picture, or its numbers, depending on the name's ending.
    name: "figure",
    after: "figures",
    path: "/figures/{name}",
    contentType: "image/svg+xml",
    fits: (name) => figureNamed(name) !== null,
    term: "category",
    needsRasterizer: (name) => name.endsWith(".png"),
    files: ["figures/{category}.svg", "figures/{category}.csv", "figures/{category}.png"],
    chartFiles: (kind, slug, hasPictures) =>
      figureForms(hasPictures).map((form) => ({
        address: figureAddress(slug, kind, form),
        format: form.toUpperCase(),
      })),
    load: async () => (await drawings()).figureDrawing,
  },
];

function comparedText(query: string): string {
  const { hosts, others } = comparedTexts(firstPairs(query));
  return comparedQuery([...hosts, ...others.keys()]);
}

/** What a matrix shows and in which order. Which checks there are depends on the snapshot. */
function choicesText(query: string): string {
  const given = new URLSearchParams(firstPairs(query));
  const texts = ["sites", "fails", "passes", "sort", "extras", "table"].flatMap(
    (name): [string, string][] => {
      const value = given.get(name) ?? "";
      return value === "" ? [] : [[name, value]];
    },
  );
  return new URLSearchParams(texts).toString();
}
