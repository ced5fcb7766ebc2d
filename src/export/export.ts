import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { inParallel } from "../contract/tables.js";
import { disk, StoreWriteError } from "../files/disk.js";
import { bootId, type Lock, lockTree } from "../files/lock.js";
import { PHASES } from "../lib/options.js";
import { crewOf } from "../publish/crew.js";
import { requireCurrent } from "../publish/snapshots.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { Segment } from "../store/format.js";
import { currentId, StoredSnapshot } from "../store/reader.js";
import { isNamedByContent } from "./documents.js";
import { fileCount, LISTING_FOLDERS } from "./files.js";
import { requireFits, requireReachable } from "./hosts.js";
import { type ExportOptions, type ExportSettings, exportSettings } from "./options.js";
import { PartWork, type TreeWork } from "./part-work.js";
import { type ExportPlan, holdsDocuments, planOf } from "./plan.js";
import {
  distrustRecord,
  newRecord,
  readRecord,
  recordPath,
  removeUnfinishedRecords,
  requireOwn,
  type SiteRecord,
  SiteRefusedError,
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
  /** Non-fatal problems, such as a tree that fits only a paid plan of its host. */
  readonly warnings: readonly string[];
  /** Bytes of the written files. */
  readonly bytes: number;
}

/**
 * If the plan has at most this many files to check, each written file is synced, which takes milliseconds. Beyond that,
 * a power failure may lose some files. The record then names the machine's boot (`boot`), so the next export notices.
 */
const SYNCED_MAX = 250;
/** If at least this many files are to be checked, several threads share the work: a thread takes 0.2 s to start. */
const THREADS_MIN = 5_000;
/** How many files are removed between two pauses for other work. */
const REMOVED_AT_ONCE = 1_000;
/** How many snapshots an export tries, if builds delete the one that it is reading. */
const TRIES_MAX = 3;

/**
 * Brings the public tree up to date with a store's current snapshot: first deletes the files of removed answers, then
 * writes the changes. It may be killed at any point; the next export finishes its work.
 * @param site the tree's folder; created if it does not exist
 * @throws SiteRefusedError if the folder is not empty and was not made by an export, if files that are not the export's
 * are at the paths of its files, or if the tree does not suit its host; NoSnapshotError if nothing was
 * published yet; BadSnapshotError; StoreWriteError; StoreLockedError while another export runs; TypeError for a wrong
 * argument
 */
export async function exportSite(site: string, options: ExportOptions = {}): Promise<ExportResult> {
  const settings = exportSettings(site, options);
  const root = await realPathOf(site);
  const path = await recordPath(root, settings.record);
  const isNamed = settings.record !== undefined;
  // Checked before taking the lock, which creates a file in the folder: a folder that is not ours stays untouched.
  if (!existsSync(path)) await newRecord(path, root, isNamed);
  const lock = await lockTree(root, site);
  return lock.during(async () => {
    for (let tries = 1; ; tries += 1) {
      const id = await requireCurrent(settings.store);
      try {
        return await exportSnapshot({ root, path, isNamed }, id, lock, settings);
      } catch (error) {
        // A build may have published another snapshot meanwhile, and deleted the one being read.
        const isOver = !(error instanceof BadSnapshotError) || tries === TRIES_MAX;
        if (isOver || (await currentId(settings.store)) === id) throw error;
      }
    }
  });
}

/** Where an export writes. */
interface ExportTarget {
  /** The tree's real path. */
  readonly root: string;
  /** The path of the tree's record. */
  readonly path: string;
  /** Whether the publisher has named the record. */
  readonly isNamed: boolean;
}

async function exportSnapshot(
  { root, path, isNamed }: ExportTarget,
  id: string,
  lock: Lock,
  settings: ExportSettings,
): Promise<ExportResult> {
  const { store, full, layout } = settings;
  const snapshot = await StoredSnapshot.openManifest(store, id);
  try {
    const record = (await readRecord(path)) ?? (await newRecord(path, root, isNamed));
    if (isNamed) requireOwn(record, path, root);
    if (record.tree !== null) lock.keepFolder();
    await removeUnfinishedRecords(path, lock);
    const boot = bootId();
    const isOurs = record.tree !== null && record.tree === treeIdentity(root);
    const isSafe = record.boot === null || record.boot === boot;
    const tree = new SiteTree(root, lock.token, false);
    const trusted = !full && isOurs && isSafe && holdsDocuments(tree, record, snapshot);
    const plan = await planOf(snapshot, record, trusted, { layout, root, path });
    requireFree(root, plan.occupied);
    const { reports, historical } = snapshot.manifest.counts;
    const files = fileCount(reports, historical, layout) + plan.made.size;
    const largestFolder = layout.hasPages || layout.hasPreviews ? reports : 0;
    const { largestBytes } = plan;
    const warnings = [
      ...requireReachable(snapshot.manifest.directory, layout.host, settings.allowLoopback),
      ...requireFits(layout.host, { files, largestFolder, largestBytes }),
    ];
    // Without a boot id, nothing would show whether a power failure has lost files, so each file is synced.
    const sync = boot === null || plan.open <= SYNCED_MAX;
    const kept = trusted ? record.boot : null;
    const exporter = new Exporter({
      root,
      path,
      lock,
      snapshot,
      plan,
      settings,
      boot: sync ? kept : boot,
    });
    const isDone = record.snapshot === id && record.edition === plan.edition.id;
    if (!isDone || !trusted) await exporter.run(sync);
    for (const [suffix, text] of plan.edition.printed.beside) {
      await disk.writeFile(join(dirname(path), basename(root) + suffix), Buffer.from(text));
    }
    const { written, deleted, bytes } = exporter;
    return { id, written, deleted, unchanged: files - written, warnings, bytes };
  } finally {
    snapshot.close();
  }
}

