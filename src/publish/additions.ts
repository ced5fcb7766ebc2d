import { join } from "node:path";
import { gzipSync } from "fflate";
import type { Figures } from "../contract/figures.js";
import { currentSlug, currentSlugs, type FormerSlugs, formerTable } from "../contract/former.js";
import type { SiteSummary, TaxonomyEntry } from "../contract/listing.js";
import { byCodeUnit } from "../contract/order.js";
import type { Standards } from "../contract/standards.js";
import { installedExtras } from "../extra.js";
import { disk } from "../files/disk.js";
import type { DirectoryRecord, FormerRubric } from "../input/checking/schemas.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { ListingColumns } from "../store/columns/listings.js";
import type { AddedFile, Addition, History, Manifest } from "../store/format.js";
import { layout } from "../store/layout.js";
import { firstHistory, publicationsUpTo } from "../store/publications.js";
import {
  currentId,
  currentPointer,
  isWhole,
  readInflated,
  readStoredManifest,
  StoredSnapshot,
  snapshotIds,
} from "../store/reader.js";
import type { InflatedFile } from "../store/snapshot-reader.js";
import { storedJson } from "../store/stored-json.js";
import type { ListingChange, ListingGist } from "../store/stored-segments.js";
import type { CountedMove } from "./erasure.js";
import { describe } from "./segment-writer.js";

/*
 * What extras add to a snapshot. The core numbers publications, and keeps, checks, copies and deletes the files that
 * extras add without knowing what is in them.
 */

/** What is known when a publication begins. */
export interface PublicationStart {
  readonly store: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What the documents are made from: the directory's record in the input, or another snapshot. */
  readonly basis: { readonly directory: DirectoryRecord } | { readonly snapshot: Manifest };
  /** The slugs that terms of the publication had before. */
  readonly former: Manifest["vocabulary"]["former"];
}

/** What is known once all changes are. */
export interface PublicationEnd {
  /** The number of the publication. */
  readonly generation: number;
  /** Whether the snapshot has the content of the one that it replaces, and so its number. */
  readonly isSame: boolean;
  /** Ids of the published snapshots, oldest first. */
  readonly publications: readonly string[];
  readonly figures: Figures;
  readonly standards: Standards;
  /** The rubric before the current one, and how scores have moved; null if none is known, as after a rollback. */
  readonly shift: Shift | null;
  /** Reads the listings in search, as columns. */
  rows(): Promise<ListingColumns[]>;
  /** Reads what the extra keeps of the reports of the listings in search (`Extra.gistOf`), in no particular order. */
  gists(): Promise<ListingGist[]>;
  /** Whether some former answers may not stay in any file, as far as is known. */
  readonly hasErased: boolean;
}

/** What `Additions` has for every extra. */
interface PublicationFacts extends Omit<PublicationEnd, "generation" | "isSame" | "gists"> {
  gistsOf(extra: string): Promise<ListingGist[]>;
}

/** How the scores of listings in search have moved from the former rubric to the current one. */
export interface Shift {
  readonly former: FormerRubric;
  /** Sorted. They count listings whose plan does not show the former score, too: publish no small numbers. */
  readonly moves: readonly CountedMove[];
}

/** An extra at work on the next snapshot of a store. */
export interface Adder {
  /** Tells which snapshot is replaced. Not called if there is none, or if it is damaged. */
  begin?(before: Manifest): void;
  /** Tells of a listing that changes: one that goes must be erased from all that was added before. */
  add?(change: ListingChange): void;
  /** Tells that some changes are unknown: the replaced snapshot is damaged. */
  forget?(): void;
  /** Writes the files into `segments/`, unless they are there. @throws StoreWriteError */
  end(publication: PublicationEnd): Promise<Addition>;
  /** Bytes of the files that `end` has written. */
  readonly bytesWritten: number;
}

/**
 * Writes a file that an extra adds, unless the store has it.
 * @param kind a word, the end of its name
 * @param text what it inflates to
 * @throws StoreWriteError
 */
export async function writeAdded(
  store: string,
  kind: string,
  text: Uint8Array,
): Promise<{ readonly file: InflatedFile; readonly written: number }> {
  // The output of Node's zlib depends on the processor.
  return writeCompressed(store, kind, gzipSync(text, { mtime: 0 }), text.length);
}

/**
 * Like `writeAdded`, for what is compressed already.
 * @param length the bytes that it inflates to
 */
