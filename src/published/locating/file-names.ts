/** Names of files that hold records (published format, general rules), in any case. */
const RECORD_FILE = /\.(?:json|ndjson|jsonl)$/i;

export function isRecordFile(name: string): boolean {
  return RECORD_FILE.test(name);
}

/** Whether a record file holds a single record. Other record files hold one record per line. */
export function isOneRecord(name: string): boolean {
  return /\.json$/i.test(name);
}

/** Kinds of records in a published directory. */
export const PUBLISHED_RECORDS = ["directory", "standards", "taxonomy", "listing", "scan"] as const;
/** A kind of record in a published directory. */
export type PublishedRecord = (typeof PUBLISHED_RECORDS)[number];
