import { changesFileName } from "../runtime/extensions/changes.js";
import { layout as paths, sha256, shortDigest } from "../store/layout.js";
import type { StoredSnapshot } from "../store/reader.js";
import type { ListingRow } from "../store/snapshot-reader.js";
import { TRENDS_DOCUMENT } from "../store/trends.js";
import { TreeAnswers } from "./answers.js";
import { changedListings, inParts, partsOf } from "./changed-listings.js";
import { dataFiles, madeDocument, storedDocument, type TreeDocument } from "./data-files.js";
import { directoryFiles } from "./directory-files.js";
import { type Edition, editionOf } from "./edition.js";
import { type Digests, digestsOf, filesOf, pathOf } from "./files.js";
import type { TreeLayout } from "./layout.js";
import type { PartOrder } from "./part-work.js";
import { listingsText, parseListings, type SiteRecord, SiteRefusedError } from "./record.js";
import { Occupation, type SiteTree } from "./tree.js";

/** Checks a few files instead of all, so that a tree that was emptied by hand does not pass as complete. */
export function holdsDocuments(
  tree: SiteTree,
  record: SiteRecord,
  { manifest }: StoredSnapshot,
): boolean {
  return manifest.public.every(
    ({ file, bytes, sha256: hash }) =>
      !hash.startsWith(record.documents[file] ?? "-") ||
      tree.holds(file, bytes, (read) => sha256(read) === hash),
  );
}

/** The work of an export, and the state of the record during that work. */
export interface ExportPlan {
  readonly edition: Edition;
  /** The listings whose files may not all be in the tree. */
  readonly orders: readonly PartOrder[];
  /** Paths to delete. */
  readonly gone: readonly string[];
  /** How many files to check, and to write if they are wrong. */
  readonly open: number;
  /** Files that belong to no single listing, by path; null for all of them if nothing has changed. */
  readonly made: ReadonlyMap<string, TreeDocument | null>;
  /** The size of the largest file in `made`, in bytes. */
  readonly largestBytes: number;
  /** The digests of the files in `made`, and null for those to delete. */
  readonly documents: Digests;
  readonly listings: string[];
  /** Paths of files and links that are not the export's, where it would put new files. */
  readonly occupied: ReadonlySet<string>;
}

/** What `planOf` plans for. */
interface PlanTarget {
  readonly layout: TreeLayout;
  /** The tree's absolute path. */
  readonly root: string;
  /** The path of the tree's record. */
  readonly path: string;
}

/**
 * Compares a snapshot with a tree's record. Reads only the listings of new segments, or all if the edition of the pages
 * has changed. In the result, a digest means that the file is right, and null that its content is uncertain.
 * @param trusted whether the record's digests match the files.
 * @throws BadSnapshotError; SiteRefusedError
 */
export async function planOf(
  snapshot: StoredSnapshot,
  record: SiteRecord,
  trusted: boolean,
  { layout, root, path }: PlanTarget,
): Promise<ExportPlan> {
  const edition = await editionOf(snapshot, layout, root);
  const listings = [...inParts(path, record.listings, partsOf(snapshot))];
  const occupation = new Occupation(root);
  const segments = trusted && record.edition === edition.id ? record.segments : [];
  const orders: PartOrder[] = [];
  const gone: string[] = [];
  let open = 0;
  for (const [part, changed] of await changedListings(snapshot, path, segments, listings)) {
    const rows = [...changed.values()].filter((row): row is ListingRow => row !== null);
    const entries = await snapshot.listings.entriesAt(rows);
    const union = parseListings(path, listings[part] ?? "{}");
    const opened = new Set<string>();
    for (const host of changed.keys()) {
      const entry = entries.get(host);
      const next = entry === undefined ? new Map() : digestsOf(filesOf(entry, edition));
      requireDistinct(Array.from(next.keys(), (name) => pathOf(host, name)));
      const joined = uniteDigests(union.get(host), next, trusted);
      occupation.lookFor(joined.added.map((name) => pathOf(host, name)));
      gone.push(...joined.gone.map((name) => pathOf(host, name)));
      open += joined.open;
      if (joined.open + joined.gone.length > 0) opened.add(host);
      // Without files, nothing in the record may name the host any more.
      if (joined.union.size > 0) union.set(host, joined.union);
      else union.delete(host);
    }
    const text = listingsText(union);
    listings[part] = text;
    const openRows = [...changed].flatMap(([host, row]) => (row && opened.has(host) ? [row] : []));
    if (opened.size > 0) orders.push({ part, rows: openRows, text });
  }
  const plan = { edition, orders, gone, open, listings };
  const documents = await planDocuments(snapshot, record, trusted, plan);
  requireDistinct(documents.made.keys());
  occupation.lookFor(documents.added);
  return { ...plan, ...documents, occupied: occupation.found };
}

/**
 * Many disks take two names that differ only in case for one file, which would then answer for both.
 * @throws SiteRefusedError if two of the paths differ only in case. Only the ids of scans have letters of both cases
 */
function requireDistinct(paths: Iterable<string>): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const other = seen.get(path.toLowerCase());
    if (other !== undefined) {
      throw new SiteRefusedError(
        `${other} and ${path} would differ only in case, and many disks take them for one file: give one ` +
          "of these scans another id, or use --packed",
      );
    }
    seen.set(path.toLowerCase(), path);
  }
}

/** Plans the documents, in addition to the listings. */
async function planDocuments(
  snapshot: StoredSnapshot,
  record: SiteRecord,
  trusted: boolean,
  { edition, gone, open }: Pick<ExportPlan, "edition" | "gone" | "open">,
) {
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
    added: joined.added,
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
  const publicFolder = paths.publicFolder(snapshot.store, snapshot.id);
  for (const file of snapshot.manifest.public) {
    // The tree has the answer /api/trends as a file instead.
    if (file.file === TRENDS_DOCUMENT) continue;
    documents.set(file.file, storedDocument(publicFolder, file));
  }
  if (!hasDirectory) return documents;
  const answers = new TreeAnswers(snapshot, edition);
  for (const [path, bytes] of await directoryFiles(answers, edition)) {
    documents.set(path, madeDocument(bytes));
  }
  const { changes } = answers.view.history;
  for (const file of edition.context.extensions === false ? [] : changes) {
    const path = `changes/${changesFileName(file)}`;
    documents.set(path, { digest: shortDigest(file.sha256), make: () => answers.body(path) });
  }
  for (const [path, document] of dataFiles(snapshot, isPacked)) documents.set(path, document);
  return documents;
}

/** Joins the files before and after the export. A digest means that the file stays unchanged. */
function uniteDigests(
  before: Digests = new Map(),
  next: Digests = new Map(),
  trusted: boolean,
): { union: Digests; added: string[]; gone: string[]; open: number } {
  const union: Digests = new Map();
  let open = 0;
  for (const [name, digest] of next) {
    const stays = trusted && before.get(name) === digest;
    union.set(name, stays ? digest : null);
    if (!stays) open += 1;
  }
  const gone = [...before.keys()].filter((name) => !next.has(name));
  for (const name of gone) union.set(name, null);
  const added = [...next.keys()].filter((name) => !before.has(name));
  return { union, added, gone, open };
}
