import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { requireCurrent } from "../build/snapshots.js";
import { disk, StoreWriteError } from "../files/disk.js";
import { type Lock, lockTree } from "../files/lock.js";
import { bootId } from "../files/lock-owner.js";
import { type OnProgress, PHASES } from "../options/defaults.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { sha256 } from "../store/layout.js";
import { currentId, type StoredListing, StoredSnapshot } from "../store/reader.js";
import { isNamedByContent } from "./data-files.js";
import { expectedFile, rememberingLast } from "./edition.js";
import { type Digests, fileCount, filesOf, LISTING_FOLDERS, pathOf } from "./files.js";
import { requireFits } from "./limits.js";
import { type ExportOptions, type ExportSettings, exportSettings } from "./options.js";
import { type ExportPlan, holdsDocuments, listingsOf, planOf } from "./plan.js";
import {
  distrustRecord,
  listingsText,
  newRecord,
  parseListings,
  readRecord,
  recordPath,
  removeUnfinishedRecords,
  writeRecord,
} from "./record.js";
import { realPathOf, SiteTree, treeIdentity } from "./tree.js";

/** The result of `exportSite`. */
export interface ExportResult {
  /** The snapshot that is now in the tree. */
  readonly id: string;
  /** The number of files that the export wrote. */
  readonly written: number;
  /** The number of files that it deleted. */
  readonly deleted: number;
  /** The number of files that it left as they were. */
  readonly unchanged: number;
  /** Non-fatal problems, such as a tree that only paid plans of its host take. */
  readonly warnings: readonly string[];
  /** Bytes of the written files. */
  readonly bytes: number;
}

/**
 * If the plan leaves at most this many files open, each written file is synced, which takes milliseconds. Beyond that,
 * a power failure may lose some files. The record then names the machine's boot (`boot`), so the next export notices.
 */
const SYNCED_MAX = 250;
/** How many files are removed between two pauses for other work. */
const REMOVED_AT_ONCE = 1_000;
/** How many snapshots an export tries, if builds delete the one that it is reading. */
const TRIES_MAX = 3;

/**
 * Brings the public tree up to date with a store's current snapshot (design, the site): first deletes the files of
 * removed answers, then writes the changes. It may be killed at any point; the next export finishes its work.
 * @param site the tree's folder; created if it does not exist
 * @throws SiteRefusedError if the folder is not empty and was not made by an export; NoSnapshotError if nothing was
 * published yet; BadSnapshotError; StoreWriteError; StoreLockedError while another export runs; TypeError for a wrong
 * argument
 */
export async function exportSite(site: string, options: ExportOptions = {}): Promise<ExportResult> {
  const settings = exportSettings(site, options);
  const root = await realPathOf(site);
  // Before the lock, which lies in the folder: a folder that is not ours stays untouched.
  if (!existsSync(recordPath(root))) await newRecord(root);
  const lock = await lockTree(root, site);
  return lock.during(async () => {
    for (let tries = 1; ; tries += 1) {
      const id = await requireCurrent(settings.store);
      try {
        return await exportSnapshot(root, id, lock, settings);
      } catch (error) {
        // A build may have published another snapshot meanwhile, and deleted the one being read.
        const isOver = !(error instanceof BadSnapshotError) || tries === TRIES_MAX;
        if (isOver || (await currentId(settings.store)) === id) throw error;
      }
    }
  });
}

async function exportSnapshot(
  root: string,
  id: string,
  lock: Lock,
  { store, full, layout, onProgress }: ExportSettings,
): Promise<ExportResult> {
  const snapshot = await StoredSnapshot.openManifest(store, id);
  try {
    const record = (await readRecord(root)) ?? (await newRecord(root));
    if (record.tree !== null) lock.keepFolder();
    await removeUnfinishedRecords(root, lock);
    const boot = bootId();
    const isOurs = record.tree !== null && record.tree === treeIdentity(root);
    const isSafe = record.boot === null || record.boot === boot;
    const tree = new SiteTree(root, lock, false);
    const trusted = !full && isOurs && isSafe && holdsDocuments(tree, record, snapshot);
    const plan = await planOf(snapshot, record, trusted, layout, root);
    const { reports, historical } = snapshot.manifest.counts;
    const files = fileCount(reports, historical, layout) + plan.made.size;
    const largestFolder = layout.hasPages ? reports : 0;
    const { largestBytes } = plan;
    const warnings = requireFits(layout.host, { files, largestFolder, largestBytes });
    // Without a boot id, nothing would show whether a power failure has lost files, so each file is synced.
    const sync = boot === null || plan.open <= SYNCED_MAX;
    const kept = trusted ? record.boot : null;
    const exporter = new Exporter(root, lock, snapshot, plan, sync ? kept : boot, onProgress);
    const isDone = record.snapshot === id && record.edition === plan.edition.id;
    if (!isDone || !trusted) await exporter.run(new SiteTree(root, lock, sync));
    for (const [suffix, text] of plan.edition.printed.beside) {
      await disk.writeFile(root + suffix, Buffer.from(text));
    }
    const { written, deleted, bytes } = exporter;
    return { id, written, deleted, unchanged: files - written, warnings, bytes };
  } finally {
    snapshot.close();
  }
}

