import * as z from "zod";
import { BODIES } from "../../contract/bodies.js";
import { Count, field, nullableText, Score, textField } from "../../contract/field.js";
import {
  countPassing,
  countSubject,
  type GroupFigures,
  medianScore,
  sharePassing,
} from "../../contract/figures.js";
import { type SearchQuery as Search, SearchQuery } from "../../contract/query.js";
import { ROUTES } from "../../contract/routes.js";
import { CheckDescription, Standards } from "../../contract/standards.js";
import { integer, oneOf, SLUG } from "../../contract/values.js";
import type { Engine } from "../../engine/answering.js";
import type { SnapshotView } from "../answer/content.js";
import { figuresOf, standardsOf } from "../answer/page-facts.js";
import { CALL_HOSTS_MAX, invalid, toolOf } from "./tool.js";

const decoder = new TextDecoder();

async function searched(query: Search, engine: Engine): Promise<z.output<typeof BODIES.search>> {
  return JSON.parse(decoder.decode(await engine.search(query)));
}

export const searchSites = toolOf(
  {
    name: "search_sites",
    title: "Search sites",
    description:
      "Listed sites by text, category, tag, platform, passed check, band or score. Answers with summaries, the best scores first unless `sort` says otherwise. A score of null never means zero.",
    parameters: SearchQuery,
    output: BODIES.search,
  },
  async (query, snapshot) => ({ content: await searched(query, await snapshot.engine) }),
);

const FIGURES = ["passing", "scores", "listed"] as const;

const Fact = z.strictObject({
  statement: textField("The figure as a sentence.", "48 of 132 sites pass `llms-txt`."),
  value: field(
    z.number().nullable(),
    "`passing`: percent of the sites to which the check applies, null if too few pass or fail for a share. `scores`: the median. `listed`: the number of sites.",
    36,
  ),
  unit: field(z.enum(["percent", "points", "sites"]), "Unit of the value.", "percent"),
  n: field(Count, "The number of sites that the figure is made of.", 132),
  count: field(Count, "How many of them the figure counts.", 48),
  scoreVersion: textField("Version of the scoring methodology.", "2026.1"),
  asOf: nullableText("When the last of the directory's sites was scanned."),
  scores: field(
    z.array(z.tuple([Score, Count])),
    "With `scores`: pairs of a score and its number of sites, by rising score.",
    [[86, 4]],
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
      "A figure about the directory or one category that you can cite: the share of sites that pass a check (`passing`, needs `check`), the median score (`scores`), or how many sites are listed (`listed`). Each comes with the number of sites it rests on, its date, and the hosts behind it.",
    parameters: {
      figure: {
        kind: oneOf(FIGURES),
        isRequired: true,
        description: "Which figure.",
        example: "passing",
      },
      check: {
        kind: SLUG,
        description: "Id of a check that earns points or shows a capability; for `passing`.",
        example: "llms-txt",
      },
      category: {
        kind: SLUG,
        description: "Slug of a category. Default: the whole directory.",
        example: "health",
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
  async ({ figure, check, category, limit }, snapshot) => {
    const { all, categories, lastScannedAt: asOf } = await figuresOf(snapshot);
    const none: GroupFigures = { listed: 0, scored: 0, scores: [], passed: {}, exempt: {} };
    const own = Object.entries(categories).find(([slug]) => slug === category);
    const group = category === undefined ? all : (own?.[1] ?? none);
    const isPassing = figure === "passing";
    const { checks } = await standardsOf(snapshot);
    const ids = checks.flatMap(({ id, kind }) => (kind === "penalty" ? [] : [id]));
    if (isPassing && (check === undefined || !ids.includes(check))) {
      return invalid([{ path: "check", message: `must be one of ${ids.join(", ")}` }]);
    }
    if (!isPassing && check !== undefined) {
      return invalid([{ path: "check", message: "is for the figure passing alone" }]);
    }
    const filters = {
      ...(check !== undefined && { capability: [check] }),
      ...(category !== undefined && { category: [category] }),
    };
    const made = {
      passing: () => passing(group, check ?? ""),
      scores: () => median(group),
      listed: () => listedSites(group),
    };
    const scoreVersion = snapshot.directory.rubric.version;
    const found = await hostsBehind(filters, limit, snapshot);
    return { content: { scores: [], ...made[figure](), scoreVersion, asOf, ...found } };
  },
);

type Filters = Pick<Search, "capability" | "category">;

async function hostsBehind(filters: Filters, limit: number, snapshot: SnapshotView) {
  const query = { ...filters, sort: "score", page: 1, limit: Math.max(1, limit) } as const;
  const { data, pagination } = await searched(query, await snapshot.engine);
  const parameters = Object.entries(filters).flatMap(([name, values]) =>
    (values ?? []).map((value) => `${name}=${value}`),
  );
  return {
    hosts: data.slice(0, limit).map(({ host }) => host),
    hostsTotal: pagination.total,
    search: `${snapshot.directory.baseUrl}${ROUTES.search.path}?${parameters.join("&")}`,
  };
}

function passing(group: GroupFigures, check: string) {
  const [n, count] = [countSubject(group, check), countPassing(group, check)];
  const share = sharePassing(group, check);
  return {
    statement: `${count} of the ${n} sites to which it applies pass the check ${check}.`,
    value: typeof share === "number" ? share : null,
    unit: "percent",
    ...{ n, count },
  } as const;
}

function median(group: GroupFigures) {
  const value = medianScore(group);
  return {
    statement:
      value === null
        ? "No site has a score of the current methodology."
        : `The median score of the ${group.scored} sites with a current score is ${value} of 100.`,
    value,
    unit: "points",
    n: group.listed,
    count: group.scored,
    scores: group.scores.map(([one, sites]): [number, number] => [one, sites]),
  } as const;
}

function listedSites({ listed: count }: GroupFigures) {
  const statement = `${count} sites are listed.`;
  return { statement, value: count, unit: "sites", n: count, count } as const;
}

const Short = CheckDescription.pick({
  ...{ id: true, name: true, overview: true, kind: true, checkClass: true },
  ...{ lifecycle: true, block: true, maxPoints: true },
});

export const getMethodology = toolOf(
  {
    name: "get_methodology",
    title: "Read how sites are scored",
    description:
      "The bands of scores and all checks, each in short. With `check`, everything about one check: what it looks for, why it matters, what its results mean, and its limits.",
    parameters: {
      check: { kind: SLUG, description: "Id of a check.", example: "llms-txt" },
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
    if (id !== undefined && asked === undefined) {
      const message = `must be one of ${checks.map((one) => one.id).join(", ")}`;
      return invalid([{ path: "check", message }]);
    }
    const shown = asked === undefined ? checks : [asked];
    const short = shown.map((one) => Short.strip().parse(one));
    return { content: { rubric, checks: short, check: asked ?? null } };
  },
);
