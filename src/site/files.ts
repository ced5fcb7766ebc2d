import { z } from "zod";
import { isCanonicalHost } from "../contract/host.js";
import { LIMITS } from "../contract/limits.js";
import type { AnswerLocation, ShardEntry } from "../store/format.js";
import { shortDigest } from "../store/layout.js";

/** An answer of a listing as a file of the tree. */
interface ListingFile {
  /** Below the listing's folder, without `.json`: `report`, `enrichment`, `scans/<scanId>`. */
  readonly name: string;
  readonly location: AnswerLocation;
}

/** Digests of files by name or path; null: what the file has in it, if it is there, is not known. */
export type Digests = Map<string, string | null>;

/** The latest report, which is also the file of its own scan. */
export const REPORT = "report";

/** Names that a listing's files may have. A record that says others is not ours. */
export const FileName = z
  .string()
  .regex(new RegExp(`^(?:report|enrichment|scans/[a-zA-Z0-9_-]{1,${LIMITS.scanIdMax}})$`));
export const HostName = z.string().refine(isCanonicalHost);

/** Path of a public document. It must not lead out of the tree. */
export const DocumentPath = z
  .string()
  .regex(/^[^/\\\0]+(?:\/[^/\\\0]+)*$/)
  .refine((path) => path.split("/").every((part) => part !== "." && part !== ".."));

/** Where a listing's file lies in the tree. */
export function pathOf(host: string, name: string): string {
  return `api/sites/${host}/${name}.json`;
}

/**
 * All files of a listing: one for each address that answers 200. `?scan=<id>` is `scans/<id>`; the
 * published scan's id answers under every plan (contract section 4, report), so it is among them.
 */
export function filesOf(entry: ShardEntry): ListingFile[] {
  const { report, enrichment, publishedScan, historical } = entry;
  return [
    { name: REPORT, location: report },
    { name: "enrichment", location: enrichment },
    { name: scanName(publishedScan), location: report },
    ...historical.map(({ scan, report: past }) => ({ name: scanName(scan), location: past })),
  ];
}

export function scanName(scan: string): string {
  return `scans/${scan}`;
}

export function digestsOf(files: readonly ListingFile[]): Digests {
  return new Map(files.map(({ name, location: [, , sha256] }) => [name, shortDigest(sha256)]));
}
