import type { BuilderNotes } from "../build/notes.js";
import type { Tombstone, TombstoneReason } from "../build/tombstones.js";
import { itemAt } from "../contract/tables.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { BucketFiles } from "../store/bucket-files.js";
import { run } from "../store/changes.js";
import type { ShardEntry } from "../store/format.js";
import { StoredSnapshot } from "../store/reader.js";

type Visibilities = ReadonlyMap<string, TombstoneReason>;

/** The snapshot that was built last, even if another one is current. It decides what may be shown today. */
export class LatestBuild {
  /** By host: the tombstones of the last build, and the remembered visibilities of missing listings. */
  readonly tombstones: Visibilities;
  readonly remembered: Visibilities;
  readonly #store: string;
  readonly #snapshot: StoredSnapshot;
  /** The shard that was read last, because it may contain listings of several former buckets. */
  #shard: { bucket: number; entries: readonly ShardEntry[] } | null = null;
  /** The pack that was copied from last, because listings arrive in the order of their buckets. */
  #files: { bucket: number; files: BucketFiles } | null = null;

  private constructor(
    store: string,
    snapshot: StoredSnapshot,
    { tombstones, remembered }: BuilderNotes,
  ) {
    this.#store = store;
    this.#snapshot = snapshot;
    this.tombstones = byHost(tombstones);
    this.remembered = byHost(remembered.flatMap((group) => group.tombstones));
  }

  /** @throws BadSnapshotError, as the methods do, if files of the snapshot are damaged */
  static open(store: string, id: string, notes: BuilderNotes): Promise<LatestBuild> {
    return orBuildAgain(
      async () => new LatestBuild(store, await StoredSnapshot.openManifest(store, id), notes),
    );
  }

  /** Whether this snapshot has the same listings with the same answers in this bucket as another snapshot. */
  sharesBucket({ manifest: { buckets } }: StoredSnapshot, bucket: number): boolean {
    const own = this.#snapshot.manifest.buckets;
    if (own.length !== buckets.length) return false;
    return itemAt(own, bucket).shard.file === itemAt(buckets, bucket).shard.file;
  }

  /** The entries, by host, of the listings that belong to a bucket of another snapshot. */
  async entriesIn(other: StoredSnapshot, bucket: number): Promise<Map<string, ShardEntry>> {
    const own = this.#snapshot.manifest.buckets.length;
    const count = other.manifest.buckets.length;
    const places = own < count ? [Math.floor((bucket * own) / count)] : run(bucket, own / count);
    const entries = new Map<string, ShardEntry>();
    for (const place of places) {
      for (const entry of await this.#entriesOf(place)) {
        if (other.bucketOf(entry.host) === bucket) entries.set(entry.host, entry);
      }
    }
    return entries;
  }

  /** The lines of all of a listing's answers, after a check of their checksums. */
  lines(entry: ShardEntry): Promise<Buffer> {
    return orBuildAgain(async () => this.#filesOf(entry.host).lines(entry));
  }

  #filesOf(host: string): BucketFiles {
    const bucket = this.#snapshot.bucketOf(host);
    if (this.#files?.bucket === bucket) return this.#files.files;
    this.close();
    const files = BucketFiles.open(this.#store, itemAt(this.#snapshot.manifest.buckets, bucket));
    this.#files = { bucket, files };
    return files;
  }

  close(): void {
    this.#files?.files.close();
    this.#files = null;
  }

  async #entriesOf(bucket: number): Promise<readonly ShardEntry[]> {
    if (this.#shard?.bucket !== bucket) {
      this.#shard = { bucket, entries: await orBuildAgain(() => this.#snapshot.readShard(bucket)) };
    }
    return this.#shard.entries;
  }
}

function byHost(tombstones: readonly Tombstone[]): Visibilities {
  return new Map(tombstones.map(({ host, why }) => [host, why]));
}

/** Adds the remedy to the error of files that cannot be read. */
async function orBuildAgain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BadSnapshotError)) throw error;
    const { message } = error;
    throw new BadSnapshotError(
      `${message}, so it is unknown which listings may still be shown: run crawldex build`,
      { cause: error },
    );
  }
}
