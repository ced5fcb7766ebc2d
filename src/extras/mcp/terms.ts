import * as z from "zod";
import { facetsValue } from "../../answer/bodies.js";
import { madeOnce, type SnapshotView } from "../../answer/content.js";
import { standardsOf, tagsOf } from "../../answer/page-facts.js";
import type { Issue } from "../../contract/error.js";
import { field, nullableText, textField } from "../../contract/field.js";
import {
  FACET_FILTERS,
  type FacetFilterName,
  type FilterTerm,
  facetItems,
  LIST_FILTER_NAMES,
  LIST_FILTERS,
  type ListFilterName,
} from "../../contract/filters.js";
import { currentSlug } from "../../contract/former.js";
import { nearNames } from "../../contract/near.js";
import { titleOf } from "../../pages/kit/words.js";
import { crawlersOf } from "../access/crawlers.js";

/* The words that tools take: agents can list them, and learn which ones a mistyped word may have meant. */

export type TermKind = FilterTerm | "crawler";
const FILTER_KINDS = LIST_FILTER_NAMES.map((name): FilterTerm => LIST_FILTERS[name].term);
export const KINDS: readonly TermKind[] = [...FILTER_KINDS, "crawler"];

export const Term = z.strictObject({
  kind: field(z.enum(KINDS), "What the term names.", "category"),
  slug: textField("What tools take as an argument.", "health"),
  name: textField("Its name for people.", "Health"),
  about: nullableText("What it is, if the directory says so.", "Clinics, medicine and sports."),
});
type Term = z.output<typeof Term>;

/** By kind. The terms of a facet may be left out: the facet names them. */
type TermTable = Readonly<
  Record<Exclude<FilterTerm, CountedTerm>, readonly Term[]> &
    Partial<Record<CountedTerm, readonly Term[]>>
>;
type CountedTerm = (typeof LIST_FILTERS)[FacetFilterName]["term"];

/** All terms of a directory but its crawlers, by kind, in the publisher's order. */
export const termsOf = madeOnce(async (snapshot: SnapshotView): Promise<readonly Term[]> => {
  const { rubric, checks } = await standardsOf(snapshot);
  const named = (kind: TermKind) => (one: { readonly slug: string; readonly name?: string }) => ({
    kind,
    slug: one.slug,
    name: one.name ?? titleOf(one.slug),
    about: null,
  });
  const facets = facetsValue(await (await snapshot.engine).facets({}));
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
  };
  const counted = new Map(
    FACET_FILTERS.map((name): [TermKind, readonly Term[]] => {
      const { term } = LIST_FILTERS[name];
      const items = facetItems(facets, name).flatMap((item) => ("slug" in item ? item : []));
      return [term, items.map(named(term))];
    }),
  );
  return FILTER_KINDS.flatMap((kind) => known[kind] ?? counted.get(kind) ?? []);
});

/**
 * The crawlers that tools take: those of the methodology in its order, then those that only reports name. Apart from
 * `termsOf`, as few calls need the index of what reports say.
 */
export const crawlerTermsOf = madeOnce(async (snapshot: SnapshotView): Promise<readonly Term[]> => {
  const { crawlerCatalogue } = await standardsOf(snapshot);
  const catalogued = crawlerCatalogue.map(({ name, robotsToken, summary: about }) => {
    return { kind: "crawler" as const, slug: robotsToken ?? name, name, about };
  });
  const slugs = new Set(catalogued.map(({ slug }) => slug));
  const others = (await crawlersOf(snapshot)).filter(({ name }) => !slugs.has(name));
  return [
    ...catalogued,
    ...others.map(({ name }) => ({ kind: "crawler" as const, slug: name, name, about: null })),
  ];
});

/** The term that a slug of a filter names; undefined if no term does. @param slug of the present, or a former one */
export async function termOf(
  filter: ListFilterName,
  slug: string,
  snapshot: SnapshotView,
): Promise<Term | undefined> {
  const now = currentSlug(filter, slug, snapshot.directory.former);
  const terms = await termsOf(snapshot);
  return terms.find((one) => one.kind === LIST_FILTERS[filter].term && one.slug === now);
}

/** The issue of a value that no term of a filter has; null if one has it. */
export async function unknownSlug(
  path: string,
  filter: ListFilterName,
  slug: string,
  snapshot: SnapshotView,
): Promise<Issue | null> {
  if ((await termOf(filter, slug, snapshot)) !== undefined) return null;
  const { term } = LIST_FILTERS[filter];
  const terms = (await termsOf(snapshot)).filter(({ kind }) => kind === term);
  // Models often give the name that people see.
  const named = terms.filter(({ name }) => name.toLowerCase() === slug.trim().toLowerCase());
  const all = terms.map((one) => one.slug);
  return unknownTerm(path, term, slug, all, named.length === 1 ? [named[0]!.slug] : undefined);
}

/** @param slugs the slugs that there are */
function unknownTerm(
  path: string,
  kind: TermKind,
  slug: string,
  slugs: Iterable<string>,
  near: readonly string[] = nearNames(slug, slugs),
): Issue {
  const hint = near.length === 0 ? "; " : `; did you mean ${quotedOr(near)}? `;
  const cut = slug.length > 100 ? `${slug.slice(0, 100).toWellFormed()}…` : slug;
  // A value that is no text at all is not shown.
  const shown = slug === "" ? "This" : `"${cut}"`;
  return {
    path,
    message: `${shown} is no ${kind} of this directory${hint}list_terms has all of kind "${kind}"`,
  };
}

export function quotedOr(texts: readonly string[]): string {
  return texts.map((one) => `"${one}"`).join(" or ");
}
