import * as z from "zod";
import { hostsOf, searchValue } from "../../answer/bodies.js";
import type { SnapshotView } from "../../answer/content.js";
import { figuresOf, standardsOf } from "../../answer/page-facts.js";
import { BODIES, Issue } from "../../contract/bodies.js";
import { Count, field, nullableText, Score, textField } from "../../contract/field.js";
import {
  countPassing,
  countSubject,
  type GroupFigures,
  medianScore,
  sharePassing,
} from "../../contract/figures.js";
import { LIST_FILTER_NAMES, LIST_FILTERS } from "../../contract/filters.js";
import { type SearchQuery as Search, SearchQuery } from "../../contract/query.js";
import { ROUTES } from "../../contract/routes.js";
import { CheckDescription, Standards } from "../../contract/standards.js";
import { own, tableOf } from "../../contract/tables.js";
import { integer, oneOf, SLUG } from "../../contract/values.js";
import { counted, numberOf } from "../../pages/kit/words.js";
import { termOf, termsOf } from "./terms.js";
import { CALL_HOSTS_MAX, invalid, toolOf } from "./tool.js";

/** An agent finds the slugs with another tool than a client of the API with its reads. */
const FILTERS = tableOf(LIST_FILTER_NAMES, (name) => {
  const { title, term, match } = LIST_FILTERS[name];
  const rule = match === "any" ? "any may match" : "all must match";
  const description = `${title}: slugs of kind \`${term}\` (list_terms); ${rule}.`;
  return { ...SearchQuery[name], description };
});

export const searchSites = toolOf(
  {
    name: "search_sites",
    title: "Search sites",
    description:
      "Listed sites by text, category, tag, platform, passed check, band or score. Answers with " +
      "summaries, the best scores first unless `sort` says otherwise. A score of null never means zero.",
    parameters: { ...SearchQuery, ...FILTERS },
    output: BODIES.search.extend({
      unknown: field(
        z.array(Issue),
        "Slugs of the call that are none of this directory's. They match nothing, except in scans of " +
          "older methodologies.",
      ),
    }),
  },
  async (query, snapshot, unknown) => {
    const found = await (await snapshot.engine).search(query);
    return { content: { ...searchValue(query, found), unknown: unknown.slice(0, UNKNOWN_MAX) } };
  },
);

/** How many unknown slugs an answer says something about. */
const UNKNOWN_MAX = 5;

const FIGURES = ["passing", "scores", "listed"] as const;

const FIGURE = {
  value: field(
    z.number().nullable(),
    "`passing`: percent of the sites to which the check applies, null if too few pass or fail for a " +
      "share. `scores`: the median. `listed`: the number of sites.",
    36,
  ),
  n: field(Count, "The number of sites that the figure is made of.", 132),
  count: field(Count, "How many of them the figure counts.", 48),
};

const Fact = z.strictObject({
  statement: textField(
    "The figure as a sentence.",
    "Of the 132 sites in the directory to which the check llms-txt applies, 48 pass it.",
  ),
  ...FIGURE,
  unit: field(z.enum(["percent", "points", "sites"]), "Unit of the value.", "percent"),
  scoreVersion: textField("Version of the scoring methodology.", "2026.1"),
  asOf: nullableText("When the last of the directory's sites was scanned."),
  scores: field(
    z.array(
      z.strictObject({
        score: field(Score, "A score.", 86),
        sites: field(Count, "The number of sites that have it.", 4),
      }),
    ),
    "With `scores`: how many sites have each score, by rising score.",
  ),
  categories: field(
    z.array(
      z.strictObject({
        category: textField("Slug of the category.", "health"),
        name: textField("Its name.", "Health"),
        value: FIGURE.value,
        n: FIGURE.n,
        count: FIGURE.count,
      }),
    ),
    "With `by`: the figure of each category that has sites, the highest first. Those with too few sites " +
      "to compare come last.",
  ),
  hosts: field(z.array(z.string()), "Sites behind the figure, as far as `limit` goes.", [
    "example.org",
  ]),
  hostsTotal: field(Count, "The number of all sites behind the figure.", 48),
  search: textField(
    "The address of the search that finds them.",
    "https://api.directory.example/api/sites?capability=llms-txt",
  ),
});

/** Answers with a figure, the number of sites that it rests on, and those sites. */
export const facts = toolOf(
  {
    name: "facts",
    title: "A figure and the sites behind it",
    description:
      "A figure about the directory or one category that you can cite: the share of sites that pass a " +
      "check (`passing`, needs `check`), the median score (`scores`), or how many sites are listed " +
      "(`listed`). Each comes with the number of sites it rests on, its date, and the hosts behind it. " +
      "`by` adds the figures of all categories, to compare them in one call.",
    parameters: {
      figure: {
        kind: oneOf(FIGURES),
        isRequired: true,
        description: "Which figure.",
        example: "passing",
      },
      check: {
        kind: SLUG,
        names: "capability",
        description: "Id of a check that earns points or shows a capability; for `passing`.",
        example: "llms-txt",
      },
      category: {
        kind: SLUG,
        names: "category",
        description: "Slug of a category. Default: the whole directory.",
        example: "health",
      },
      by: {
        kind: oneOf(["category"]),
        description: "Adds the same figure for each category.",
        example: "category",
      },
      limit: {
        kind: integer(0, CALL_HOSTS_MAX),
        absent: 20,
        description: "The most hosts to name.",
        example: 20,
      },
    },
    output: Fact,
  },
  async ({ figure, check, category, by, limit }, snapshot) => {
    const { all, categories, lastScannedAt: asOf } = await figuresOf(snapshot);
    const issue = await checkIssue(figure, check, snapshot);
    if (issue) return invalid([issue]);
    const found = category && (await termOf("category", category, snapshot));
    const where = found ? `in the category ${found.name} (${found.slug})` : "in the directory";
    const group = found ? (own(categories, found.slug) ?? NO_SITES) : all;
    const filters = {
      ...(check !== undefined && { capability: [check] }),
      ...(category !== undefined && { category: [category] }),
    };
    const make = (one: GroupFigures, place: string) => {
      if (figure === "passing") return passing(one, check ?? "", place);
      return figure === "scores" ? median(one, place) : listedSites(one, place);
    };
    const terms = by === undefined ? [] : await termsOf(snapshot);
    const ranked = terms.flatMap(({ kind, slug, name }) => {
      const one = kind === "category" ? own(categories, slug) : undefined;
      if (one === undefined) return [];
      const { value, n, count, rank } = make(one, "");
      return { rank, shown: { category: slug, name, value, n, count } };
    });
    ranked.sort((a, b) => b.rank - a.rank);
    const { rank: _, ...made } = make(group, where);
    const scoreVersion = snapshot.directory.rubric.version;
    const behind = await hostsBehind(filters, limit, snapshot);
    const shown = ranked.map((one) => one.shown);
    return { content: { scores: [], ...made, scoreVersion, asOf, categories: shown, ...behind } };
  },
);

