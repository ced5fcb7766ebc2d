import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { Manifest } from "../store/format.js";
import { STORE_FORMAT } from "../store/names.js";
import { unlikeFormat } from "../store/pointer.js";

/** The most bytes of a manifest that the handler reads: an isolate has little memory. A million listings need it. */
export const EDGE_MANIFEST_BYTES_MAX = 4 * 1024 * 1024;

/**
 * The most commas and opening brackets of a manifest, besides one in 16 bytes: a file's entry has four in 140.
 * JSON.parse takes 30 ms for a manifest with this many, and ten times as long for 4 MB of empty objects.
 */
const MARKS_MAX = 32_768;

/**
 * Parses a manifest. Its bytes have the digest that is its id, so a build made them, and only their format is checked.
 * @throws BadSnapshotError
 */
export function manifestFrom(bytes: Uint8Array, id: string): Manifest {
  const name = `${id}/manifest.json`;
  if (entryMarksIn(bytes) > MARKS_MAX + bytes.length / 16) {
    throw new BadSnapshotError(`${name} has too many entries for its size`);
  }
  const manifest: Manifest = JSON.parse(new TextDecoder().decode(bytes));
  if (manifest.format === STORE_FORMAT) return manifest;
  throw unlikeFormat(name, bytes, STORE_FORMAT);
}

function entryMarksIn(bytes: Uint8Array): number {
  let marks = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) marks += 1;
  return marks;
}
