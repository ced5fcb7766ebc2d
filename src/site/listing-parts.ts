import { hostHash, partBits, partOfHash } from "../contract/host.js";
import { byCodeUnit } from "../contract/order.js";
import { itemAt } from "../contract/tables.js";
import { entriesOf } from "../store/changes.js";
import { sha256, shortDigest } from "../store/layout.js";
import type { StoredListing, StoredSnapshot } from "../store/reader.js";
import { contentAt, directoryHosts } from "../store/segments/directory.js";

/** About how many listings share a line of a tree's record. A changed listing writes the line of its part again. */
const LISTINGS_A_PART = 256;

interface Row {
  readonly segment: number;
  readonly row: number;
  readonly hash: number;
  readonly host: string;
}

/** The listings of a snapshot in parts, by the hashes of their hosts. */
export class ListingParts {
  readonly count: number;
  readonly #snapshot: StoredSnapshot;
  readonly #bits: number;
  readonly #rows: readonly Row[][];

  /** Reads all directories. @throws BadSnapshotError */
  constructor(snapshot: StoredSnapshot) {
    this.#snapshot = snapshot;
    this.#bits = partBits(snapshot.manifest.counts.reports, LISTINGS_A_PART);
    this.count = 2 ** this.#bits;
    const rows: Row[][] = Array.from({ length: this.count }, () => []);
    const { listings } = snapshot;
    for (const [segment, live] of listings.live.entries()) {
      const directory = listings.directory(segment);
      const hosts = directoryHosts(directory);
      for (const row of live) {
        const hash = directory.hashes[row]!;
        rows[partOfHash(hash, this.#bits)]!.push({
          segment,
          row,
          hash,
          host: itemAt(hosts, row),
        });
      }
    }
    for (const part of rows) part.sort((a, b) => a.hash - b.hash || byCodeUnit(a.host, b.host));
    this.#rows = rows;
  }

  partOf(host: string): number {
    return partOfHash(hostHash(host), this.#bits);
  }

  /** Identifies everything that is served about the listings of a part. */
  digest(part: number): string {
    const { listings } = this.#snapshot;
    const contents = this.#partAt(part).map(
      ({ segment, row, host }) => `${host} ${contentAt(listings.directory(segment), row)}\n`,
    );
    return shortDigest(sha256(contents.join("")));
  }

  /** The listings of a part, by the hashes of their hosts. @throws BadSnapshotError */
  entries(part: number): StoredListing[] {
    const rows = this.#partAt(part);
    const found = entriesOf(this.#snapshot.listings, rows);
    return rows.flatMap(({ host, segment }) => {
      const entry = found.get(host);
      return entry === undefined ? [] : [{ ...entry, segment }];
    });
  }

  #partAt(part: number): readonly Row[] {
    return this.#rows[part] ?? [];
  }
}
