import { itemAt } from "../contract/tables.js";
import { BUCKETS_A_GROUP, type SearchRows } from "../store/columns/search-file.js";
import { bucketsIn, groupCount, type StoredFile } from "../store/format.js";
import { layout } from "../store/layout.js";
import { readSearch, searchFile } from "../store/search-files.js";
import type { BuildPlan } from "./plan.js";
import { describe, putFile } from "./writer.js";

/**
 * Writes the search file of a group of buckets.
 * @param rows by bucket; null for a bucket that keeps its files
 * @param former the search file with the rows of the buckets that keep their files; null if none does
 * @param look as in `BucketWriter.finish`
 * @throws StoreWriteError; BadSnapshotError if the former file is damaged
 */
export async function writeGroup(
  store: string,
  group: number,
  rows: readonly (SearchRows | null)[],
  former: StoredFile | null,
  look = false,
): Promise<StoredFile> {
  const kept =
    former !== null && rows.includes(null) ? (await readSearch(store, former)).buckets : [];
  const bytes = searchFile(rows.map((own, place) => own ?? itemAt(kept, place)));
  const file = describe(bytes, (hash) => layout.searchFile(group, hash));
  await putFile(store, file, bytes, look);
  return file;
}

/** The search files of a build. Each is written when the last of its buckets is done. */
export class SearchGroups {
  readonly #store: string;
  readonly #plan: Pick<BuildPlan, "buckets" | "groups">;
  /** The rows of the buckets that this build has made, of groups that are not complete yet. */
  readonly #rows = new Map<number, SearchRows>();
  readonly #files = new Map<number, StoredFile>();

  constructor(store: string, plan: Pick<BuildPlan, "buckets" | "groups">) {
    this.#store = store;
    this.#plan = plan;
  }

  /**
   * Adds the rows of a bucket that this build has made.
   * @throws StoreWriteError; BadSnapshotError if the former search file was damaged during the build
   */
  async add(bucket: number, rows: SearchRows): Promise<void> {
    this.#rows.set(bucket, rows);
    const group = Math.floor(bucket / BUCKETS_A_GROUP);
    const { buckets, groups } = this.#plan;
    const members = bucketsIn(group, buckets.length);
    const made = members.filter((member) => itemAt(buckets, member).kept === null);
    if (!made.every((member) => this.#rows.has(member))) return;
    const ofGroup = members.map((member) => this.#rows.get(member) ?? null);
    for (const member of made) this.#rows.delete(member);
    const former = groups[group]?.file ?? null;
    this.#files.set(group, await writeGroup(this.#store, group, ofGroup, former));
  }

  /** All search files, in order. A group whose buckets are all kept has its former file. */
  files(): StoredFile[] {
    const { buckets, groups } = this.#plan;
    return Array.from({ length: groupCount(buckets.length) }, (_, group) => {
      const file = this.#files.get(group) ?? groups[group]?.file;
      if (file === undefined) throw new TypeError("a group without problems was not written");
      return file;
    });
  }
}
