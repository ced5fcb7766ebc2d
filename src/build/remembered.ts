import { hostHash } from "../contract/host.js";
import { itemAt } from "../contract/tables.js";
import { bucketOfHash } from "../published/locating/record-index.js";
import type { Published } from "../published/published.js";
import { readShard } from "../store/reader.js";
import type { DoneBuckets } from "./buckets.js";
import type { BuilderNotes } from "./notes.js";
import { oldestFirst } from "./snapshots.js";
import type { Remembered } from "./tombstones.js";

/**
 * The stated visibilities to remember after a build. They belong to listings that are no longer in the
 * input, while the store still has a snapshot from which a rollback could bring them back.
 * @param before the notes of the previous build
 * @throws BadSnapshotError if a shard that this build wrote cannot be read
 */
export async function rememberedAfter(
  store: string,
  before: BuilderNotes,
  published: Published,
  done: DoneBuckets,
): Promise<Remembered[]> {
  const found = await oldestFirst(store, []);
  const inInput = new Set(done.tombstones.map(({ host }) => host));
  const groups = [
    ...before.remembered,
    { snapshots: before.publications, tombstones: before.tombstones },
  ]
    .map(({ snapshots, tombstones }) => ({
      snapshots: snapshots.filter((id) => found.includes(id)),
      tombstones: tombstones.filter(({ host, why }) => why !== "unscanned" && !inInput.has(host)),
    }))
    .filter(({ snapshots }) => snapshots.length > 0);
  const hosts = groups.flatMap(({ tombstones }) => tombstones.map(({ host }) => host));
  const reported = await reportedHosts(store, hosts, published, done);
  return groups
    .map(({ snapshots, tombstones }) => ({
      snapshots,
      tombstones: tombstones.filter(({ host }) => !reported.has(host)),
    }))
    .filter(({ tombstones }) => tombstones.length > 0);
}

/**
 * Those of the given hosts that have a report after the build, perhaps with other hosts. Comparing
 * hashes first rules out nearly all of them.
 */
async function reportedHosts(
  store: string,
  hosts: readonly string[],
  published: Published,
  { buckets }: DoneBuckets,
): Promise<Set<string>> {
  const wanted = new Set(hosts.map(hostHash));
  const { count, hostHash: hashes } = published.shared.listings.columns;
  const bits = Math.log2(buckets.length);
  const found = new Set<number>();
  for (let listing = 0; wanted.size > 0 && listing < count; listing += 1) {
    const hash = hashes[listing]!;
    if (wanted.has(hash)) found.add(bucketOfHash(hash, bits));
  }
  const reported = new Set<string>();
  for (const bucket of found) {
    for (const { host } of await readShard(store, itemAt(buckets, bucket).shard))
      reported.add(host);
  }
  return reported;
}
