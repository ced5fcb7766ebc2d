import { z } from "zod";
import { BODIES } from "../contract/bodies.js";
import { FIGURES_DOCUMENT, type Figures } from "../contract/figures.js";
import { hostHash, isCanonicalHost } from "../contract/host.js";
import { byCodeUnit } from "../contract/order.js";
import { ROUTE_NAMES, ROUTES, type Route } from "../contract/routes.js";
import { itemAt } from "../contract/tables.js";
import { installedExtras } from "../extra.js";
import { jsonIn } from "../files/lines.js";
import {
  checkedOptions,
  FOLDER,
  type OnProgress,
  type OptionTable,
  PHASES,
  PROGRESS_OPTION,
  requireArgument,
  STORE,
} from "../lib/options.js";
import type { VerifyFacts } from "../publish/additions.js";
import { contentId } from "../publish/manifest.js";
import { contentOf } from "../publish/segment-writer.js";
import { newestFirst, nothingPublished } from "../publish/snapshots.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { aligned } from "../store/columns/columns.js";
import { addedFiles, type Segment, segmentFiles } from "../store/format.js";
import { SIGNATURE_NAME, sha256 } from "../store/layout.js";
import {
  checkHash,
  currentId,
  readChecked,
  requireNewestSignature,
  StoredSnapshot,
} from "../store/reader.js";
import { answerTree } from "../store/segments/answer-tree.js";
import { answerRef, answersOf, byHash } from "../store/segments/directory.js";
import { SignatureError, type VerifyManifest } from "../store/signature.js";
import { type ExtraVerifyOptions, verifierFor } from "../store/signers.js";
import type { StoredListing } from "../store/stored-segments.js";
import { CountedListings } from "../store/tally.js";
import { type ExpectedAnswer, expectedAnswers, shapedJson } from "./expected-answers.js";

/** Options of `verify`. */
export interface VerifyOptions extends ExtraVerifyOptions {
  /** Called with the bytes checked so far and the total bytes. */
  readonly onProgress?: OnProgress | undefined;
}

export const VERIFY = { onProgress: PROGRESS_OPTION } satisfies OptionTable<
  Omit<VerifyOptions, keyof ExtraVerifyOptions>
>;

/** A file of a store with a problem. */
export interface BadFile {
  /** Path relative to the store. */
  readonly file: string;
  /** The first problem of the file, as a sentence that names the file. */
  readonly problem: string;
  /** The listings whose answers the problem affects, sorted; only those that are known. */
  readonly hosts: readonly string[];
}

/** The result of a verification. The snapshot is good if `bad` is empty. */
export interface Verification {
  /** The snapshot that was checked: the current one, or the newest if `current.json` is bad; null if there is none. */
  readonly id: string | null;
  /** How many files were checked, including the bad ones. */
  readonly files: number;
  /** How many answers were checked, including the bad ones. */
  readonly answers: number;
  /** The generation in the snapshot's signature; undefined if no signature was checked, or if it is bad. */
  readonly generation?: number | undefined;
  /** Sorted by file. */
  readonly bad: readonly BadFile[];
}

/**
 * Reads a store's current snapshot again, or the newest one if `current.json` is bad. Checks the whole chain of
 * checksums, the shape of every document and answer (docs/contract.md#2-objects), that answers belong to their
 * listings, that rows match their reports, and that all counts and digests match the manifest. Unless it checks
 * signatures, it finds damage, but not tampering: anyone who can write to the store can also correct every checksum.
 * Holds one answer, one table and all directories in memory.
 * @param store the store's folder
 * @throws NoSnapshotError if nothing was published yet; TypeError for a wrong argument
 */
export async function verify(
  store: string = STORE,
  options: VerifyOptions = {},
): Promise<Verification> {
  requireArgument("verify", "store", store, FOLDER);
  const { onProgress } = checkedOptions("verify", options, VERIFY);
  const signed = await verifierFor(options);
  for (;;) {
    const found = await new Verifier(store).run(onProgress, signed);
    // A build may have published meanwhile, and deleted files of the snapshot that was current before.
    const current = await currentId(store).catch(() => null);
    const isCurrent = current === null || current === found.id;
    if (isCurrent || found.bad.length === 0) return found;
  }
}

