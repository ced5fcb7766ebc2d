import { setImmediate as pause } from "node:timers/promises";
import { type AnyManifest, groupCount, MANIFEST_BYTES_MAX, MANIFESTS } from "./format.js";
import { parseInSlices } from "./json-reader.js";

/** Every version has written the format first. */
const MANIFEST_START = /^\{"format":([0-9]+),/;

/**
 * Reads a manifest that may be hostile, in slices between which other work of the thread is done.
 * @returns null if it is not a manifest of a format that this version reads
 */
export async function parseManifest(bytes: Uint8Array): Promise<AnyManifest | null> {
  if (bytes.length > MANIFEST_BYTES_MAX) return null;
  const text = new TextDecoder().decode(bytes);
  const [, format] = MANIFEST_START.exec(text) ?? [];
  const schema = MANIFESTS.find(({ shape }) => String(shape.format.value) === format);
  if (schema === undefined) return null;
  try {
    const steps = parseInSlices<(typeof MANIFESTS)[number]>(schema, text);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return hasEnoughFiles(step.value) ? step.value : null;
      await pause();
    }
  } catch {
    return null;
  }
}

function hasEnoughFiles(manifest: AnyManifest): boolean {
  const { length } = manifest.buckets;
  return length > 0 && (!("search" in manifest) || manifest.search.length === groupCount(length));
}