/** Below every figure: nothing can be said. */
const NO_RANK = -1;
const NO_SITES: GroupFigures = { listed: 0, scored: 0, scores: [], passed: {}, exempt: {} };

/** What is wrong with the argument `check` of `facts`: a penalty has no share of sites that pass it. */
async function checkIssue(
  figure: (typeof FIGURES)[number],
  check: string | undefined,
  snapshot: SnapshotView,
): Promise<Issue | null> {
  const path = "check";
  if (figure !== "passing") {
    const message = "is for the figure passing alone: leave it out";
    return check === undefined ? null : { path, message };
  }
  if (check === undefined) {
    return { path, message: 'is required for this figure; list_terms has all of kind "check"' };
  }
  const { checks } = await standardsOf(snapshot);
  if (checks.find(({ id }) => id === check)?.kind !== "penalty") return null;
  const message = `${check} is a penalty, which has no share of passing sites; take another check of list_terms`;
  return { path, message };
}

type Filters = Pick<Search, "capability" | "category">;

async function hostsBehind(filters: Filters, limit: number, snapshot: SnapshotView) {
  const query = { ...filters, sort: "score", page: 1, limit: Math.max(1, limit) } as const;
  const { summaries, total } = await (await snapshot.engine).search(query);
  const parameters = Object.entries(filters).flatMap(([name, values]) =>
    (values ?? []).map((value) => `${name}=${value}`),
  );
  return {
    hosts: hostsOf(summaries.slice(0, limit)),
    hostsTotal: total,
    search: `${snapshot.directory.baseUrl}${ROUTES.search.path}?${parameters.join("&")}`,
  };
}

/** @param where the sites that are counted, as the end of a phrase: `in the directory` */
function passing(group: GroupFigures, check: string, where: string) {
  const n = countSubject(group, check);
  const count = countPassing(group, check);
  const share = sharePassing(group, check);
  const subject = `${counted(n, "site")} ${where} to which the check ${check} applies`;
  return {
    statement:
      n === 0
        ? `The check ${check} applies to no site ${where}.`
        : `Of the ${subject}, ${numberOf(count)} ${count === 1 ? "passes" : "pass"} it.`,
    value: typeof share === "number" ? share : null,
    unit: "percent",
    n,
    count,
    rank: share === null ? NO_RANK : count / n,
  } as const;
}

function median(group: GroupFigures, where: string) {
  const value = medianScore(group);
  return {
    statement:
      value === null
        ? `No site ${where} has a score of the current methodology.`
        : `The median score of the ${counted(group.scored, "site")} ${where} with a current score is ${value} of 100.`,
    value,
    unit: "points",
    n: group.listed,
    count: group.scored,
    rank: value ?? NO_RANK,
    scores: group.scores.map(([one, sites]) => ({ score: one, sites })),
  } as const;
}

function listedSites({ listed: count }: GroupFigures, where: string) {
  const statement = `${counted(count, "site")} ${where} ${count === 1 ? "is" : "are"} listed.`;
  return { statement, value: count, unit: "sites", n: count, count, rank: count } as const;
}

const Short = CheckDescription.pick({
  id: true,
  name: true,
  overview: true,
  kind: true,
  checkClass: true,
  lifecycle: true,
  block: true,
  maxPoints: true,
});

export const getMethodology = toolOf(
  {
    name: "get_methodology",
    title: "Read how sites are scored",
    description:
      "The bands of scores and all checks, each in short. With `check`, everything about one check: " +
      "what it looks for, why it matters, what its results mean, and its limits.",
    parameters: {
      check: {
        kind: SLUG,
        names: "capability",
        description: "Id of a check.",
        example: "llms-txt",
      },
    },
    output: z.strictObject({
      rubric: Standards.shape.rubric,
      checks: field(z.array(Short), "All checks, in the publisher's order; or the one asked for."),
      check: field(CheckDescription.nullable(), "Everything about the check asked for."),
    }),
  },
  async ({ check: id }, snapshot) => {
    const { rubric, checks } = await standardsOf(snapshot);
    const asked = checks.find((one) => one.id === id);
    const shown = asked === undefined ? checks : [asked];
    const short = shown.map((one) => Short.strip().parse(one));
    return { content: { rubric, checks: short, check: asked ?? null } };
  },
);
