import { z } from "zod";
import { isCanonicalHost } from "../contract/host.js";
import { LIMITS } from "../contract/limits.js";
import type { AnswerLocation, ShardEntry } from "../store/format.js";
import { sha256, shortDigest } from "../store/layout.js";

/** The form in which a stored answer becomes a file: the answer itself, or a page or mark made from it. */
type AnswerForm = "answer" | "page" | "twin" | "badge" | "noindex";

/** A file of the tree that belongs to a listing. */
export interface ListingFile {
  /** The file's name in the record. */
  readonly name: string;
  readonly form: AnswerForm;
  /** The answer from which the file is made. */
  readonly location: AnswerLocation;
  /** Identifies the content: the answer's digest; for other forms, a digest of it with the edition and the name. */
  readonly digest: string;
  /** The name of an earlier file with the same bytes, if there is one. */
  readonly sameAs: string | null;
}

/** Digests of files by name or path. Null means that the file's content is unknown, if it exists at all. */
export type Digests = Map<string, string | null>;

/** The latest report. The file of its own scan has the same bytes. */
const REPORT_FILE = "report";
/** Marks a listing whose latest report search engines must not show. Only the web server looks for this file. */
export const NOINDEX = "noindex";

const SCAN = `[a-zA-Z0-9_-]{1,${LIMITS.scanIdMax}}`;

/** Names that a listing's files may have. A record with any other name was not written by an export. */
export const FileName = z
  .string()
  .regex(
    new RegExp(`^(?:report|enrichment|badge|noindex|scans/${SCAN}|(?:page|twin)(?:/${SCAN})?)$`),
  );
export const HostName = z.string().refine(isCanonicalHost);

/** Path of a document. It must not point outside the tree. */
export const DocumentPath = z
  .string()
  .regex(/^[^/\\\0]+(?:\/[^/\\\0]+)*$/)
  .refine((path) => path.split("/").every((part) => part !== "." && part !== ".."));

/** The folders that have one subfolder per listing. */
export const LISTING_FOLDERS = { answers: "api/sites", pages: "sites" } as const;

/** The path of a listing's file in the tree. */
export function pathOf(host: string, name: string): string {
  const pages = `${LISTING_FOLDERS.pages}/${host}`;
  const [form, scan] = name.split("/");
  switch (form) {
    case "page":
      return `${pages}/${scan === undefined ? "index" : scanName(scan)}.html`;
    case "twin":
      return `${pages}/${scan === undefined ? REPORT_FILE : scanName(scan)}.md`;
    case "badge":
      return `${pages}/badge.svg`;
    case NOINDEX:
      return `${pages}/${NOINDEX}`;
    default:
      return `${LISTING_FOLDERS.answers}/${host}/${name}.json`;
  }
}

/**
 * All files of a listing: one for each address that answers 200. `?scan=<id>` is `scans/<id>`. The published scan's
 * id is included, because it answers under every plan (contract section 4, report).
 * @param edition the id of the edition with which pages are made
 */
export function filesOf(entry: ShardEntry, edition: string): ListingFile[] {
  const { report, enrichment, publishedScan, historical } = entry;
  const file = (name: string, location: AnswerLocation, sameAs: string | null = null) => {
    const form = formOf(name);
    const [, , hash] = location;
    const digest = form === "answer" ? hash : sha256(`${edition} ${name} ${hash}`);
    return { name, form, location, digest: shortDigest(digest), sameAs };
  };
  return [
    file(REPORT_FILE, report),
    file("enrichment", enrichment),
    file("page", report),
    file("twin", report),
    file("badge", report),
    ...(isIndexed(entry) ? [] : [file(NOINDEX, report)]),
    file(scanName(publishedScan), report, REPORT_FILE),
    file(`page/${publishedScan}`, report, "page"),
    file(`twin/${publishedScan}`, report, "twin"),
    ...historical.flatMap(({ scan, report: past }) => [
      file(scanName(scan), past),
      file(`page/${scan}`, past),
      file(`twin/${scan}`, past),
    ]),
  ];
}

/** Whether search engines may show a listing's latest report: the listing is in search and has a score. */
export function isIndexed({ search }: ShardEntry): boolean {
  return search !== null && search.summary.latestScore !== null;
}

/** How many files the listings have in total. @param hidden how many listings are marked NOINDEX */
export function fileCount(listings: number, historical: number, hidden: number): number {
  return 8 * listings + 3 * historical + hidden;
}

function scanName(scan: string): string {
  return `scans/${scan}`;
}

export function digestsOf(files: readonly ListingFile[]): Digests {
  return new Map(files.map(({ name, digest }) => [name, digest]));
}

function formOf(name: string): AnswerForm {
  const [form] = name.split("/");
  return form === "page" || form === "twin" || form === "badge" || form === NOINDEX
    ? form
    : "answer";
}
