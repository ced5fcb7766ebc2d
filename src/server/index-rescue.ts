import { join } from "node:path";
import { hostHash } from "../contract/host.js";
import { itemAt } from "../contract/tables.js";
import { readPartSync, readRegularSync } from "../files/regular.js";
import { BadSnapshotError, reading, unlikeManifest } from "../store/bad-snapshot.js";
import { gunzip } from "../store/folder-source.js";
import type { Manifest, Segment } from "../store/format.js";
import { sha256 } from "../store/layout.js";
import { readDirectory } from "../store/segments/directory.js";
import { openTable, TABLE_BYTES_MAX } from "../store/segments/rows.js";
import type { IndexRescue } from "./loaded-index.js";

/**
 * Reads texts of an index from the store, synchronously, when the index file is found to be damaged. Each takes
 * milliseconds, as its whole table or directory is read, but that happens only until the server starts again.
 * @param onDamage called once
 */
export function rescueFrom(
  store: string,
  { segments, vocabulary }: Pick<Manifest, "segments" | "vocabulary">,
  onDamage: () => void,
): IndexRescue {
  let isDamaged = false;
  const report = () => {
    if (!isDamaged) onDamage();
    isDamaged = true;
  };
  return {
    summaryOf(host) {
      report();
      const hash = hostHash(host);
      const mayHave = ({ firstHash, lastHash }: Segment) => firstHash <= hash && hash <= lastHash;
      for (const segment of segments.filter(mayHave).toReversed()) {
        const { file } = segment.table;
        const bytes = checked(store, file, segment.table);
        const table = reading(file, () =>
          openTable(gunzip(bytes, TABLE_BYTES_MAX), segment, vocabulary),
        );
        const row = table.hosts.indexOf(host);
        if (row < 0) continue;
        return reading(file, () => table.rows(Uint32Array.of(row)).summary(0).slice());
      }
      throw new BadSnapshotError(`no table has ${host}`);
    },
    scansOf(segment, row) {
      report();
      const { pack, directory, listings, firstHash, lastHash } = itemAt(segments, segment);
      const offset = pack.bytes - directory.bytes;
      const bytes = new Uint8Array(checked(store, pack.file, directory, offset));
      const hashes = { firstHash, lastHash };
      const { scans } = reading(pack.file, () => readDirectory(bytes, listings, offset, hashes));
      return scans.bytes.subarray(scans.starts[row], scans.starts[row + 1]);
    },
  };
}

/** Reads a file, or a part of one. @throws BadSnapshotError if it does not have the expected sha256 */
function checked(
  store: string,
  file: string,
  expected: { readonly bytes: number; readonly sha256: string },
  offset?: number,
): Uint8Array {
  const bytes = reading(file, () => {
    const path = join(store, file);
    return offset === undefined
      ? readRegularSync(path, expected.bytes)
      : readPartSync(path, offset, expected.bytes);
  });
  if (bytes.length !== expected.bytes || sha256(bytes) !== expected.sha256)
    throw unlikeManifest(file);
  return bytes;
}
