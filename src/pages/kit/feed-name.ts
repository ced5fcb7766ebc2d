/** Atom or JSON Feed: what a feed's name ends in. */
export type FeedForm = "xml" | "json";

/** The media types of feeds. */
export const FEED_TYPES: Readonly<Record<FeedForm, string>> = {
  xml: "application/atom+xml",
  json: "application/feed+json",
};

/** The address of a feed, relative to `/`. @param slug of a category; null for the whole directory */
export function feedAddress(slug: string | null, form: FeedForm): string {
  return slug === null ? `feed.${form}` : `feeds/${slug}.${form}`;
}

/** The name of a category's feed: its slug (contract section 4, shared listing filters), and the form. */
const FEED_NAME = /^([a-z0-9]+(?:-[a-z0-9]+)*)\.(xml|json)$/;

/** Parses the name of a category's feed; null for any other text. */
export function feedNamed(name: string): { slug: string; form: FeedForm } | null {
  const [, slug, ending] = FEED_NAME.exec(name) ?? [];
  return slug === undefined ? null : { slug, form: ending === "json" ? "json" : "xml" };
}