class Verifier {
  readonly #store: string;
  readonly #bad = new Map<string, { problem: string; hosts: Set<string> }>();
  #files = 0;
  #answers = 0;

  constructor(store: string) {
    this.#store = store;
  }

  async run(
    onProgress: OnProgress | undefined,
    signed: VerifyManifest | undefined,
  ): Promise<Verification> {
    const current = await this.read("current.json", () => currentId(this.#store));
    const id = current ?? (await newestFirst(this.#store))[0] ?? null;
    if (current === null) {
      if (id === null) throw nothingPublished(this.#store);
      this.add("current.json", "current.json is missing, though the store has snapshots");
    }
    if (id !== null) await this.#checkSnapshot(id, onProgress);
    // Without a good manifest there is nothing that a signature could vouch for.
    const isChecked = signed !== undefined && id !== null && !this.#bad.has(`${id}/manifest.json`);
    const generation = isChecked ? await this.#generationOf(id, signed) : undefined;
    const bad = [...this.#bad]
      .map(([file, { problem, hosts }]) => ({ file, problem, hosts: [...hosts].sort(byCodeUnit) }))
      .sort((a, b) => byCodeUnit(a.file, b.file));
    const counts = { files: this.#files, answers: this.#answers };
    return { id, ...counts, ...(generation !== undefined && { generation }), bad };
  }

  #generationOf(id: string, signed: VerifyManifest): Promise<number | undefined> {
    const file = `${id}/${SIGNATURE_NAME}`;
    return this.read(file, () => requireNewestSignature(this.#store, id, signed));
  }

  async #checkSnapshot(id: string, onProgress: OnProgress | undefined): Promise<void> {
    const manifestFile = `${id}/manifest.json`;
    const snapshot = await this.read(manifestFile, () =>
      StoredSnapshot.openManifest(this.#store, id),
    );
    if (snapshot === undefined) return;
    try {
      await checkDocuments(snapshot, this);
      const scoreVersion = await scoreVersionOf(snapshot);
      const { segments } = snapshot.manifest;
      const bytes = segments.reduce((sum, { pack }) => sum + pack.bytes, 0);
      const all = new CountedListings();
      const inSearch = new Set<string>();
      const live = await liveRowsOf(snapshot);
      let hasTables = true;
      let done = 0;
      for (const [segment, { pack }] of segments.entries()) {
        const found = await this.#checkSegment(snapshot, segment);
        hasTables &&= found?.hasTable === true;
        const rows = live?.[segment];
        const entries = found && rows && Array.from(rows, (row) => itemAt(found.entries, row));
        for (const { host, search } of entries ?? []) if (search !== null) inSearch.add(host);
        all.add(entries ?? undefined, scoreVersion ?? "");
        done += pack.bytes;
        onProgress?.(done, bytes, PHASES.verifying);
      }
      const isWhole = all.isWhole && hasTables;
      if (all.isWhole) await this.#checkManifest(snapshot, manifestFile, all, hasTables);
      await checkAdditions(snapshot, isWhole ? (host) => inSearch.has(host) : null, this);
      if (isWhole && scoreVersion !== null) {
        await checkFigures(snapshot, all.tally.figures(), this);
      }
    } finally {
      snapshot.close();
    }
  }

  /** @param hasTables whether all tables could be read, so that the listings in search are known */
  async #checkManifest(
    snapshot: StoredSnapshot,
    file: string,
    { counts, live }: CountedListings,
    hasTables: boolean,
  ): Promise<void> {
    const { manifest, listings } = snapshot;
    for (const what of ["reports", "searchable", "historical"] as const) {
      if (what === "searchable" && !hasTables) continue;
      if (counts[what] === manifest.counts[what]) continue;
      const said = `counts ${manifest.counts[what]} ${what}, but the segments have ${counts[what]}`;
      this.add(file, `${file} ${said}`);
    }
    for (const [segment, { pack, live: said }] of manifest.segments.entries()) {
      if (live[segment] === said) continue;
      this.add(
        file,
        `${file} counts ${said} live listings of ${pack.file}, which has ${live[segment]}`,
      );
    }
    if ((await contentId(listings, manifest)) !== manifest.content) {
      this.add(file, `${file} does not name the content of its listings and documents`);
    }
  }

  /** @returns all entries of a segment; null if its directory cannot be read */
  async #checkSegment(snapshot: StoredSnapshot, segment: number): Promise<ReadEntries | null> {
    const names = itemAt(snapshot.manifest.segments, segment);
    const { table, pack } = names;
    for (const file of segmentFiles([names]))
      await this.read(file.file, () => checkHash(this.#store, file));
    const found = await this.#readEntries(snapshot, segment);
    if (found === null) return null;
    const { entries, hasTable } = found;
    let before: StoredListing | null = null;
    for (const entry of entries) {
      const { host } = entry;
      const hash = hostHash(host);
      const isInPlace = before === null || byHash(before, entry) < 0;
      const isInRange = names.firstHash <= hash && hash <= names.lastHash;
      before = entry;
      // The message does not repeat the host, because a malformed host could contain terminal control sequences.
      if (!isCanonicalHost(host)) {
        this.add(pack.file, `${pack.file} has a host that is not canonical`);
        continue;
      }
      if (!isInPlace || !isInRange) {
        this.add(pack.file, `${pack.file} has ${host} in the wrong place`, host);
      }
      if (hasTable && contentOf(entry) !== entry.content) {
        this.add(pack.file, `${pack.file} has another digest for ${host} than its answers`, host);
      }
      for (const answer of expectedAnswers(entry, names)) {
        await this.#checkAnswer(snapshot, segment, host, answer);
      }
    }
    const tree = await answerTree(entries, sha256);
    if (tree.size !== names.answers.size || tree.root !== names.answers.root) {
      const file = `${snapshot.id}/manifest.json`;
      this.add(file, `${file} does not name the tree of the answers in ${pack.file}`);
    }
    const searchable = entries.filter(({ search }) => search !== null).length;
    if (hasTable && searchable !== names.rows) {
      this.add(table.file, `${table.file} has rows of listings without a report`);
    }
    this.#checkGaps(names, entries);
    return found;
  }

  /** Reads the entries of a segment: without a good table, what its directory says of them. */
  async #readEntries(
    { listings, manifest }: StoredSnapshot,
    segment: number,
  ): Promise<ReadEntries | null> {
    const { table, pack, listings: count } = itemAt(manifest.segments, segment);
    const rows = Uint32Array.from({ length: count }, (_, row) => row);
    const read = <T>(file: string, value: Promise<T>): Promise<T | null> =>
      value.catch((error: unknown) => {
        this.add(file, problemMessage(error));
        return null;
      });
    if ((await read(pack.file, listings.directory(segment))) === null) return null;
    const entries = await read(table.file, listings.entries(segment, rows));
    return {
      entries: entries ?? (await listings.entriesWithoutSearch(segment, rows)),
      hasTable: entries !== null,
    };
  }

  /** Checks that a pack has nothing but answers, a line end after each, a gap for alignment, and its directory. */
  #checkGaps({ pack, directory }: Segment, entries: readonly StoredListing[]): void {
    const answers = entries.flatMap(answersOf).sort(([a], [b]) => a - b);
    let end = 0;
    for (const [offset, length] of answers) {
      if (offset !== end) break;
      end = offset + length + 1;
    }
    if (aligned(end) + directory.bytes === pack.bytes) return;
    this.add(pack.file, `${pack.file} has bytes that belong to no answer`);
  }

  async #checkAnswer(
    snapshot: StoredSnapshot,
    segment: number,
    host: string,
    { location, check }: ExpectedAnswer,
  ): Promise<void> {
    this.#answers += 1;
    const { file } = itemAt(snapshot.manifest.segments, segment).pack;
    try {
      const body = await snapshot.readAnswer(answerRef(segment, location));
      const found = check(jsonIn(new TextDecoder().decode(body)));
      if (found !== null) this.add(found.file, found.problem, host);
    } catch (error) {
      this.add(file, problemMessage(error), host);
    }
  }

  /** Reads one file. If that fails, records the problem and returns undefined. */
  async read<T>(file: string, read: () => Promise<T>): Promise<T | undefined> {
    this.#files += 1;
    try {
      return await read();
    } catch (error) {
      this.add(file, problemMessage(error));
      return undefined;
    }
  }

  /** Records a problem; of each file, only the first one is reported. */
  add(file: string, problem: string, host?: string): void {
    const found = this.#bad.get(file) ?? { problem, hosts: new Set() };
    if (host !== undefined) found.hosts.add(host);
    this.#bad.set(file, found);
  }
}

/** What could be read of a segment. */
interface ReadEntries {
  /** One for each row of its directory. */
  readonly entries: readonly StoredListing[];
  /** Whether the entries have their search data. */
  readonly hasTable: boolean;
}

/** By segment, the rows that count. Null if a directory cannot be read: together they say which rows count. */
function liveRowsOf({ listings }: StoredSnapshot): Promise<readonly Uint32Array[] | null> {
  return listings.live().catch((error: unknown) => {
    // The check of that directory's segment reports the problem.
    problemMessage(error);
    return null;
  });
}

/** The message about a damaged file. @throws any other error */
function problemMessage(error: unknown): string {
  if (error instanceof BadSnapshotError || error instanceof SignatureError) return error.message;
  throw error;
}

/** Checks the public documents of a snapshot, each against the contract. */
async function checkDocuments(
  { id, store, manifest }: StoredSnapshot,
  verifier: Verifier,
): Promise<void> {
  const bodies = new Map<string, z.ZodType>();
  for (const name of ROUTE_NAMES) {
    const { document }: Route = ROUTES[name];
    if (document !== undefined) bodies.set(document, BODIES[name]);
  }
  for (const document of manifest.public) {
    const file = `${id}/public/${document.file}`;
    const bytes = await verifier.read(file, () => readChecked(store, { ...document, file }));
    const shape = bodies.get(document.file) ?? z.unknown();
    if (bytes !== undefined && shapedJson(shape, bytes) === undefined) {
      verifier.add(file, `${file} does not have the shape that the contract requires`);
    }
    bodies.delete(document.file);
  }
  const manifestFile = `${id}/manifest.json`;
  for (const path of bodies.keys()) {
    verifier.add(manifestFile, `${manifestFile} does not list the document ${path}`);
  }
}

/** Checks what extras added. @param isInSearch null if it is unknown which sites are in search */
async function checkAdditions(
  snapshot: StoredSnapshot,
  isInSearch: VerifyFacts["isInSearch"],
  verifier: Verifier,
): Promise<void> {
  for (const file of addedFiles(snapshot.manifest))
    await verifier.read(file.file, () => checkHash(snapshot.store, file));
  const report = (file: string, problem: string) => verifier.add(file, problem);
  for (const { name, verifyAddition } of installedExtras())
    if (snapshot.addition(name) !== null) await verifyAddition?.(snapshot, { isInSearch, report });
}

/** The version of a snapshot's methodology; null if it cannot be read, which `checkDocuments` reports. */
function scoreVersionOf(snapshot: StoredSnapshot): Promise<string | null> {
  return snapshot.readStandards().then(
    ({ rubric }) => rubric.version,
    () => null,
  );
}

/** Compares the figures of a snapshot with those of its tables. @param expected the figures counted from the tables */
async function checkFigures(
  snapshot: StoredSnapshot,
  expected: Figures,
  verifier: Verifier,
): Promise<void> {
  // A file that is not listed or cannot be read is reported already.
  const bytes = await snapshot.readDocument(FIGURES_DOCUMENT).catch(() => null);
  if (bytes === null || Buffer.from(JSON.stringify(expected)).equals(bytes)) return;
  const file = `${snapshot.id}/public/${FIGURES_DOCUMENT}`;
  verifier.add(file, `${file} does not match its tables`);
}
