import { LIST_FILTER_NAMES, type ListFilterName } from "./filters.js";
import type { ParameterTable, QueryOf } from "./query.js";
import { own, tableOf } from "./tables.js";

/*
 * Terms that were renamed (docs/contract.md#35-former-slugs). A request may name them by a former slug. It is read as
 * the slug that the term has now, before anything else is made of the request.
 */

/** By filter: the slugs that its terms had before, each with the slug that the term has now. */
export type FormerSlugs = {
  readonly [N in ListFilterName]?: Readonly<Record<string, string>>;
};

/** A slug that a term had before, as a snapshot stores it. */
export interface FormerSlug {
  readonly filter: ListFilterName;
  readonly slug: string;
  /** The slug that the term has now. */
  readonly now: string;
}

/** A table of former slugs; undefined if there are none. */
export function formerTable(all: readonly FormerSlug[] = []): FormerSlugs | undefined {
  if (all.length === 0) return undefined;
  return tableOf(LIST_FILTER_NAMES, (name) => {
    const some = all.filter(({ filter }) => filter === name);
    return Object.fromEntries(some.map(({ slug, now }) => [slug, now]));
  });
}

/** The former slugs of a table, as a snapshot stores them. */
export function formerList(former: FormerSlugs = {}): FormerSlug[] {
  return LIST_FILTER_NAMES.flatMap((filter) =>
    Object.entries(former[filter] ?? {}).map(([slug, now]) => ({ filter, slug, now })),
  );
}

/** The slug that a term has now. @param slug its slug, or a former one, or one that no term has */
export function currentSlug(
  filter: ListFilterName,
  slug: string,
  former: FormerSlugs | undefined,
): string {
  return own(former?.[filter] ?? {}, slug) ?? slug;
}

/** The slugs that terms have now, each once. */
export function currentSlugs(
  filter: ListFilterName,
  slugs: readonly string[],
  former: FormerSlugs | undefined,
): string[] {
  return [...new Set(slugs.map((slug) => currentSlug(filter, slug, former)))];
}

/** The slugs that a term had before. @param slug the one that it has now */
export function slugsBefore(
  filter: ListFilterName,
  slug: string,
  former: FormerSlugs | undefined,
): string[] {
  return Object.entries(former?.[filter] ?? {}).flatMap(([was, is]) => (is === slug ? was : []));
}

/** A query in which terms are named by the slugs that they have now. */
export function currentQuery<P extends ParameterTable>(
  table: P,
  query: QueryOf<P>,
  former: FormerSlugs | undefined,
): QueryOf<P> {
  if (former === undefined) return query;
  const current = Object.entries(query).map(([name, value]) => {
    const filter = own(table, name)?.names;
    if (filter === undefined) return [name, value];
    if (Array.isArray(value)) return [name, currentSlugs(filter, value, former)];
    return [name, typeof value === "string" ? currentSlug(filter, value, former) : value];
  });
  return Object.fromEntries(current) as QueryOf<P>;
}

/**
 * The name of a page or file that begins with a slug, with the slug that the term has now: `food--2.csv` for
 * `food-drink--2.csv`. No slug has a dot, or two hyphens in a row.
 */
export function currentName(
  filter: ListFilterName,
  name: string,
  former: FormerSlugs | undefined,
): string {
  return name.replace(LEADING_SLUG, (slug) => currentSlug(filter, slug, former));
}

/** The names that a page or file had before, as `currentName` reads them. */
export function namesBefore(
  filter: ListFilterName,
  name: string,
  former: FormerSlugs | undefined,
): string[] {
  const [slug = ""] = LEADING_SLUG.exec(name) ?? [];
  return slugsBefore(filter, slug, former).map((was) => was + name.slice(slug.length));
}

const LEADING_SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*/;

/**
 * A raw query with the slugs that terms have now; all else stays as it was sent.
 * @param names the filters whose slugs the parameters have
 */
export function currentText(
  names: Readonly<Record<string, ListFilterName>> | undefined,
  query: string,
  former: FormerSlugs | undefined,
): string {
  if (names === undefined || former === undefined) return query;
  const pairs = query.split("&").map((pair) => {
    const [name = "", value = ""] = [...new URLSearchParams(pair)][0] ?? [];
    const filter = own(names, name);
    const now = filter === undefined ? value : currentSlug(filter, value, former);
    return now === value ? pair : `${name}=${now}`;
  });
  return pairs.join("&");
}
