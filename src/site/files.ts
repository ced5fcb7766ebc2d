import { z } from "zod";
import { isCanonicalHost } from "../contract/host.js";
import { LIMITS } from "../contract/limits.js";
import type { AnswerLocation, ShardEntry } from "../store/format.js";
import { sha256, shortDigest } from "../store/layout.js";

/** What a listing's file is made as, of a stored answer: the answer itself, or something for people. */
type FileForm = "answer" | "page" | "twin" | "badge" | "noindex";

/** A file of the tree that is about a listing. */
export interface ListingFile {
  /** What the record calls it. */
  readonly name: string;
  readonly form: FileForm;
  /** The answer that it is made of. */
  readonly location: AnswerLocation;
  /** Names what is in it: the answer's digest, of a page that with the edition's. */
  readonly digest: string;
  /** The name of the file with the same bytes, where there is one before it. */
  readonly sameAs: string | null;
}

/** Digests of files by name or path; null: what the file has in it, if it is there, is not known. */
export type Digests = Map<string, string | null>;

/** The latest report, which is also the file of its own scan. */
const REPORT = "report";
/** Marks a listing whose latest report search engines are not to show: a server sees it, nobody reads it. */
export const NOINDEX = "noindex";

const SCAN = `[a-zA-Z0-9_-]{1,${LIMITS.scanIdMax}}`;

/** Names that a listing's files may have. A record that says others is not ours. */
export const FileName = z
  .string()
  .regex(
    new RegExp(`^(?:report|enrichment|badge|noindex|scans/${SCAN}|(?:page|twin)(?:/${SCAN})?)$`),
  );
export const HostName = z.string().refine(isCanonicalHost);

/** Path of a document. It must not lead out of the tree. */
export const DocumentPath = z
  .string()
  .regex(/^[^/\\\0]+(?:\/[^/\\\0]+)*$/)
  .refine((path) => path.split("/").every((part) => part !== "." && part !== ".."));

/** The folders in which each listing has one. */
export const LISTING_FOLDERS = { answers: "api/sites", pages: "sites" } as const;

/** Where a listing's file lies in the tree. */
export function pathOf(host: string, name: string): string {
  const pages = `${LISTING_FOLDERS.pages}/${host}`;
  const [form, scan] = name.split("/");
  switch (form) {
    case "page":
      return `${pages}/${scan === undefined ? "index" : scanName(scan)}.html`;
    case "twin":
      return `${pages}/${scan === undefined ? REPORT : scanName(scan)}.md`;
    case "badge":
      return `${pages}/badge.svg`;
    case NOINDEX:
      return `${pages}/${NOINDEX}`;
    default:
      return `${LISTING_FOLDERS.answers}/${host}/${name}.json`;
  }
}

/**
 * All files of a listing: one for each address that answers 200. `?scan=<id>` is `scans/<id>`; the
 * published scan's id answers under every plan (contract section 4, report), so it is among them.
 * @param edition names what pages are made by
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
    file(REPORT, report),
    file("enrichment", enrichment),
    file("page", report),
    file("twin", report),
    file("badge", report),
    ...(isIndexed(entry) ? [] : [file(NOINDEX, report)]),
    file(scanName(publishedScan), report, REPORT),
    file(`page/${publishedScan}`, report, "page"),
    file(`twin/${publishedScan}`, report, "twin"),
    ...historical.flatMap(({ scan, report: past }) => [
      file(scanName(scan), past),
      file(`page/${scan}`, past),
      file(`twin/${scan}`, past),
    ]),
  ];
}

/** Whether search engines may show a listing's latest report: it is listed and has a score. */
export function isIndexed({ search }: ShardEntry): boolean {
  return search !== null && search.summary.latestScore !== null;
}

/** How many files listings have. @param hidden listings that are marked NOINDEX */
export function fileCount(listings: number, historical: number, hidden: number): number {
  return 8 * listings + 3 * historical + hidden;
}

function scanName(scan: string): string {
  return `scans/${scan}`;
}

export function digestsOf(files: readonly ListingFile[]): Digests {
  return new Map(files.map(({ name, digest }) => [name, digest]));
}

function formOf(name: string): FileForm {
  const [form] = name.split("/");
  return form === "page" || form === "twin" || form === "badge" || form === NOINDEX
    ? form
    : "answer";
}
