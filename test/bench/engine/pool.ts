import { LIMITS } from "../../../src/contract/limits.js";
import type { SiteSummary } from "../../../src/contract/listing.js";
import type { Engine } from "../../../src/engine/answering.js";
import { type Fields, type JoinedText, joinFolded } from "./text.js";

/** What filters know of a listing, and its text. */
export interface PoolListing {
  readonly fields: Fields;
  readonly category: readonly string[];
  readonly tag: readonly string[];
  readonly platform: readonly string[];
  readonly capability: readonly string[];
  readonly band: readonly string[];
}

/** A directory as requests are drawn from it. */
export interface Pool {
  readonly listings: readonly PoolListing[];
  /** By filter, the values that listings carry, commonest first. */
  readonly values: Readonly<
    Record<"category" | "tag" | "platform" | "capability" | "band", string[]>
  >;
  readonly all: JoinedText;
  readonly titles: JoinedText;
}

/** Every listing in search, by host, as search itself answers with it. */
export async function summariesOf(engine: Engine): Promise<SiteSummary[]> {
  const found: SiteSummary[] = [];
  const query = { sort: "host", limit: LIMITS.pageSizeMax } as const;
  for (let page = 1; ; page += 1) {
    const body = Buffer.from(await engine.search({ ...query, page })).toString("utf8");
    const { data } = JSON.parse(body) as { data: SiteSummary[] };
    if (data.length === 0) return found;
    found.push(...data);
  }
}

export function poolListing(summary: SiteSummary): PoolListing {
  const { host, name, tagline, category, tags, platforms, capabilities, latestBand } = summary;
  return {
    fields: [host, name ?? "", tagline ?? ""],
    category: category === null ? [] : [category.slug],
    tag: tags.map(({ slug }) => slug),
    platform: platforms,
    capability: capabilities,
    band: latestBand === null ? [] : [latestBand],
  };
}

export function makePool(listings: readonly PoolListing[]): Pool {
  const values = (kind: keyof Pool["values"]): string[] => {
    const counts = new Map<string, number>();
    for (const listing of listings) {
      for (const value of listing[kind]) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts]
      .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
      .map(([value]) => value);
  };
  const texts = listings.map(({ fields }) => fields);
  return {
    listings,
    values: {
      category: values("category"),
      tag: values("tag"),
      platform: values("platform"),
      capability: values("capability"),
      band: values("band"),
    },
    all: joinFolded(texts, 3),
    titles: joinFolded(texts, 2),
  };
}
