import { setImmediate as pause } from "node:timers/promises";
import { groupCount, MANIFEST_BYTES_MAX, Manifest } from "./format.js";
import { parseInSlices } from "./json-reader.js";

/**
 * Reads a manifest that may be hostile, in slices between which other work of the thread is done.
 * @returns null if it is not a manifest of the format that this version reads
 */
export async function parseManifest(bytes: Uint8Array): Promise<Manifest | null> {
  if (bytes.length > MANIFEST_BYTES_MAX) return null;
  try {
    const steps = parseInSlices(Manifest, new TextDecoder().decode(bytes));
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return hasEnoughFiles(step.value) ? step.value : null;
      await pause();
    }
  } catch {
    return null;
  }
}

function hasEnoughFiles({ buckets, search }: Manifest): boolean {
  return buckets.length > 0 && search.length === groupCount(buckets.length);
}
