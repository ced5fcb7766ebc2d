import { nothingPublished, oldestFirst } from "../build/snapshots.js";
import { isCanonicalHost } from "../contract/host.js";
import { byCodeUnit } from "../contract/order.js";
import { itemAt } from "../contract/tables.js";
import { jsonIn } from "../files/lines.js";
import { type OnProgress, PHASES, STORE } from "../options/defaults.js";
import { callback, checkedOptions, FOLDER, requireArgument } from "../options/options.js";
import { PUBLIC_KEYS } from "../signing/options.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { Shard, type ShardEntry } from "../store/format.js";
import { checkHash, currentId, readChecked, StoredSnapshot } from "../store/reader.js";
import type { BucketDetails } from "../store/search-files.js";
import { byShardOrder } from "../store/shard-entries.js";
import { type BucketFigures, figuresOf } from "../store/tally.js";
import { type ExpectedAnswer, expectedAnswers, shapedJson } from "./expected-answers.js";
import { withSignature } from "./signed.js";
import { checkDocuments, checkFigures, scoreVersionOf } from "./verify-documents.js";
import { type CheckTools, expectedFiles, SearchCheck } from "./verify-search.js";

/** Options of `verify`. */
export interface VerifyOptions {
  /** One or two public keys, of which one must have signed the snapshot. Default: signatures are not checked. */
  readonly publicKeys?: readonly string[] | undefined;
  /** Called with the bytes checked so far and the total bytes. */
  readonly onProgress?: OnProgress | undefined;
}

const OPTIONS = { publicKeys: PUBLIC_KEYS, onProgress: callback<OnProgress>().optional() };

/** A file of a store with a problem. */
export interface BadFile {
  /** Path relative to the store. */
  readonly file: string;
  /** The first problem of the file, as a sentence that names the file. */
  readonly problem: string;
  /** The listings whose answers the problem affects, as far as they are known, sorted. */
  readonly hosts: readonly string[];
}

/** The result of a verification. The snapshot is good if `bad` is empty. */
export interface Verification {
  /** The current snapshot; null if it cannot be determined. */
  readonly id: string | null;
  /** How many files were checked, including the bad ones. */
  readonly files: number;
  /** How many answers were checked, including the bad ones. */
  readonly answers: number;
  /** The generation in the snapshot's signature; undefined if no signature was checked, or a bad one. */
  readonly generation?: number | undefined;
  /** Sorted by file. */
  readonly bad: readonly BadFile[];
}

/**
 * Reads a store's current snapshot again. Checks the whole chain of checksums, the shape of every document, shard and
 * answer (contract section 2), that answers belong to their listings, that summaries match their reports, and that
 * all counts match the manifest. Without public keys it finds damage, but not tampering: anyone who can write to the
 * store can also correct every checksum. Holds one answer, one shard and what search needs of 16 shards in memory.
 * @param store the store's folder
 * @throws NoSnapshotError if nothing was published yet; TypeError for a wrong argument
 */
export async function verify(
  store: string = STORE,
  options: VerifyOptions = {},
): Promise<Verification> {
  requireArgument("verify", "store", store, FOLDER);
  const { onProgress, publicKeys: keys } = checkedOptions("verify", options, OPTIONS);
  for (;;) {
    const checked = await new Verifier(store).run(onProgress);
    const found = keys === undefined ? checked : await withSignature(checked, store, keys);
    // A build may have published meanwhile, and deleted files of the snapshot that was current before.
    const isCurrent = await currentId(store).then(
      (id) => id === found.id,
      () => true,
    );
    if (isCurrent || found.bad.length === 0) return found;
  }
}

/** A bucket whose shard could be read. */
interface CheckedBucket {
  readonly entries: readonly ShardEntry[];
  /** What search needs of the entries; undefined if the shard or the pack is damaged. */
  readonly details: BucketDetails | undefined;
}

class Verifier {
  readonly #store: string;
  readonly #bad = new Map<string, { problem: string; hosts: Set<string> }>();
  #files = 0;
  #answers = 0;

  constructor(store: string) {
    this.#store = store;
  }