/** How many files a refusal names. */
const NAMED_MAX = 3;

/** @throws SiteRefusedError if files that are not the export's are at the paths of its new files */
function requireFree(root: string, occupied: ReadonlySet<string>): void {
  if (occupied.size === 0) return;
  const names = [...occupied].slice(0, NAMED_MAX).map((name) => join(root, name));
  const rest = occupied.size - names.length;
  throw new SiteRefusedError(
    "the export would overwrite what no export recorded: " +
      `${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}; move it away, or name the record of ` +
      "the export that wrote it with --record",
  );
}

interface ExportJob {
  readonly root: string;
  /** The path of the tree's record. */
  readonly path: string;
  readonly lock: Lock;
  readonly snapshot: StoredSnapshot;
  readonly plan: ExportPlan;
  readonly settings: ExportSettings;
  /** See the record's `boot`. */
  readonly boot: string | null;
}

/** Carries out a plan. */
class Exporter {
  readonly #job: ExportJob;
  /** How many of the plan's `open` files were checked so far. */
  #seen = 0;
  /** How many of the plan's `gone` files were handled so far. */
  #removed = 0;
  written = 0;
  deleted = 0;
  bytes = 0;

  constructor(job: ExportJob) {
    this.#job = job;
  }

  async run(sync: boolean): Promise<void> {
    const { root, path, lock, plan, snapshot } = this.#job;
    const tree = new SiteTree(root, lock.token, sync);
    const { gone } = plan;
    const removed = gone.filter((path) => !isNamedByContent(path));
    try {
      await this.#note(null);
    } catch (error) {
      // A full disk must not stop the removal of answers; removing them also makes room. The record still names them.
      if (removed.length === 0) throw error;
      lock.check();
      distrustRecord(path);
      await this.#remove(tree, removed);
      if (this.deleted === 0) throw error;
      await this.#note(null);
    }
    lock.keepFolder();
    const isNew = tree.prepare();
    await this.#remove(tree, removed);
    await this.#writeDocuments(tree, isNamedByContent);
    await this.#writeListings(sync, isNew);
    await this.#writeDocuments(tree, () => true);
    await this.#remove(tree, gone.filter(isNamedByContent));
    for (const path of gone) plan.documents.delete(path);
    tree.syncFolders();
    await this.#note(snapshot.id);
  }

  /** Writes the record in the plan's current state. @param snapshot null until all files are in the tree */
  #note(snapshot: string | null): Promise<void> {
    const { root, path, lock, boot, plan } = this.#job;
    const { edition, documents, listings } = plan;
    const { segments } = this.#job.snapshot.manifest;
    return writeRecord(path, lock, {
      snapshot,
      tree: treeIdentity(root),
      root,
      boot,
      edition: edition.id,
      documents: Object.fromEntries(documents),
      segments: snapshot === null ? [] : segments.map(segmentNote),
      listings,
    });
  }

  /** Deletes files. If one cannot be deleted, deletes the others first, then throws the error. */
  async #remove(tree: SiteTree, gone: readonly string[]): Promise<void> {
    const { plan, settings } = this.#job;
    const failures: unknown[] = [];
    const folders = Object.values(LISTING_FOLDERS);
    for (const path of gone) {
      const done = this.#removed;
      this.#removed += 1;
      settings.onProgress?.(done, plan.gone.length, PHASES.removing);
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

  /** Carries out the plan's orders: writes the files of listings, and notes their digests. */
  async #writeListings(sync: boolean, isNew: boolean): Promise<void> {
    const { root, path: record, plan, settings } = this.#job;
    const { edition, orders, listings, open } = plan;
    const lock = this.#job.lock.token;
    const { id } = this.#job.snapshot;
    const work: TreeWork = { root, record, lock, store: settings.store, id, edition, sync, isNew };
    const cores = open < THREADS_MIN ? 1 : availableParallelism();
    const jobs = Math.max(1, Math.min(settings.jobs ?? cores, orders.length));
    const worker = new URL("./part-worker.js", import.meta.url);
    const crew = crewOf(jobs, worker, work, () => PartWork.open(work, () => this.#tell(1)));
    try {
      // A thread gets one order at a time, because its view of the snapshot shows one listing at a time.
      await inParallel(orders, jobs, async (order) => {
        const { text, checked, written, bytes } = await crew.run(order);
        listings[order.part] = text;
        this.written += written;
        this.bytes += bytes;
        if (jobs > 1) this.#tell(checked);
      });
    } finally {
      await crew.close();
    }
  }

  #tell(checked: number): void {
    const { plan, settings } = this.#job;
    settings.onProgress?.(this.#seen, plan.open, PHASES.exporting);
    this.#seen += checked;
  }

  /** Checks the documents that may be wrong, writes those that are, and notes the digests. */
  async #writeDocuments(tree: SiteTree, isMeant: (path: string) => boolean): Promise<void> {
    const { documents, made } = this.#job.plan;
    for (const [path, document] of made) {
      if (document === null || documents.get(path) !== null || !isMeant(path)) continue;
      this.#tell(1);
      const bytes = await document.make();
      if (tree.put(path, bytes)) {
        this.written += 1;
        this.bytes += bytes.length;
      }
      documents.set(path, document.digest);
    }
  }
}

function segmentNote({ pack, firstHash, lastHash }: Segment): SiteRecord["segments"][number] {
  return { pack: pack.file, firstHash, lastHash };
}
