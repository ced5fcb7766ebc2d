import type { LockToken } from "../files/lock.js";
import { stubPage } from "../pages/kit/frame.js";
import type { Work } from "../publish/crew.js";
import { StoredSnapshot } from "../store/reader.js";
import type { ListingRow } from "../store/snapshot-reader.js";
import type { StoredListing } from "../store/stored-segments.js";
import { type Edition, TreeAnswers } from "./answers.js";
import { addressOf, type Digests, digestsOf, filesOf, pathOf } from "./files.js";
import { listingsText, parseListings } from "./record.js";
import { SiteTree } from "./tree.js";

/** What all parts of an export share. Can be posted to a thread. */
export interface TreeWork {
  readonly root: string;
  /** The path of the tree's record. */
  readonly record: string;
  readonly lock: LockToken;
  readonly store: string;
  /** The snapshot's id. */
  readonly id: string;
  readonly edition: Edition;
  readonly sync: boolean;
  /** Whether the tree had no files before the export. */
  readonly isNew: boolean;
}

/** Listings of one part of the record, whose files are to be checked. */
export interface PartOrder {
  readonly part: number;
  readonly rows: readonly ListingRow[];
  /** The part's text in the record, with null for each file that may be wrong. */
  readonly text: string;
}

export interface PartOutcome {
  /** The part's text in the record: the files that the listings have now. */
  readonly text: string;
  /** How many files were checked. */
  readonly checked: number;
  readonly written: number;
  readonly bytes: number;
}

/** Writes the files of listings. Works in any thread. */
export class PartWork implements Work<PartOrder, PartOutcome> {
  readonly #work: TreeWork;
  readonly #snapshot: StoredSnapshot;
  readonly #answers: TreeAnswers;
  readonly #tree: SiteTree;

  readonly #onFile: () => void;

  private constructor(work: TreeWork, snapshot: StoredSnapshot, onFile: () => void) {
    this.#work = work;
    this.#onFile = onFile;
    this.#snapshot = snapshot;
    this.#answers = new TreeAnswers(snapshot, work.edition);
    const { root, lock, sync, isNew } = work;
    this.#tree = new SiteTree(root, lock, sync, isNew);
  }

  /** @param onFile called before each file that is checked @throws BadSnapshotError */
  static async open(work: TreeWork, onFile: () => void = () => {}): Promise<PartWork> {
    const snapshot = await StoredSnapshot.openManifest(work.store, work.id);
    return new PartWork(work, snapshot, onFile);
  }

  /**
   * Checks the files of listings that the record marks with null, and writes the wrong ones. @throws StoreWriteError
   */
  async run({ rows, text }: PartOrder): Promise<PartOutcome> {
    const known = parseListings(this.#work.record, text);
    const entries = await this.#snapshot.listings.entriesAt(rows);
    const sum = { checked: 0, written: 0, bytes: 0 };
    for (const entry of entries.values()) {
      await this.#writeListing(entry, known.get(entry.host) ?? new Map(), sum);
      known.set(entry.host, digestsOf(filesOf(entry, this.#work.edition)));
    }
    // The files of all other listings have already been removed.
    for (const [host, files] of known) {
      if (![...files.values()].some((digest) => digest !== null)) known.delete(host);
    }
    this.#tree.syncFolders();
    return { ...sum, text: listingsText(known) };
  }

  close(): void {
    this.#snapshot.close();
  }

  async #writeListing(
    entry: StoredListing,
    known: Digests,
    sum: { checked: number; written: number; bytes: number },
  ): Promise<void> {
    const { host } = entry;
    const { context, layout } = this.#work.edition;
    for (const { name } of filesOf(entry, this.#work.edition)) {
      if (known.get(name) !== null) continue;
      this.#onFile();
      const path = pathOf(host, name);
      const address = addressOf(host, name);
      const bytes =
        address === null && !layout.hasPreviews
          ? Buffer.from(stubPage(path, `sites/${host}`, host, context))
          : await this.#answers.body(address ?? `sites/${host}`, entry);
      if (this.#tree.put(path, bytes)) {
        sum.written += 1;
        sum.bytes += bytes.length;
      }
      sum.checked += 1;
    }
  }
}
