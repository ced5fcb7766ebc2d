import { statSync } from "node:fs";
import { join } from "node:path";
import { BadSnapshotError, unreadable } from "../bad-snapshot.js";
import type { Segment } from "../format.js";

/**
 * Checks the sizes of packs. Synchronous: this takes microseconds for each pack, and promises would take
 * many times as long.
 * @throws BadSnapshotError at the first pack that is missing or has another size
 */
export function checkPackSizes(store: string, segments: readonly Segment[]): void {
  for (const { pack } of segments) {
    const { file, bytes } = pack;
    const size = sizeOf(join(store, file), file);
    if (size !== bytes) throw new BadSnapshotError(`${file} has ${size} bytes, expected ${bytes}`);
  }
}

function sizeOf(path: string, name: string): number {
  try {
    const stats = statSync(path);
    if (stats.isFile()) return stats.size;
  } catch (error) {
    throw unreadable(name, error);
  }
  throw new BadSnapshotError(`${name} is not a regular file`);
}
