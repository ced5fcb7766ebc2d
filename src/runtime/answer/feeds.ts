import type { SiteSummary } from "../../contract/listing.js";
import type { Engine } from "../../engine/engine.js";
import type { FeedShown } from "../../pages/feeds/feed.js";
import { filledCategories } from "./categories.js";

/** The most scans that a feed has. */
const FEED_SIZE = 50;

/** What a feed shows; null if there is no such category, or if it has no listings. */
export async function feedAt(slug: string | null, engine: Engine): Promise<FeedShown | null> {
  const category = filledCategories(engine).find((one) => one.slug === slug) ?? null;
  if (slug !== null && category === null) return null;
  const filter = slug === null ? {} : { category: [slug] };
  const body = await engine.search({ ...filter, sort: "recent", page: 1, limit: FEED_SIZE });
  const { data }: { readonly data: SiteSummary[] } = JSON.parse(decoder.decode(body));
  return { category, sites: data };
}

const decoder = new TextDecoder();
