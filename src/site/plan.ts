import type { ListingEntry } from "../store/format.js";
import type { StoredSnapshot } from "../store/reader.js";
import { dataFiles, madeDocument, storedDocument, type TreeDocument } from "./data-files.js";
import { directoryFiles } from "./directory-files.js";
import { type Edition, editionOf } from "./edition.js";
import { type Digests, digestsOf, filesOf, pathOf } from "./files.js";
import type { TreeLayout } from "./layout.js";
import { ListingParts } from "./listing-parts.js";
import { listingsText, parseListings, type SiteRecord } from "./record.js";
import type { SiteTree } from "./tree.js";

/** The digests of listings' files, by host. */
type ListingFiles = Map<string, Digests>;

/** Checks a few files in place of all, so that a tree that was emptied by hand does not pass as complete. */
export function holdsDocuments(
  tree: SiteTree,
  record: SiteRecord,
  { manifest }: StoredSnapshot,
): boolean {
  return manifest.public.every(
    ({ file, bytes, sha256 }) =>
      !sha256.startsWith(record.documents[file] ?? "-") || tree.holds(file, bytes, sha256),
  );
}

/** The work of an export, and the state of the record during that work. */
export interface ExportPlan {
  readonly edition: Edition;
  readonly listingParts: ListingParts;
  /** Parts of the listings whose files may not all be in the tree. */
  readonly changed: readonly number[];
  /** Paths to delete. */
  readonly gone: readonly string[];
  /** How many files to check, and to write if they are wrong. */
  readonly open: number;
  /** Files that belong to no single listing, by path; null for all of them if nothing has changed. */
  readonly made: ReadonlyMap<string, TreeDocument | null>;
  /** The bytes of the largest of them. */
  readonly largestBytes: number;
  /** Their digests. */
  readonly documents: Digests;
  readonly parts: (string | null)[];
  readonly listings: string[];
}

/**
 * Compares a snapshot with a tree's record. Reads only the reports of parts that differ; reads all if the edition of the
 * pages has changed. In the result, a digest means that
 * the file is right, and null that its content is uncertain.
 * @param root the tree's absolute path
 * @param trusted whether the record's digests match the files.
 * @throws BadSnapshotError
 */
export async function planOf(
  snapshot: StoredSnapshot,
  record: SiteRecord,
  trusted: boolean,
  layout: TreeLayout,
  root: string,
): Promise<ExportPlan> {
  const edition = await editionOf(snapshot, layout, root);
  const listingParts = new ListingParts(snapshot);
  const before = withParts(root, record, listingParts);
  const isKnown = trusted && record.edition === edition.id;
  const parts: (string | null)[] = [];
  const listings: string[] = [];
  const changed: number[] = [];
  const gone: string[] = [];
  const plan = { edition, listingParts, changed, gone, open: 0, parts, listings };
  for (let part = 0; part < listingParts.count; part += 1) {
    const text = before.listings[part] ?? "{}";
    const digest = listingParts.digest(part);
    if (isKnown && before.parts[part] === digest) {
      parts.push(digest);
      listings.push(text);
      continue;
    }
    const entries = listingParts.entries(part);
    const next = listingsOf(entries, edition);
    const old = parseListings(root, text);
    const union: ListingFiles = new Map();
    for (const host of new Set([...next.keys(), ...old.keys()])) {
      const joined = uniteDigests(old.get(host), next.get(host), trusted);
      for (const name of joined.gone) plan.gone.push(pathOf(host, name));
      plan.open += joined.open;
      union.set(host, joined.union);
    }
    changed.push(part);
    parts.push(null);
    listings.push(listingsText(union));
  }
  return { ...plan, ...(await planDocuments(snapshot, record, trusted, plan)) };
}

/** Plans the documents, in addition to the listings. */
async function planDocuments(
  snapshot: StoredSnapshot,
  record: SiteRecord,
  trusted: boolean,
  { edition, gone, open }: Pick<ExportPlan, "edition" | "gone" | "open">,
): Promise<Pick<ExportPlan, "made" | "largestBytes" | "documents" | "gone" | "open">> {
  const known: Digests = new Map(Object.entries(record.documents));
  const isSame = trusted && record.snapshot === snapshot.id && record.edition === edition.id;
  const made: ExportPlan["made"] = isSame
    ? new Map(Array.from(known.keys(), (path) => [path, null]))
    : await treeDocuments(snapshot, edition);
  const next: Digests = new Map();
  for (const [path, document] of made) {
    next.set(path, document === null ? (known.get(path) ?? null) : document.digest);
  }
  const joined = uniteDigests(known, next, trusted);
  const sizes = [...made.values()].map((document) => document?.bytes ?? 0);
  return {
    made,
    largestBytes: sizes.reduce((largest, bytes) => Math.max(largest, bytes), 0),
    gone: [...gone, ...joined.gone],
    open: open + joined.open,
    documents: joined.union,
  };
}

/** Files that belong to no single listing, by path. */
async function treeDocuments(
  snapshot: StoredSnapshot,
  edition: Edition,
): Promise<Map<string, TreeDocument>> {
  const { hasDirectory, isPacked } = edition.layout;
  const documents = new Map<string, TreeDocument>();
  for (const file of snapshot.manifest.public) {
    documents.set(file.file, storedDocument(snapshot.publicFolder, file));
  }
  if (!hasDirectory) return documents;
  for (const [path, bytes] of await directoryFiles(snapshot, edition)) {
    documents.set(path, madeDocument(bytes));
  }
  for (const [path, document] of dataFiles(snapshot, isPacked)) documents.set(path, document);
  return documents;
}

export function listingsOf(entries: readonly ListingEntry[], edition: Edition): ListingFiles {
  return new Map(entries.map((entry) => [entry.host, digestsOf(filesOf(entry, edition))]));
}

/** Joins the files before and after the export. A digest means that the file stays unchanged. */
function uniteDigests(
  before: Digests = new Map(),
  next: Digests = new Map(),
  trusted: boolean,
): { union: Digests; gone: string[]; open: number } {
  const union: Digests = new Map();
  let open = 0;
  for (const [name, digest] of next) {
    const stays = trusted && before.get(name) === digest;
    union.set(name, stays ? digest : null);
    if (!stays) open += 1;
  }
  const gone = [...before.keys()].filter((name) => !next.has(name));
  for (const name of gone) union.set(name, null);
  return { union, gone, open };
}

/** A record with the snapshot's number of parts, which grows with the number of listings. */
function withParts(
  root: string,
  record: SiteRecord,
  parts: ListingParts,
): Pick<SiteRecord, "parts" | "listings"> {
  if (record.parts.length === parts.count) return record;
  const grouped = Array.from({ length: parts.count }, (): ListingFiles => new Map());
  for (const text of record.listings) {
    for (const [host, files] of parseListings(root, text)) {
      grouped[parts.partOf(host)]?.set(host, files);
    }
  }
  return { parts: grouped.map(() => null), listings: grouped.map(listingsText) };
}
