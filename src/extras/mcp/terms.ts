import * as z from "zod";
import { facetsValue } from "../../answer/bodies.js";
import { madeOnce, type SnapshotView } from "../../answer/content.js";
import { standardsOf, tagsOf } from "../../answer/page-facts.js";
import type { Issue } from "../../contract/error.js";
import { Count, field, nullableText, textField } from "../../contract/field.js";
import {
  FACET_FILTERS,
  type FacetFilterName,
  type FilterTerm,
  facetItems,
  LIST_FILTER_NAMES,
  LIST_FILTERS,
} from "../../contract/filters.js";
import { nearNames } from "../../contract/near.js";
import type { SearchQuery } from "../../contract/query.js";
import { integer, oneOf, searchText } from "../../contract/values.js";
import { titleOf } from "../../pages/kit/words.js";
import { toolOf } from "./tool.js";

/* The words that tools take: agents can list them, and learn which ones a mistyped word may have meant. */

export type TermKind = FilterTerm | "crawler";
const KINDS: readonly TermKind[] = [
  ...LIST_FILTER_NAMES.map((name) => LIST_FILTERS[name].term),
  "crawler",
];

const Term = z.strictObject({
  kind: field(z.enum(KINDS), "What the term names.", "category"),
  slug: textField("What tools take as an argument.", "health"),
  name: textField("Its name for people.", "Health"),
  about: nullableText("What it is, if the directory says so.", "Clinics, medicine and sports."),
});
type Term = z.output<typeof Term>;

/** By kind. The terms of a facet may be left out: the facet names them. */
type TermTable = Readonly<
  Record<Exclude<TermKind, CountedTerm>, readonly Term[]> &
    Partial<Record<CountedTerm, readonly Term[]>>
>;
type CountedTerm = (typeof LIST_FILTERS)[FacetFilterName]["term"];

/** All terms of a directory, by kind, in the publisher's order. */
const termsOf = madeOnce(async (snapshot: SnapshotView): Promise<readonly Term[]> => {
  const { rubric, checks, crawlerCatalogue, aiCrawlers } = await standardsOf(snapshot);
  const named = (kind: TermKind) => (one: { readonly slug: string; readonly name?: string }) => ({
    kind,
    slug: one.slug,
    name: one.name ?? titleOf(one.slug),
    about: null,
  });
  const facets = facetsValue(await (await snapshot.engine).facets({}));
  const catalogued = crawlerCatalogue.map(({ name, robotsToken, summary: about }) => ({
    kind: "crawler" as const,
    slug: robotsToken ?? name,
    name,
    about,
  }));
  const slugs = new Set(catalogued.map(({ slug }) => slug));
  const others = aiCrawlers.filter(({ name }) => !slugs.has(name));
  const known: TermTable = {
    tag: (await tagsOf(snapshot)).map(named("tag")),
    check: checks.map(({ id, name, overview }) => ({
      kind: "check",
      slug: id,
      name,
      about: overview,
    })),
    band: rubric.bands.map(({ band, label, min, max }) => ({
      kind: "band",
      slug: band,
      name: label,
      about: `Scores from ${min} to ${max}.`,
    })),
    crawler: [
      ...catalogued,
      ...others.map(({ name }) => ({ kind: "crawler", slug: name, name, about: null }) as const),
    ],
  };
  const counted = new Map(
    FACET_FILTERS.map((name): [TermKind, readonly Term[]] => {
      const { term } = LIST_FILTERS[name];
      const items = facetItems(facets, name).flatMap((item) => ("slug" in item ? item : []));
      return [term, items.map(named(term))];
    }),
  );
  return KINDS.flatMap((kind) => known[kind] ?? counted.get(kind) ?? []);
});

export const listTerms = toolOf(
  {
    name: "list_terms",
    title: "List what can be asked about",
    description:
      "The slugs that other tools take, with their names: categories, tags, platforms, checks (for " +
      "`capability` and `check`), bands and crawlers. Call it before you filter by one.",
    parameters: {
      kind: { kind: oneOf(KINDS), description: "Only terms of this kind.", example: "category" },
      q: {
        kind: searchText(1, 100),
        description: "Only terms whose slug or name has this text, ignoring case.",
        example: "health",
      },
      page: {
        kind: integer(1, 10_000),
        absent: 1,
        description: "Number of the page, counted from 1.",
        example: 2,
      },
      limit: { kind: integer(1, 300), absent: 300, description: "Terms per page.", example: 50 },
    },
    output: z.strictObject({
      data: field(z.array(Term), "The terms of the page, by kind, in the publisher's order."),
      total: field(Count, "The number of all terms that match.", 28),
    }),
  },
  async ({ kind, q = "", page, limit }, snapshot) => {
    const wanted = q.toLowerCase();
    const found = (await termsOf(snapshot)).filter(
      (term) =>
        (kind === undefined || term.kind === kind) &&
        (term.slug.toLowerCase().includes(wanted) || term.name.toLowerCase().includes(wanted)),
    );
    const data = found.slice((page - 1) * limit, page * limit);
    return { content: { data, total: found.length } };
  },
);

/** The term of a slug; or the issue of an argument that no term has. */
export async function knownTerm(
  path: string,
  kind: TermKind,
  slug: string,
  snapshot: SnapshotView,
): Promise<{ readonly term: Term } | { readonly issue: Issue }> {
  const terms = (await termsOf(snapshot)).filter((term) => term.kind === kind);
  const term = terms.find((one) => one.slug === slug);
  if (term !== undefined) return { term };
  return {
    issue: unknownTerm(
      path,
      kind,
      slug,
      terms.map((one) => one.slug),
    ),
  };
}

/** @param slugs the slugs that there are */
export function unknownTerm(
  path: string,
  kind: TermKind,
  slug: string,
  slugs: Iterable<string>,
): Issue {
  const near = nearNames(slug, slugs).map((one) => `"${one}"`);
  const hint = near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`;
  const ending = hint === "" ? "; " : " ";
  const shown = slug.length > 100 ? `${slug.slice(0, 100).toWellFormed()}…` : slug;
  return {
    path,
    message: `"${shown}" is no ${kind} of this directory${hint}${ending}list_terms has all of kind "${kind}"`,
  };
}

/** How many unknown slugs an answer says something about. */
const UNKNOWN_MAX = 5;

/** Issues of slugs in a search that the directory does not have. */
export async function unknownSlugs(query: SearchQuery, snapshot: SnapshotView): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const name of LIST_FILTER_NAMES) {
    const { term } = LIST_FILTERS[name];
    for (const [index, slug] of (query[name] ?? []).entries()) {
      if (issues.length === UNKNOWN_MAX) return issues;
      const found = await knownTerm(`${name}[${index}]`, term, slug, snapshot);
      if ("issue" in found) issues.push(found.issue);
    }
  }
  return issues;
}