/** Carries out a plan. */
class Exporter {
  readonly #root: string;
  readonly #lock: Lock;
  readonly #snapshot: StoredSnapshot;
  readonly #plan: ExportPlan;
  readonly #boot: string | null;
  readonly #onProgress: OnProgress | undefined;
  /** How many of the files that the plan leaves open were checked so far. */
  #seen = 0;
  /** How many of the files that the plan removes were looked at so far. */
  #removed = 0;
  written = 0;
  deleted = 0;
  bytes = 0;

  constructor(
    root: string,
    lock: Lock,
    snapshot: StoredSnapshot,
    plan: ExportPlan,
    boot: string | null,
    onProgress: OnProgress | undefined,
  ) {
    this.#root = root;
    this.#lock = lock;
    this.#snapshot = snapshot;
    this.#plan = plan;
    this.#boot = boot;
    this.#onProgress = onProgress;
  }

  async run(tree: SiteTree): Promise<void> {
    const { changed, gone } = this.#plan;
    const removed = gone.filter((path) => !isNamedByContent(path));
    try {
      await this.#note(null);
    } catch (error) {
      // A full disk must not stop the removal of answers; removing them also makes room. The record still names them.
      if (removed.length === 0) throw error;
      this.#lock.check();
      distrustRecord(this.#root);
      await this.#remove(tree, removed);
      if (this.deleted === 0) throw error;
      await this.#note(null);
    }
    this.#lock.keepFolder();
    tree.prepare();
    await this.#remove(tree, removed);
    await this.#writeDocuments(tree, isNamedByContent);
    for (const part of changed) await this.#writePart(tree, part);
    await this.#writeDocuments(tree, () => true);
    await this.#remove(tree, gone.filter(isNamedByContent));
    for (const path of gone) this.#plan.documents.delete(path);
    tree.syncFolders();
    this.bytes = tree.bytes;
    await this.#note(this.#snapshot.id);
  }

  /** Writes the record in the plan's current state. */
  #note(snapshot: string | null): Promise<void> {
    const { edition, documents, parts, listings } = this.#plan;
    return writeRecord(this.#root, this.#lock, {
      snapshot,
      tree: treeIdentity(this.#root),
      boot: this.#boot,
      edition: edition.id,
      documents: Object.fromEntries(documents),
      parts,
      listings,
    });
  }

  /** Deletes files. If one cannot be deleted, deletes the others first, then throws the error. */
  async #remove(tree: SiteTree, gone: readonly string[]): Promise<void> {
    const failures: unknown[] = [];
    const folders = Object.values(LISTING_FOLDERS);
    for (const path of gone) {
      const done = this.#removed;
      this.#removed += 1;
      this.#onProgress?.(done, this.#plan.gone.length, PHASES.removing);
      // Lets the lock's first heartbeat and signals run.
      if (done % REMOVED_AT_ONCE === 0) await setImmediate();
      try {
        const keep = folders.find((folder) => path.startsWith(`${folder}/`)) ?? ".";
        if (tree.remove(path, keep)) this.deleted += 1;
      } catch (error) {
        if (!(error instanceof StoreWriteError)) throw error;
        failures.push(error);
      }
    }
    tree.syncFolders();
    if (failures.length > 0) throw failures[0];
  }

  async #writePart(tree: SiteTree, part: number): Promise<void> {
    const { edition, listingParts, listings, parts } = this.#plan;
    const known = parseListings(this.#root, listings[part] ?? "{}");
    const entries = listingParts.entries(part);
    for (const entry of entries) {
      await this.#writeListing(tree, entry, known.get(entry.host) ?? new Map());
    }
    listings[part] = listingsText(listingsOf(entries, edition));
    parts[part] = listingParts.digest(part);
  }

  /** Checks those files of a listing that are not known to be right, and writes the wrong ones. */
  async #writeListing(tree: SiteTree, entry: StoredListing, known: Digests): Promise<void> {
    const { edition } = this.#plan;
    const answers = rememberingLast((location) =>
      this.#snapshot.readAnswer(entry.segment, location),
    );
    for (const file of filesOf(entry, edition)) {
      if (known.get(file.name) !== null) continue;
      this.#onProgress?.(this.#seen, this.#plan.open, PHASES.exporting);
      this.#seen += 1;
      const path = pathOf(entry.host, file.name);
      const { length, hash, bytes } = await expectedFile(file, entry, path, edition, answers);
      if (tree.holds(path, length, hash)) continue;
      tree.put(path, await bytes());
      this.written += 1;
    }
  }

  /** Checks those documents that are not known to be right, writes the wrong ones, and notes the digests. */
  async #writeDocuments(tree: SiteTree, isMeant: (path: string) => boolean): Promise<void> {
    const { documents, made } = this.#plan;
    for (const [path, document] of made) {
      if (document === null || documents.get(path) !== null || !isMeant(path)) continue;
      this.#onProgress?.(this.#seen, this.#plan.open, PHASES.exporting);
      this.#seen += 1;
      const bytes = await document.make();
      if (!tree.holds(path, bytes.length, sha256(bytes))) {
        tree.put(path, bytes);
        this.written += 1;
      }
      documents.set(path, document.digest);
    }
  }
}
