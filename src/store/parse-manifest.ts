import { setImmediate as pause } from "node:timers/promises";
import { MANIFEST_BYTES_MAX, Manifest } from "./format.js";
import { parseInSlices } from "./json-reader.js";

/** Bytes of UTF-8 between two pauses: they are decoded within a few milliseconds. */
const DECODED_AT_ONCE = 1024 * 1024;

/**
 * Reads a manifest that may be hostile, in slices between which other work of the thread is done.
 * @returns null if it is not a manifest of the format that this version reads
 */
export async function parseManifest(bytes: Uint8Array): Promise<Manifest | null> {
  if (bytes.length > MANIFEST_BYTES_MAX) return null;
  try {
    const steps = parseInSlices(Manifest, await decoded(bytes));
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      await pause();
    }
  } catch {
    return null;
  }
}

async function decoded(bytes: Uint8Array): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let at = 0; at < bytes.length; at += DECODED_AT_ONCE) {
    if (at > 0) await pause();
    text += decoder.decode(bytes.subarray(at, at + DECODED_AT_ONCE), { stream: true });
  }
  return text + decoder.decode();
}
