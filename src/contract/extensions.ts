import { HOST_LISTS, type HostListName } from "./filters.js";
import type { Route } from "./routes.js";
import { namesOf } from "./tables.js";
import { SLUG } from "./values.js";

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

/** The address of a file of the dump, relative to `/`. */
export function dumpAddress(file: string): string {
  return `api/dump/${file}`;
}

/**
 * A read beyond the contract. `"extensions": false` in directory.json switches all of them off. Extras bring them, each
 * with its texts and the schemas of its answers (`ExtensionDescription`).
 */
export interface Extension extends Omit<Route, "errors" | "document"> {
  /** The POST of the address. Absent: the address answers GET only. */
  readonly post?: ExtensionPost;
  readonly errors: readonly (Route["errors"][number] | 410 | 413 | 415)[];
  /** Whether the path with a slash at its end is the same address. */
  readonly hasSlashedForm?: boolean;
  /** Absent: no cache keeps its answers, or other addresses cover them. */
  readonly purged?: PurgedAddresses;
}

/** The POST of an address. */
interface ExtensionPost {
  /** The operation's name in the OpenAPI document. */
  readonly id: string;
  /** Whether the address answers no GET. */
  readonly isAlone?: boolean;
}

/** The addresses that caches purge, and when. One that ends in `*` stands for all that begin with it. */
export interface PurgedAddresses {
  /**
   * After which publications: all; those that change a listing; those that change a listing, a document or what the
   * directory says of itself.
   */
  readonly after: "publication" | "listings" | "directory";
  /** Below the base address of the API. */
  readonly api?: string;
  /** Below the base address of the pages. */
  readonly pages?: string;
}
