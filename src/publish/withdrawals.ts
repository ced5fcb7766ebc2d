import type { DirectoryContext } from "../compile/directory.js";
import { hostHash } from "../contract/host.js";
import { addTo, itemAt } from "../contract/tables.js";
import type { FormerRubric } from "../input/checking/schemas.js";
import type { Segment, Withdrawal } from "../store/format.js";
import { sha256 } from "../store/layout.js";
import { currentId, segmentsIn } from "../store/reader.js";
import { directoryHosts } from "../store/segments/directory.js";
import { CountedListings } from "../store/tally.js";
import type { Shift } from "./additions.js";
import { type Fingerprints, inOrder, type Tombstone } from "./erasure.js";
import type { BuilderNotes } from "./notes.js";
import { readManifest } from "./publish.js";
import { copySegments } from "./segment-work.js";
import type { DoneSegments } from "./segments.js";

/*
 * Hosts that `withdraw` took down from the store alone. Manifests carry the list, so that it goes with every copy of a
 * store. They have digests of the hosts instead of the hosts, because anybody may read the manifest of a public copy.
 */

/** @param at milliseconds since 1970 */
export function withdrawalOf(host: string, at: number): Withdrawal {
  return { hash: hostHash(host), digest: sha256(host), at };
}

/** Finds the withdrawal of a host. Hosts without one are nearly all told apart by their hash alone. */
export function withdrawalFinder(
  withdrawals: readonly Withdrawal[],
): (host: string, hash?: number) => Withdrawal | undefined {
  const byHash = new Map<number, Withdrawal[]>();
  for (const one of withdrawals) addTo(byHash, one.hash, one);
  return (host, hash = hostHash(host)) => {
    const candidates = byHash.get(hash);
    if (candidates === undefined) return undefined;
    const digest = sha256(host);
    return candidates.find((one) => one.digest === digest);
  };
}

/**
 * The withdrawals that the next publication of a store must respect: those of the current snapshot. If its manifest
 * cannot be read, those that the builder's notes have.
 */
export async function withdrawalsIn(
  store: string,
  { publications, withdrawn }: BuilderNotes,
): Promise<readonly Withdrawal[]> {
  const id = (await currentId(store).catch(() => null)) ?? publications.at(-1);
  const manifest = id === undefined ? null : await readManifest(store, id);
  return manifest === null ? withdrawn : (manifest.withdrawn ?? []);
}

/** The hashes of hosts that the last build left out as withdrawn, and that may be published again. */
export function restoredHashes(
  tombstones: readonly Tombstone[],
  withdrawals: readonly Withdrawal[],
): ReadonlySet<number> {
  const find = withdrawalFinder(withdrawals);
  const restored = tombstones.filter(({ host, why }) => why === "withdrawn" && !find(host));
  return new Set(restored.map(({ host }) => hostHash(host)));
}

/** How scores have moved, without the hosts with these hashes. Null if no former rubric is known. */
export function shiftWithout(
  hashes: Iterable<number>,
  former: FormerRubric | null,
  fingerprints: Fingerprints,
): Shift | null {
  if (former === null) return null;
  return { former, moves: fingerprints.with(new Set(hashes), new Uint32Array(0)).moves() };
}

/** Segments without withdrawn hosts. */
interface SegmentsWithout {
  readonly segments: readonly Segment[];
  /** How many of them stayed as they were. */
  readonly untouched: number;
  /** The hosts that had a report, in no particular order. */
  readonly hosts: readonly string[];
}

/**
 * Copies the segments that have a row of a withdrawn host, live or dead, without these rows. All other segments stay.
 * @throws BadSnapshotError if a listing to copy is damaged; StoreWriteError
 */
export async function withoutWithdrawn(
  store: string,
  terms: Pick<DirectoryContext, "categories" | "tags">,
  segments: readonly Segment[],
  withdrawals: readonly Withdrawal[],
): Promise<SegmentsWithout> {
  const untouched = segments.length;
  if (withdrawals.length === 0) return { segments, untouched, hosts: [] };
  const find = withdrawalFinder(withdrawals);
  const set = segmentsIn(store, segments, terms);
  const remaining: Segment[] = [];
  const hosts = new Set<string>();
  let copied = 0;
  for (const [number, segment] of segments.entries()) {
    const directory = await set.directory(number);
    const all = directoryHosts(directory);
    const gone = new Set(all.filter((host, row) => find(host, directory.hashes[row])));
    if (gone.size === 0) {
      remaining.push(segment);
      continue;
    }
    copied += 1;
    for (const host of gone) hosts.add(host);
    const rows = itemAt(await set.live(), number).filter((row) => !gone.has(itemAt(all, row)));
    remaining.push(...(await copySegments(store, number, [{ segment, rows }], terms)));
  }
  return { segments: remaining, untouched: untouched - copied, hosts: [...hosts] };
}

/** What a build publishes, and the withdrawals that still apply to it. */
interface Respected {
  readonly done: DoneSegments;
  readonly withdrawn: readonly Withdrawal[];
}

/**
 * Leaves withdrawn hosts out of what a build has made. A withdrawal is settled once the host's record states that it is
 * removed or deleted. While the input has no such record, it stays.
 * @throws BadSnapshotError; StoreWriteError
 */
export async function respectWithdrawals(
  store: string,
  context: Pick<DirectoryContext, "categories" | "tags" | "standards">,
  done: DoneSegments,
  withdrawals: readonly Withdrawal[],
): Promise<Respected> {
  if (withdrawals.length === 0) return { done, withdrawn: withdrawals };
  const settled = done.tombstones.filter(isStated);
  const find = withdrawalFinder(withdrawals);
  const isOver = new Set(settled.map(({ host }) => find(host)));
  const withdrawn = withdrawals.filter((one) => !isOver.has(one));
  const without = await withoutWithdrawn(store, context, done.segments, withdrawn);
  const { segments, untouched, hosts } = without;
  const left = { ...done, tombstones: withdrawnTombstones(done.tombstones, withdrawn, hosts) };
  if (hosts.length === 0) return { done: left, withdrawn };
  const set = segmentsIn(store, segments, context);
  const { counts, tally } = await CountedListings.of(set, context.standards.rubric.version);
  const kept = Math.min(done.kept, untouched);
  return { done: { ...left, segments, kept, counts, figures: tally.figures() }, withdrawn };
}

/**
 * The tombstones of an input whose listings are in part withdrawn, in the form of the notes.
 * @param hosts those that lose their report
 */
export function withdrawnTombstones(
  tombstones: readonly Tombstone[],
  withdrawals: readonly Withdrawal[],
  hosts: readonly string[],
): Tombstone[] {
  const find = withdrawalFinder(withdrawals);
  const withdrawn = (host: string): Tombstone => ({ host, why: "withdrawn" });
  const known = tombstones.map((one) =>
    isStated(one) || find(one.host) === undefined ? one : withdrawn(one.host),
  );
  return inOrder([...known, ...hosts.map(withdrawn)]);
}

/** Whether a record states that its listing is gone, which settles a withdrawal. */
function isStated({ why }: Tombstone): boolean {
  return why === "removed" || why === "deleted";
}
