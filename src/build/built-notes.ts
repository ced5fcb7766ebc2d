import { join } from "node:path";
import { itemAt } from "../contract/tables.js";
import { StoreWriteError } from "../files/disk.js";
import { fileState } from "../files/regular.js";
import type { Published } from "../published/published.js";
import { bucketsIn } from "../store/format.js";
import type { DoneBuckets } from "./buckets.js";
import { notedNotices } from "./noted-notices.js";
import { type Built, inputFiles } from "./notes.js";
import { type BuildPlan, documentsDigest } from "./plan.js";
import { toolDigest } from "./tool.js";

/** The notes that the next build needs about this one. */
export function builtNotes(
  store: string,
  id: string,
  published: Published,
  plan: BuildPlan,
  { buckets, search, counts, figures }: DoneBuckets,
): Built {
  const stateOf = (file: string) => {
    const state = fileState(join(store, file));
    if (state === null)
      throw new StoreWriteError(`${join(store, file)} was removed during the build; build again`);
    return state;
  };
  return {
    id,
    tool: toolDigest(),
    documents: documentsDigest(published),
    sharedHashes: [...published.sharedHashes].sort((a, b) => a - b),
    notices: notedNotices(published.notices),
    buckets: buckets.map(({ shard, columns, pack, details }, bucket) => {
      const now = {
        shard: stateOf(shard.file),
        columns: stateOf(columns.file),
        pack: stateOf(pack.file),
        details: stateOf(details.file),
      };
      const planned = itemAt(plan.buckets, bucket);
      // Uses the states from before the check, so that a kept file changed since then is checked again.
      return {
        ...itemAt(counts, bucket),
        figures: itemAt(figures, bucket),
        ...(planned.kept === null ? now : planned.states),
      };
    }),
    search: search.map(({ file }, group) => {
      const members = bucketsIn(group, buckets.length);
      const isKept = members.every((bucket) => itemAt(plan.buckets, bucket).kept !== null);
      return (isKept ? plan.groups[group]?.state : null) ?? stateOf(file);
    }),
    listings: inputFiles(published, "listings"),
    scans: inputFiles(published, "scans"),
  };
}