export async function writeCompressed(
  store: string,
  kind: string,
  bytes: Uint8Array,
  length: number,
): Promise<{ readonly file: InflatedFile; readonly written: number }> {
  const stored = describe(bytes, (hash) => layout.added(hash, kind));
  const file = { ...stored, length };
  if (await isWhole(store, stored)) return { file, written: 0 };
  await disk.writeFile(join(store, stored.file), bytes);
  return { file, written: bytes.length };
}

/** What an extra's check needs. */
export interface VerifyFacts {
  /** Null if it is unknown which sites are in search. */
  readonly isInSearch: ((host: string) => boolean) | null;
  /** Records a problem of a file, relative to the store. Of each file, only the first one counts. */
  report(file: string, problem: string): void;
}

/** An extra's one file, which repeats what it keeps of the reports of the listings in search. */
export interface GistFile {
  /** Begins the file of a publication. */
  begin(start: PublicationStart): Adder;
  /** Checks that the file is that of the listings in search, by making it again. */
  verify(snapshot: StoredSnapshot, facts: VerifyFacts): Promise<void>;
}

/**
 * A file that each publication writes anew from the rows of the listings in search: no report is read. So it has
 * nothing of a listing that is gone, and it depends on the listings alone. It is not part of a snapshot's `content`.
 * @param extra the name of the extra, and the kind of its file
 * @param bytesOf what the file inflates to; null if there is none
 */
export function gistFile(
  extra: string,
  bytesOf: (gists: readonly ListingGist[]) => Uint8Array | null,
): GistFile {
  const begin = ({ store }: PublicationStart): Adder => {
    let bytesWritten = 0;
    return {
      end: async ({ gists }) => {
        const bytes = bytesOf(await gists());
        if (bytes === null) return { facts: {}, files: [] };
        const { file, written } = await writeAdded(store, extra, bytes);
        bytesWritten = written;
        return { facts: {}, files: [{ ...file, facts: {} }] };
      },
      get bytesWritten() {
        return bytesWritten;
      },
    };
  };
  const verify = async (snapshot: StoredSnapshot, { isInSearch, report }: VerifyFacts) => {
    const file = snapshot.addition(extra)?.files[0];
    // Without all tables, it is unknown what the file should have.
    if (file === undefined || isInSearch === null) return;
    const expected = bytesOf(await snapshot.listings.gists(extra));
    // A file whose bytes are not those of the manifest is reported already.
    const found = await readInflated(snapshot.store, file).catch(() => null);
    if (found !== null && (expected === null || Buffer.compare(found, expected) !== 0))
      report(file.file, `${file.file} does not match the listings of its snapshot`);
  };
  return { begin, verify };
}

/** The one file that an extra adds to each snapshot, and the value in it. */
interface AddedValue<T> {
  readonly file: AddedFile;
  readonly value: T;
}

/**
 * The value that an extra has added to the current snapshot, or to the latest intact one that has it; null if none has.
 * @param publications ids of the published snapshots, oldest first
 */
export async function latestAdded<T extends object>(
  store: string,
  extra: string,
  publications: readonly string[],
): Promise<AddedValue<T> | null> {
  const current = await currentId(store).catch(() => null);
  for (const id of [current, ...publications.toReversed()]) {
    const found = id === null ? null : await addedIn<T>(store, id, extra);
    if (found !== null) return found;
  }
  return null;
}

