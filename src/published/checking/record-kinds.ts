/** Kinds of records in a published directory. */
export const PUBLISHED_RECORDS = ["directory", "standards", "taxonomy", "listing", "scan"] as const;
/** A kind of record in a published directory. */
export type PublishedRecord = (typeof PUBLISHED_RECORDS)[number];
