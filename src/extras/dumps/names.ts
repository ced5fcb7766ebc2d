import { LIST_FILTER_NAMES, LIST_FILTERS, type ListFilterName } from "../../contract/filters.js";
import { currentSlug, type FormerSlugs } from "../../contract/former.js";
import { namesOf } from "../../contract/tables.js";
import { SLUG } from "../../contract/values.js";

/*
 * The dump: all listings in search as files to download, with lists of hosts. A file is always of one snapshot, which
 * its address may name.
 */

const PARQUET_TYPE = "application/vnd.apache.parquet";
const GZIP_TYPE = "application/gzip";

/** The files that have all listings, with their media types (RFC 6838). */
const LISTING_FILES = {
  "listings.parquet": PARQUET_TYPE,
  "listings.ndjson.gz": GZIP_TYPE,
  "listings.csv.gz": GZIP_TYPE,
} as const;
export type ListingFile = keyof typeof LISTING_FILES;
export const LISTING_FILE_NAMES: readonly ListingFile[] = namesOf(LISTING_FILES);

/** The files that have the published scans of all listings, likewise. */
const HISTORY_FILES = { "history.parquet": PARQUET_TYPE, "history.ndjson.gz": GZIP_TYPE } as const;
export type HistoryFile = keyof typeof HISTORY_FILES;
export const HISTORY_FILE_NAMES: readonly HistoryFile[] = namesOf(HISTORY_FILES);

export const DUMP_FILES = { ...LISTING_FILES, ...HISTORY_FILES } as const;
export type DumpFile = keyof typeof DUMP_FILES;
export const DUMP_FILE_NAMES: readonly DumpFile[] = namesOf(DUMP_FILES);

export function isHistoryFile(file: DumpFile): file is HistoryFile {
  return Object.hasOwn(HISTORY_FILES, file);
}

/** Names of other files in the same folder: the descriptions of the dump, ours and the same as Croissant. */
export const DUMP_INDEX = "index.json";
export const CROISSANT = "croissant.json";
export const CROISSANT_TYPE = "application/ld+json";

export const ALL_HOSTS = "hosts.txt";

/** The filters that have a list of hosts for each value. */
export type HostListName = {
  [N in ListFilterName]: (typeof LIST_FILTERS)[N]["listRank"] extends number ? N : never;
}[ListFilterName];

/** The same in the order of the dump's index. */
export const HOST_LISTS: readonly HostListName[] = LIST_FILTER_NAMES.filter(hasHostLists).toSorted(
  (a, b) => LIST_FILTERS[a].listRank - LIST_FILTERS[b].listRank,
);

function hasHostLists(name: ListFilterName): name is HostListName {
  return LIST_FILTERS[name].listRank !== null;
}

/** The name of the list of the hosts that a filter finds. */
export function hostListFile(name: HostListName, value: string): string {
  return `${name}-${value}.txt`;
}

/**
 * The filter of a list of hosts, with the value that is called so now; null if no list has this name.
 * @param former the slugs that terms had before
 */
export function hostListNamed(
  file: string,
  former: FormerSlugs | undefined,
): { name: HostListName; value: string } | null {
  const [, name, value = ""] = /^([a-z]+)-(.+)\.txt$/.exec(file) ?? [];
  const found = HOST_LISTS.find((one) => one === name);
  if (found === undefined || SLUG.read(value) === undefined) return null;
  return { name: found, value: currentSlug(found, value, former) };
}

/** The name of a list of the hosts that treat a crawler alike. @param file the end of its name */
export function crawlerListFile(file: string): string {
  return `hosts/${file}`;
}

/** The address of a file of the dump, relative to `/`. */
export function dumpAddress(file: string): string {
  return `api/dump/${file}`;
}