/** The value in a snapshot; null if it has none, or is damaged. */
async function addedIn<T extends object>(
  store: string,
  id: string,
  extra: string,
): Promise<AddedValue<T> | null> {
  try {
    const snapshot = await StoredSnapshot.openManifest(store, id);
    try {
      const file = snapshot.addition(extra)?.files[0];
      if (file === undefined) return null;
      return { file, value: await snapshot.readAdded(file, storedJson<T>) };
    } finally {
      snapshot.close();
    }
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}

/** What all extras add to the next snapshot of a store. */
export class Additions {
  readonly #store: string;
  readonly #adders: ReadonlyMap<string, Adder>;
  readonly #former: FormerSlugs | undefined;
  #before: Manifest | null = null;
  #isDamaged = false;

  private constructor({ store, former }: PublicationStart, adders: ReadonlyMap<string, Adder>) {
    this.#store = store;
    this.#adders = adders;
    this.#former = formerTable(former);
  }

  static async begin(start: PublicationStart): Promise<Additions> {
    const adders = new Map<string, Adder>();
    for (const { name, beginAddition } of installedExtras()) {
      const adder = await beginAddition?.(start);
      if (adder !== undefined) adders.set(name, adder);
    }
    return new Additions(start, adders);
  }

  /** Tells which snapshot is replaced. Without this, the publication counts as the first of its store. */
  replace(before: Manifest): void {
    this.#before = before;
    for (const adder of this.#adders.values()) adder.begin?.(before);
  }

  /** Tells of a listing that changes. It gains and loses nothing by the new name of a term. */
  add(change: ListingChange): void {
    const told = this.#former === undefined ? change : withCurrentTerms(change, this.#former);
    for (const adder of this.#adders.values()) adder.add?.(told);
  }

  /** Drops the changes: the replaced snapshot is damaged. */
  forget(): void {
    this.#isDamaged = true;
    for (const adder of this.#adders.values()) adder.forget?.();
  }

  /** Bytes of the files that `end` has written. */
  get bytesWritten(): number {
    return [...this.#adders.values()].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
  }

  /**
   * Numbers the publication, and writes the files of all extras.
   * @param content the digest of the snapshot's content
   * @returns the members of its manifest
   * @throws StoreWriteError
   */
  async end(
    content: string,
    { gistsOf, ...known }: PublicationFacts,
  ): Promise<Pick<Manifest, "history" | "extras"> & { readonly history: History }> {
    const isSame = this.#before?.content === content;
    const history = await nextHistory(this.#store, this.#before, content);
    const { generation } = history;
    const hasErased = known.hasErased || this.#isDamaged;
    const extras: Record<string, Addition> = {};
    for (const [name, adder] of this.#adders) {
      const gists = () => gistsOf(name);
      extras[name] = await adder.end({ ...known, gists, generation, isSame, hasErased });
    }
    return { history, ...(this.#adders.size > 0 && { extras }) };
  }
}

/** A change whose earlier state names its terms by the slugs that they have now. */
function withCurrentTerms(change: ListingChange, former: FormerSlugs): ListingChange {
  const { before } = change;
  if (before === null || before.search === null) return change;
  const { summary } = before.search;
  const { category, tags, platforms, capabilities } = summary;
  const termOf = (filter: "category" | "tag", term: TaxonomyEntry) => ({
    ...term,
    slug: currentSlug(filter, term.slug, former),
  });
  const named = new Map(tags.map((tag) => [currentSlug("tag", tag.slug, former), tag]));
  const current: SiteSummary = {
    ...summary,
    category: category && termOf("category", category),
    tags: Array.from(named.values(), (tag) => termOf("tag", tag)),
    platforms: currentSlugs("platform", platforms, former).sort(byCodeUnit),
    capabilities: currentSlugs("capability", capabilities, former).sort(byCodeUnit),
  };
  return { ...change, before: { ...before, search: { ...before.search, summary: current } } };
}

/** The number of a publication. @param before the snapshot that it replaces; null if it is damaged, or if none is */
async function nextHistory(
  store: string,
  before: Manifest | null,
  content: string,
): Promise<History> {
  const was = before === null ? await newestHistory(store, content) : publicationsUpTo(before);
  if (was === null) return firstHistory(content);
  return before?.content === content ? was : { ...was, generation: was.generation + 1 };
}

/**
 * The history to continue if the current snapshot is damaged: that of the newest readable snapshot, with each damaged
 * snapshot counted as one more publication, or that of `current.json` if its number is higher. Null if the store has no
 * snapshot.
 */
async function newestHistory(store: string, content: string): Promise<History | null> {
  const ids = await snapshotIds(store);
  let newest = { ...firstHistory(content), generation: 0 };
  let damaged = 0;
  for (const id of ids) {
    const manifest = await readStoredManifest(store, id).catch(() => null);
    if (manifest === null) damaged += 1;
    else if (publicationsUpTo(manifest).generation > newest.generation)
      newest = publicationsUpTo(manifest);
  }
  if (ids.length === 0) return null;
  const generation = newest.generation + damaged;
  const pointer = await currentPointer(store).catch(() => null);
  if (pointer === null || pointer.generation <= generation) return { ...newest, generation };
  return { ...newest, generation: pointer.generation, origin: pointer.origin };
}