  async run(onProgress: OnProgress | undefined): Promise<Verification> {
    const id = await this.#checkFile("current.json", () => currentId(this.#store));
    if (id === null) {
      if ((await oldestFirst(this.#store, [])).length === 0) {
        throw nothingPublished(this.#store);
      }
      this.#add("current.json", "current.json is missing, though the store has snapshots");
    } else if (id !== undefined) {
      await this.#checkSnapshot(id, onProgress);
    }
    const bad = [...this.#bad]
      .map(([file, { problem, hosts }]) => ({ file, problem, hosts: [...hosts].sort(byCodeUnit) }))
      .sort((a, b) => byCodeUnit(a.file, b.file));
    return {
      id: id ?? null,
      files: this.#files,
      answers: this.#answers,
      bad,
    };
  }

  async #checkSnapshot(id: string, onProgress: OnProgress | undefined): Promise<void> {
    const manifestFile = `${id}/manifest.json`;
    const snapshot = await this.#checkFile(manifestFile, () =>
      StoredSnapshot.openManifest(this.#store, id),
    );
    if (snapshot === undefined) return;
    try {
      const tools: CheckTools = {
        read: (file, read) => this.#checkFile(file, read),
        add: ({ file, problem }) => this.#add(file, problem),
      };
      await checkDocuments(snapshot, tools);
      const scoreVersion = await scoreVersionOf(snapshot);
      const figures: BucketFigures[] = [];
      const { manifest } = snapshot;
      const { buckets, counts } = manifest;
      const found = { reports: 0, searchable: 0, historical: 0 };
      let isWhole = true;
      const sizes = buckets.map((files) =>
        Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0),
      );
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      let done = 0;
      const searchFiles = new SearchCheck(this.#store, manifest, tools);
      for (const [bucket, size] of sizes.entries()) {
        const checked = await this.#checkBucket(snapshot, bucket);
        isWhole &&= checked !== undefined;
        for (const { search, historical } of checked?.entries ?? []) {
          found.reports += 1;
          found.searchable += search === null ? 0 : 1;
          found.historical += historical.length;
        }
        if (scoreVersion !== null) figures.push(figuresOf(checked?.entries ?? [], scoreVersion));
        await searchFiles.add(bucket, checked?.details);
        done += size;
        onProgress?.(done, bytes, PHASES.verifying);
      }
      for (const what of ["reports", "searchable", "historical"] as const) {
        if (!isWhole || found[what] === counts[what]) continue;
        const said = `counts ${counts[what]} ${what}, but the shards have ${found[what]}`;
        this.#add(manifestFile, `${manifestFile} ${said}`);
      }
      const areSound = !buckets.some(({ shard }) => this.#bad.has(shard.file));
      if (areSound && scoreVersion !== null) await checkFigures(snapshot, figures, tools);
    } finally {
      snapshot.close();
    }
  }

  /** @returns undefined if the entries of the bucket's shard cannot be read */
  async #checkBucket(snapshot: StoredSnapshot, bucket: number): Promise<CheckedBucket | undefined> {
    const { shard, columns, pack } = itemAt(snapshot.manifest.buckets, bucket);
    await this.#checkFile(pack.file, () => checkHash(this.#store, pack));
    const columnBytes = await this.#checkFile(columns.file, () =>
      readChecked(this.#store, columns),
    );
    const bytes = await this.#checkFile(shard.file, () => readChecked(this.#store, shard));
    if (bytes === undefined) return undefined;
    const entries = shapedJson(Shard, bytes)?.entries;
    if (entries === undefined) {
      this.#add(shard.file, `${shard.file} is not a valid shard`);
      return undefined;
    }
    let before: string | null = null;
    let end = 0;
    for (const entry of entries) {
      const { host, search } = entry;
      // The message does not repeat the host, because a malformed host could contain terminal control sequences.
      if (!isCanonicalHost(host)) {
        this.#add(shard.file, `${shard.file} has a host that is not canonical`);
        return undefined;
      }
      const isInPlace =
        (before === null || byShardOrder(before, host) < 0) && snapshot.bucketOf(host) === bucket;
      if (!isInPlace) this.#add(shard.file, `${shard.file} has ${host} in the wrong place`, host);
      if (search !== null && search.summary.host !== host) {
        this.#add(shard.file, `${shard.file} has another host's summary under ${host}`, host);
      }
      before = host;
      for (const answer of expectedAnswers(entry, itemAt(snapshot.manifest.buckets, bucket))) {
        await this.#checkAnswer(snapshot, bucket, host, answer);
        end += answer.location[1] + 1;
      }
    }
    const isSound = !this.#bad.has(pack.file) && !this.#bad.has(shard.file);
    const expected = isSound ? expectedFiles(entries) : undefined;
    if (isSound) this.#checkColumns(columns.file, columnBytes, expected?.columns);
    if (end !== pack.bytes) {
      this.#add(pack.file, `${pack.file} has bytes that belong to no answer in its shard`);
    }
    return { entries, details: expected?.details };
  }

  /**
   * @param bytes undefined if the file could not be read
   * @param expected undefined if the shard's values cannot become columns
   */
  #checkColumns(file: string, bytes: Buffer | undefined, expected: Uint8Array | undefined): void {
    if (bytes === undefined || (expected !== undefined && bytes.equals(expected))) return;
    this.#add(file, `${file} does not match its shard`);
  }

  async #checkAnswer(
    snapshot: StoredSnapshot,
    bucket: number,
    host: string,
    { location, check }: ExpectedAnswer,
  ): Promise<void> {
    this.#answers += 1;
    const { file } = itemAt(snapshot.manifest.buckets, bucket).pack;
    try {
      const body = await snapshot.readAnswer(bucket, location);
      const found = check(jsonIn(body.toString("utf8")));
      if (found !== null) this.#add(found.file, found.problem, host);
    } catch (error) {
      this.#add(file, problemMessage(error), host);
    }
  }

  /** Reads one file. If that fails, records the problem and returns undefined. */
  async #checkFile<T>(file: string, read: () => Promise<T>): Promise<T | undefined> {
    this.#files += 1;
    try {
      return await read();
    } catch (error) {
      this.#add(file, problemMessage(error));
      return undefined;
    }
  }

  #add(file: string, problem: string, host?: string): void {
    const found = this.#bad.get(file) ?? { problem, hosts: new Set() };
    if (host !== undefined) found.hosts.add(host);
    this.#bad.set(file, found);
  }
}

function problemMessage(error: unknown): string {
  if (error instanceof BadSnapshotError) return error.message;
  throw error;
}
