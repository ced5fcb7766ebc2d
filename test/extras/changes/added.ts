import {
  CHANGES_EXTRA,
  type ChangeHistory,
  readAddition,
} from "../../../src/extras/changes/addition.js";
import type { Manifest } from "../../../src/store/format.js";
import { publicationsUpTo } from "../../../src/store/publications.js";

/** What a manifest says of the changes. */
export function changesAdded(manifest: Manifest): ChangeHistory {
  const { generation } = publicationsUpTo(manifest);
  return readAddition(manifest.extras?.[CHANGES_EXTRA] ?? null, generation);
}
