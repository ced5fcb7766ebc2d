import type { ListFilterName } from "./filters.js";
import type { ParameterTable, QueryOf } from "./query.js";
import { namesOf } from "./tables.js";
import { pattern, SLUG } from "./values.js";

/*
 * The dump: all listings in search as files to download, with lists of hosts. A file is always of one snapshot, which
 * its address may name.
 */

/** The files that have all listings, with their media types (RFC 6838). */
export const DUMP_FILES = {
  "listings.parquet": "application/vnd.apache.parquet",
  "listings.ndjson.gz": "application/gzip",
  "listings.csv.gz": "application/gzip",
} as const;
export type DumpFile = keyof typeof DUMP_FILES;
export const DUMP_FILE_NAMES: readonly DumpFile[] = namesOf(DUMP_FILES);

/** Names of other files in the same folder: the descriptions of the dump, ours and the same as Croissant. */
export const DUMP_INDEX = "index.json";
export const CROISSANT = "croissant.json";
export const CROISSANT_TYPE = "application/ld+json";

export const ALL_HOSTS = "hosts.txt";

/** The filters that have a list of hosts for each value. */
export const HOST_LISTS = ["band", "category", "capability"] as const satisfies ListFilterName[];
export type HostListName = (typeof HOST_LISTS)[number];

/** The name of the list of the hosts that a filter finds. */
export function hostListFile(name: HostListName, value: string): string {
  return `${name}-${value}.txt`;
}

/** The filter of a list of hosts; null if no list has this name. */
export function hostListNamed(file: string): { name: HostListName; value: string } | null {
  const [, name, value = ""] = /^([a-z]+)-(.+)\.txt$/.exec(file) ?? [];
  const found = HOST_LISTS.find((one) => one === name);
  return found === undefined || SLUG.read(value) === undefined ? null : { name: found, value };
}

/** GET /api/dump/{file}. */
export const DumpQuery = {
  content: {
    kind: pattern(/^[0-9a-f]{32}$/, "must be the `content` of a dump: 32 hexadecimal digits", {
      maxLength: 32,
    }),
    description:
      "The dump that is meant, by its `content`. Once another one has replaced it, the answer is a " +
      "410. Default: the latest.",
    example: "4f7c05433bf392a2d85464860ba54b23",
  },
} as const satisfies ParameterTable;
export type DumpQuery = QueryOf<typeof DumpQuery>;

/** The address of a file of the dump, relative to `/`. */
export function dumpAddress(file: string): string {
  return `api/dump/${file}`;
}
