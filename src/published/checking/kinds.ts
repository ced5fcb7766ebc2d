import type { Standards } from "../../contract/standards.js";
import { listingNotices, scanNotices } from "./notice-rules.js";
import type { RecordKind } from "./record.js";
import { listingRules, scanRules } from "./rules.js";
import { Scan } from "./scan-schema.js";
import { Listing, type Taxonomy } from "./schemas.js";

/** The kinds of records in folders, named after those folders. */
export const RECORDS = ["listings", "scans"] as const;
export type RecordsOf = (typeof RECORDS)[number];

/** The documents that records are checked against. A bad document is null. */
export interface KindDocuments {
  readonly standards: Standards | null;
  readonly taxonomy: Taxonomy | null;
  /** Milliseconds since 1970. Scans more than a day later get a warning. If left out, none does. */
  readonly now?: number | undefined;
}

/**
 * The listing's keys that decide how much of it is published. If one occurs twice, the dropped value may be the one
 * that withholds the listing.
 */
const DECISIVE: ReadonlySet<string> = new Set(["visibility", "entitlements"]);

export function listingKind({ taxonomy }: KindDocuments): RecordKind<Listing> {
  return {
    schema: Listing,
    rules: listingRules(taxonomy),
    unambiguous: DECISIVE,
    notices: listingNotices,
  };
}

export function scanKind({ standards, now }: KindDocuments): RecordKind<Scan> {
  return {
    schema: Scan,
    rules: scanRules(standards),
    notices: scanNotices(standards, now),
  };
}
