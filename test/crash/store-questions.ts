import type { GoodStore } from "./damaged-stores.js";

const API = "/api/sites";

function someEntries({ entries }: GoodStore) {
  const last = entries.length - 1;
  const places = [0, 1, Math.floor(entries.length / 2), last - 1, last];
  return places.map((at) => entries[at]!);
}

/** Addresses of which some differ with every value that a column holds. */
export function pathsOf(good: GoodStore): string[] {
  const { summaries } = good;
  const [first, second] = summaries;
  const each = (name: string, values: readonly (string | undefined)[], limit = 100) =>
    [...new Set(values)].map(
      (value) => `limit=${limit}&${name}=${encodeURIComponent(value ?? "none")}`,
    );
  const searches = [
    ...each("page", ["1", "2", "3"]),
    ...each("sort", ["recent", "host", "score-asc"]),
    ...each("q", ["e", "th", "web", "com", first?.host, second?.name?.slice(0, 8)]),
    ...each(
      "category",
      summaries.map(({ category }) => category?.slug),
      5,
    ),
    ...each(
      "status",
      summaries.map(({ status }) => status),
    ),
    ...each(
      "platform",
      summaries.flatMap(({ platforms }) => platforms),
    ),
    ...each("capability", first?.capabilities ?? []),
    ...each("tag", first?.tags.map(({ slug }) => slug) ?? []),
    ...each("minScore", ["0", "50", "90"]),
  ];
  const reports = someEntries(good).flatMap(({ host, historical, locked }) => [
    `${API}/${host}/report`,
    `${API}/${host}/enrichment`,
    ...[...historical.map(({ scan }) => scan), ...locked, "none"].map(
      (scan) => `${API}/${host}/report?scan=${scan}`,
    ),
  ]);
  return [
    ...searches.map((query) => `${API}?${query}`),
    ...["", "?minScore=50", "?q=e"].map((query) => `${API}/facets${query}`),
    ...["a", "we", first?.name ?? "x"].map(
      (q) => `${API}/suggestions?q=${encodeURIComponent(q.slice(0, 60))}`,
    ),
    ...reports,
  ];
}
