import {
  CHANGES,
  type ChangesAddition,
  readAddition,
} from "../../../src/extras/changes/addition.js";
import type { Manifest } from "../../../src/store/format.js";
import { publicationsUpTo } from "../../../src/store/publications.js";

/** What a manifest says of the changes. */
export function changesAdded(manifest: Manifest): ChangesAddition {
  const { generation } = publicationsUpTo(manifest);
  return readAddition(manifest.extras?.[CHANGES] ?? null, generation);
}
