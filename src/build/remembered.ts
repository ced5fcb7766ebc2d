import type { StoredSegments } from "../store/snapshot-reader.js";
import { Marks } from "./erasure.js";
import type { BuilderNotes } from "./notes.js";
import type { DoneSegments } from "./segments.js";
import { oldestFirst } from "./snapshots.js";
import type { Remembered } from "./tombstones.js";

/**
 * The stated visibilities and plans to remember after a build. They belong to listings that are no longer in the
 * input, while the store still has a snapshot from which a rollback could bring them back.
 * @param before the notes of the previous build
 * @param after the segments of this build
 * @throws BadSnapshotError if a file that this build wrote cannot be read
 */
export async function rememberedAfter(
  store: string,
  before: BuilderNotes,
  done: DoneSegments,
  after: StoredSegments,
): Promise<Remembered[]> {
  const found = await oldestFirst(store, []);
  const inInput = new Set(done.tombstones.map(({ host }) => host));
  const stated = done.marks.plans();
  const groups = [
    ...before.remembered,
    {
      snapshots: before.publications,
      tombstones: before.tombstones,
      plans: before.built === null ? [] : plansIn(new Marks(before.built.marks)),
    },
  ]
    .map(({ snapshots, tombstones, plans }) => ({
      snapshots: snapshots.filter((id) => found.includes(id)),
      tombstones: tombstones.filter(({ host, why }) => why !== "unscanned" && !inInput.has(host)),
      plans: plans.filter(([hash]) => !stated.has(hash)),
    }))
    .filter(({ snapshots }) => snapshots.length > 0);
  const hosts = groups.flatMap(({ tombstones }) => tombstones.map(({ host }) => host));
  const reported = await reportedHosts(after, hosts);
  return groups
    .map((group) => ({
      ...group,
      tombstones: group.tombstones.filter(({ host }) => !reported.has(host)),
    }))
    .filter(({ tombstones, plans }) => tombstones.length > 0 || plans.length > 0);
}

function plansIn(marks: Marks): Remembered["plans"] {
  return Array.from(marks.plans(), ([hash, { flags, fixPrompts }]) => [hash, flags, fixPrompts]);
}

/** The given hosts that have a report after the build. */
async function reportedHosts(set: StoredSegments, hosts: readonly string[]): Promise<Set<string>> {
  const reported = new Set<string>();
  for (const host of hosts) if ((await set.find(host)) !== null) reported.add(host);
  return reported;
}
