import type { Engine } from "../engine/answering.js";
import { openScanningEngine } from "../engine/engine.js";
import type { PageContext } from "../pages/kit/page-context.js";
import type { DocumentFacts, SnapshotView } from "../runtime/answer/content.js";
import { type LoggedChange, publicationsUpTo } from "../store/change-log.js";
import type { ChangesFile, History } from "../store/format.js";
import { sha256 } from "../store/layout.js";
import type { StoredSnapshot } from "../store/reader.js";
import type { AnswerRef, ListingAnswers } from "../store/segments/directory.js";
import type { StoredListing } from "../store/snapshot-reader.js";

/**
 * The view of a snapshot for an export, which turns from listing to listing. It reads all tables if a page needs
 * them.
 */
export class TreeView implements SnapshotView {
  readonly id: string;
  readonly content: string;
  readonly directory: PageContext;
  readonly listingCount: number;
  readonly history: History;
  readonly #snapshot: StoredSnapshot;
  #engine: Promise<Engine> | null = null;
  /** The listing whose files are being made. */
  #listing: StoredListing | null = null;
  /** The answer that was read last, because several files in a row are made from the same answer. */
  #last: { readonly sha256: string; readonly bytes: Promise<Uint8Array> } | null = null;

  constructor(snapshot: StoredSnapshot, directory: PageContext) {
    this.id = snapshot.id;
    this.content = snapshot.manifest.content;
    this.directory = directory;
    this.listingCount = snapshot.manifest.counts.reports;
    this.history = publicationsUpTo(snapshot.manifest);
    this.#snapshot = snapshot;
  }

  /** Makes a listing the only one that the view finds. Until then, it finds all. */
  turnTo(listing: StoredListing): void {
    this.#listing = listing;
  }

  get engine(): Promise<Engine> {
    const { listings, manifest } = this.#snapshot;
    this.#engine ??= listings
      .searchRows()
      .then((rows) => openScanningEngine(rows, manifest.vocabulary));
    return this.#engine;
  }

  /** Files have no entity tags. */
  async digestOf(): Promise<string> {
    return "";
  }

  async listing(host: string): Promise<ListingAnswers | undefined> {
    const isOther = this.#listing !== null && this.#listing.host !== host;
    return isOther ? undefined : this.#snapshot.answersOf(host);
  }

  async summariesOf(hosts: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return hosts.map((host) => {
      const search = this.#listing?.host === host ? this.#listing.search : null;
      return search === null ? undefined : Buffer.from(JSON.stringify(search.summary));
    });
  }

  readAnswer(ref: AnswerRef): Promise<Uint8Array> {
    const { sha256 } = ref;
    if (this.#last?.sha256 !== sha256)
      this.#last = { sha256, bytes: this.#snapshot.readAnswer(ref) };
    return this.#last.bytes;
  }

  async sha256Of(bytes: Uint8Array): Promise<string> {
    return sha256(bytes);
  }

  document(): DocumentFacts {
    return { length: 0, sha256: "" };
  }

  readDocument(path: string): Promise<Uint8Array> {
    return this.#snapshot.readDocument(path);
  }

  changesIn(file: ChangesFile): Promise<readonly LoggedChange[]> {
    return this.#snapshot.readChanges(file);
  }

  async pause(): Promise<void> {}

  /** Files must not depend on the time. */
  now(): number {
    return 0;
  }
}
