import { z } from "zod";
import type { Page } from "../answer/page-types.js";
import { isCanonicalHost } from "../contract/host.js";
import { LIMITS } from "../contract/limits.js";
import { installedPages } from "../extra.js";
import { fileOf, taskAddress, treeName } from "../pages/kit/page-names.js";
import { listingFactsText } from "../pages/report/surroundings.js";
import type { AnswerLocation, ListingEntry } from "../store/format.js";
import { sha256, shortDigest } from "../store/layout.js";
import type { TreeLayout } from "./layout.js";

/** A file of the tree that belongs to a listing. */
export interface ListingFile {
  /** The file's name in the record. */
  readonly name: string;
  /**
   * Identifies the content: the digest of a stored answer; of other files, a digest of the answer that they are made
   * from with the edition, the name and, for a page or a badge, the facts of the listing's summary that it shows.
   */
  readonly digest: string;
}

/** Digests of files by name or path. Null means that the file's content is unknown, if it exists at all. */
export type Digests = Map<string, string | null>;

/** The files that each listing has if the tree has pages. */
const PAGE_FILES = ["page", "twin", "task", "badge"];
/** The file that leads from a listing's folder to its page, or is the page for link previews. */
const STUB_FILE = "index";

const SCAN = `[a-zA-Z0-9_-]{1,${LIMITS.scanIdMax}}`;

const CORE_NAME = new RegExp(
  `^(?:report|enrichment|task|badge|index|scans/${SCAN}|(?:page|twin)(?:/${SCAN})?)$`,
);

/** Names that a listing's files may have. A record with any other name was not written by an export. */
export const FileName = z
  .string()
  .refine((name) => CORE_NAME.test(name) || extraPages().some((page) => page.name === name));
export const HostName = z.string().refine(isCanonicalHost);

/** Path of a document. It must not point outside the tree. */
export const DocumentPath = z
  .string()
  .regex(/^[^/\\\0]+(?:\/[^/\\\0]+)*$/)
  .refine((path) => path.split("/").every((part) => part !== "." && part !== ".."));

/** The folders that have one subfolder per listing. */
export const LISTING_FOLDERS = { answers: "api/sites", pages: "sites" } as const;

/** The address whose answer is a listing's file, relative to `/`; null for the stub, which no server has. */
export function addressOf(host: string, name: string): string | null {
  const [form, scan] = name.split("/");
  const query = scan === undefined ? "" : `?scan=${scan}`;
  switch (form) {
    case "page":
      return `sites/${host}${query}`;
    case "twin":
      return `sites/${host}/report.md${query}`;
    case "task":
      return taskAddress(host);
    case "badge":
      return `sites/${host}/badge.svg`;
    case STUB_FILE:
      return null;
    case "enrichment":
      return `api/sites/${host}/enrichment`;
    case "report":
    case "scans":
      return `api/sites/${host}/report${query}`;
    default:
      return addressOfExtra(host, form);
  }
}

/** The pages of extras that each listing has. Their files have their names. */
function extraPages(): Page[] {
  return installedPages().filter(({ path }) => path.startsWith("/sites/{host}/"));
}

function extraNames({ hasPages, hasPictures }: TreeLayout): string[] {
  return extraPages()
    .filter(({ needsRasterizer }) => (needsRasterizer === undefined ? hasPages : hasPictures))
    .map(({ name }) => name);
}

/** @throws TypeError if no extra has a page of this name, which is a bug */
function addressOfExtra(host: string, name: string | undefined): string {
  const page = extraPages().find((one) => one.name === name);
  if (page === undefined) throw new TypeError(`no page is called ${name}`);
  return page.path.slice(1).replace("{host}", host);
}

/** The path of a listing's file in the tree. */
export function pathOf(host: string, name: string): string {
  const address = addressOf(host, name);
  const file = address === null ? null : fileOf(address);
  return file ?? `${LISTING_FOLDERS.pages}/${treeName(host)}/index.html`;
}

/**
 * All files of a listing that the layout includes: one for each address that answers 200. An older report's
 * `?scan=<id>` is `scans/<id>`.
 * @param edition the edition with which pages are made
 */
export function filesOf(
  entry: ListingEntry,
  { id, layout }: { readonly id: string; readonly layout: TreeLayout },
): ListingFile[] {
  const { report, enrichment, publishedScan, historical, excerpts = [] } = entry;
  /** The location of the excerpt that pages are drawn from, or of the report if it has none. */
  const drawn = (scan: string, location: AnswerLocation) =>
    excerpts.find((one) => one.scan === scan)?.report ?? location;
  const latest = drawn(publishedScan, report);
  const { links, hasAnswers, hasPages, hasPreviews } = layout;
  const facts = listingFactsText(entry.search?.summary);
  const file = (name: string, [, , hash]: AnswerLocation) => {
    const isStored = (addressOf(entry.host, name) ?? "").startsWith("api/");
    const digest = isStored ? hash : sha256(`${id} ${name} ${hash} ${facts}`);
    return { name, digest: shortDigest(digest) };
  };
  const files: ListingFile[] = [];
  if (hasAnswers) files.push(file("report", report), file("enrichment", enrichment));
  for (const name of hasPages ? PAGE_FILES : []) files.push(file(name, latest));
  for (const name of extraNames(layout)) files.push(file(name, latest));
  if (hasPages && links === "files") files.push(file(STUB_FILE, report));
  if (hasPreviews) files.push(file(links === "files" ? STUB_FILE : "page", latest));
  for (const { scan, report: past } of historical) {
    if (hasAnswers) files.push(file(`scans/${scan}`, past));
    if (!hasPages) continue;
    const excerpt = drawn(scan, past);
    files.push(file(`page/${scan}`, excerpt), file(`twin/${scan}`, excerpt));
  }
  return files;
}

/** How many files the listings have in total. */
export function fileCount(listings: number, historical: number, layout: TreeLayout): number {
  const { links, hasAnswers, hasPages, hasPreviews } = layout;
  const answers = hasAnswers ? 2 * listings + historical : 0;
  const pages = hasPages ? PAGE_FILES.length + (links === "files" ? 1 : 0) : 0;
  const forms = pages + extraNames(layout).length + (hasPreviews ? 1 : 0);
  return answers + forms * listings + (hasPages ? 2 * historical : 0);
}

export function digestsOf(files: readonly ListingFile[]): Digests {
  return new Map(files.map(({ name, digest }) => [name, digest]));
}
