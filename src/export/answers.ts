import * as assets from "#scripts/texts";
import { type AnswerContext, answer } from "../answer/answer.js";
import type { DocumentFacts, SnapshotView } from "../answer/content.js";
import { pageOptionsOf, pagesOf } from "../answer/pages.js";
import type { Engine } from "../engine/answering.js";
import { openScanningEngine } from "../engine/engine.js";
import { downloadsOf, installedExtras, pageRoutes, readsOf } from "../extra.js";
import { rootPathOf } from "../pages/kit/links.js";
import type { PageContext } from "../pages/kit/page-context.js";
import { linkPreviewPage } from "../pages/report/report-head.js";
import { toolDigest } from "../publish/tool.js";
import type { Addition, History, Manifest } from "../store/format.js";
import { sha256, shortDigest } from "../store/layout.js";
import { publicationsUpTo } from "../store/publications.js";
import { readSignature, type StoredSnapshot } from "../store/reader.js";
import type { AnswerRef, ListingAnswers } from "../store/segments/directory.js";
import type { InflatedFile } from "../store/snapshot-reader.js";
import type { StoredListing } from "../store/stored-segments.js";
import { searchStart } from "./data-files.js";
import { type HostFiles, hostFiles } from "./hosts.js";
import { hasDirectoryPictures, type TreeLayout } from "./layout.js";

/* The answers of a snapshot, as the files of a tree have them. */

/** Everything besides a report that determines the bytes of its pages: the program, the directory and the layout. */
export interface Edition {
  /** Identifies the edition: the same report and edition always give the same bytes of a page. */
  readonly id: string;
  readonly context: PageContext;
  readonly layout: TreeLayout;
  /** The configuration files for the tree's host. */
  readonly printed: HostFiles;
}

/** The edition of a snapshot's pages. @param root the tree's absolute path @throws BadSnapshotError */
export async function editionOf(
  snapshot: StoredSnapshot,
  layout: TreeLayout,
  root: string,
): Promise<Edition> {
  const { links, isPacked, hasPages, hasAnswers, hasPictures } = layout;
  const tree = { links, isPacked, hasPages, hasAnswers };
  const facts = await snapshot.readDirectoryFacts();
  const downloads = facts.extensions === false ? [] : downloadsOf(installedExtras());
  const context = { ...facts, downloads, hasPictures, tree };
  const id = shortDigest(sha256(JSON.stringify([toolDigest(), context, layout])));
  return { id, context, layout, printed: hostFiles(layout.host, root, rootPathOf(context)) };
}

/** Answers the addresses of a snapshot as a server does, with links to the files of a tree. */
export class TreeAnswers {
  readonly view: TreeView;
  readonly #context: AnswerContext;
  #damage: Error | null = null;

  constructor(snapshot: StoredSnapshot, { context, layout }: Edition) {
    const options = pageOptionsOf(installedExtras());
    const { links, isPacked, hasPages, hasAnswers } = layout;
    const start = searchStart(snapshot, isPacked);
    const tree = { links, isPacked, hasPages, hasAnswers, start };
    this.view = new TreeView(snapshot, { ...context, tree, pages: pageRoutes() });
    this.#context = {
      snapshot: this.view,
      pages: pagesOf(async () => assets, {
        ...options,
        rasterize: hasDirectoryPictures(layout) ? options.rasterize : null,
        preview: layout.hasPreviews ? linkPreviewPage : null,
      }),
      extensions: readsOf(installedExtras()),
      compress: async (bytes) => bytes,
      onDamage: (error) => {
        this.#damage = error;
      },
    };
  }

  /**
   * The body of an answer.
   * @param address relative to `/`
   * @param listing the listing that the address belongs to; null if there is none
   * @throws BadSnapshotError
   */
  async body(address: string, listing: StoredListing | null = null): Promise<Uint8Array> {
    if (listing !== null) this.view.turnTo(listing);
    const facts = { method: "GET", target: `/${address}`, isForPerson: true };
    const { status, body } = await answer(facts, this.#context);
    if (this.#damage !== null) throw this.#damage;
    if (status !== 200 || body === null) throw new Error(`/${address} was answered with ${status}`);
    return body;
  }
}

/**
 * The view of a snapshot for an export, which turns from listing to listing. It reads all tables if a page needs
 * them.
 */
class TreeView implements SnapshotView {
  readonly id: string;
  readonly content: string;
  readonly directory: PageContext;
  readonly listingCount: number;
  readonly history: History;
  readonly manifest: Manifest;
  readonly listings: SnapshotView["listings"];
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
    this.manifest = snapshot.manifest;
    this.listings = snapshot.listings;
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

  signature(): Promise<string | null> {
    return readSignature(this.#snapshot.store, this.id);
  }

  document(): DocumentFacts {
    return { length: 0, sha256: "" };
  }

  readDocument(path: string): Promise<Uint8Array> {
    return this.#snapshot.readDocument(path);
  }

  addition(extra: string): Addition | null {
    return this.#snapshot.addition(extra);
  }

  readAdded<T extends object>(file: InflatedFile, read: (bytes: Uint8Array) => T): Promise<T> {
    return this.#snapshot.readAdded(file, read);
  }

  async pause(): Promise<void> {}

  /** Files must not depend on the time. */
  now(): number {
    return 0;
  }
}
