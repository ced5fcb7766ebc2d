import type { Facets } from "../../../src/contract/listing.js";
import type { SearchQuery } from "../../../src/contract/query.js";

/** A search answer from the page's summaries, as JSON. */
export function searchBody(
  summaries: readonly string[],
  { page, limit }: SearchQuery,
  total: number,
): Uint8Array {
  const totalPages = Math.ceil(total / limit);
  const pagination = `{"page":${page},"limit":${limit},"total":${total},"totalPages":${totalPages}}`;
  return Buffer.from(`{"data":[${summaries.join()}],"pagination":${pagination}}`);
}

export function suggestionsBody(suggestions: readonly string[]): Uint8Array {
  return Buffer.from(`{"data":[${suggestions.join()}]}`);
}

/** Counts by value; what is missing is 0. */
export type Counts = ReadonlyMap<string, number>;

export interface FacetCounts {
  readonly total: number;
  /** Under every filter but category. */
  readonly anyCategory: number;
  readonly categories: Counts;
  readonly signals: Counts;
  readonly platforms: Counts;
}

/** Makes the writer of facets answers: items are made beforehand, up to their counts. */
export function facetsWriter(facets: Facets): (counts: FacetCounts) => Uint8Array {
  const head = ({ count: _, ...item }: { count: number }): string =>
    `${JSON.stringify(item).slice(0, -1)},"count":`;
  const categories = facets.categories.items.map((item) => ({ key: item.slug, head: head(item) }));
  const signals = facets.signals.map((item) => ({ key: item.id, head: head(item) }));
  const platforms = facets.platforms
    .toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
    .map((item) => ({ key: item.slug, head: head(item) }));
  const write = (items: typeof categories, counts: Counts): string =>
    items.map((item) => `${item.head}${counts.get(item.key) ?? 0}}`).join();
  return ({ total, anyCategory, ...counts }) => {
    const count = ({ key }: { key: string }): number => counts.platforms.get(key) ?? 0;
    const ordered = platforms.toSorted((a, b) => count(b) - count(a));
    return Buffer.from(
      `{"data":{"total":${total},"categories":{"total":${anyCategory},"items":[` +
        `${write(categories, counts.categories)}]},"signals":[${write(signals, counts.signals)}],` +
        `"platforms":[${write(ordered, counts.platforms)}]}}`,
    );
  };
}
