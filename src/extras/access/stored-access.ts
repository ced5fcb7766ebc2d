import type { SnapshotView } from "../../answer/content.js";
import { type Failure, madeOnce } from "../../answer/content.js";
import { byCodeUnit, firstWhere } from "../../contract/order.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import { storedJson } from "../../store/stored-json.js";
import type { ListingGist } from "../../store/stored-segments.js";
import type { Access } from "./gist.js";

/* The index of access: one file of a snapshot, with what the latest report of each listing in search says. */

/** The name of this extra, and the kind of its one file. */
export const ACCESS = "access";

/** The most bytes of the index: those of about 800,000 listings. Beyond, a snapshot has none. */
const INDEX_BYTES_MAX = 32 * 1024 * 1024;

/** The file: listings sorted by host. */
interface StoredAccess {
  /** All different contents of reports, in the order of the first listing that has each. */
  readonly accesses: readonly Access[];
  readonly hosts: readonly string[];
  readonly scores: readonly (number | null)[];
  /** For each listing, an index in `accesses`. */
  readonly indexes: readonly number[];
}

/**
 * The bytes of the file. The same listings give the same bytes, in whatever order they come.
 * @returns null if they are too many, or if some were built without this extra
 */
export function storedAccess(listings: readonly ListingGist[]): Uint8Array | null {
  const sorted = listings.toSorted((a, b) => byCodeUnit(a.host, b.host));
  const indexes = new Map<string, number>();
  for (const { gist } of sorted) {
    if (gist === null) return null;
    if (!indexes.has(gist)) indexes.set(gist, indexes.size);
  }
  const accesses = `[${[...indexes.keys()].join(",")}]`;
  const rest = JSON.stringify({
    hosts: sorted.map(({ host }) => host),
    scores: sorted.map(({ score }) => score),
    indexes: sorted.map(({ gist }) => indexes.get(gist ?? "")),
  } satisfies Record<keyof Omit<StoredAccess, "accesses">, unknown>);
  const bytes = new TextEncoder().encode(`{"accesses":${accesses},${rest.slice(1)}`);
  return bytes.length > INDEX_BYTES_MAX ? null : bytes;
}

/** The index in memory. */
export class AccessIndex {
  readonly accesses: readonly Access[];
  /** By index in `accesses`, the number of its listings. */
  readonly sizes: readonly number[];
  readonly #stored: StoredAccess;
  #order: Uint32Array | null = null;

  constructor(stored: StoredAccess) {
    this.#stored = stored;
    this.accesses = stored.accesses;
    const sizes = new Array<number>(stored.accesses.length).fill(0);
    for (const index of stored.indexes) sizes[index]! += 1;
    this.sizes = sizes;
  }

  /** What the report of a host says; undefined if the host is not in search. */
  of(host: string): Access | undefined {
    const { hosts, indexes, accesses } = this.#stored;
    const at = firstWhere(0, hosts.length, (row) => hosts[row]! >= host);
    return hosts[at] === host ? accesses[indexes[at]!] : undefined;
  }

  /** The hosts of listings, sorted. @param isWanted by index in `accesses` */
  hosts(isWanted: readonly boolean[]): string[] {
    const { hosts, indexes } = this.#stored;
    return hosts.filter((_, row) => isWanted[indexes[row]!]);
  }

  /** A part of the listings in the order of a search: by score, then by host. @param isWanted as in `hosts` */
  page(isWanted: readonly boolean[], from: number, count: number) {
    const { hosts, indexes } = this.#stored;
    const page: { readonly host: string; readonly index: number }[] = [];
    let at = 0;
    for (const row of this.#ranked()) {
      const index = indexes[row]!;
      if (!isWanted[index]) continue;
      if (at >= from + count) break;
      if (at >= from) page.push({ host: hosts[row]!, index });
      at += 1;
    }
    return page;
  }

  #ranked(): Uint32Array {
    const { scores } = this.#stored;
    const rank = (row: number) => scores[row] ?? -1;
    this.#order ??= Uint32Array.from(scores.keys()).sort((a, b) => rank(b) - rank(a) || a - b);
    return this.#order;
  }
}

/** @throws BadColumnsError */
function readAccess(bytes: Uint8Array): AccessIndex {
  const stored = parsedAccess(bytes);
  const { accesses, hosts, scores, indexes } = stored;
  const areLists = [accesses, hosts, scores, indexes].every(Array.isArray);
  const isWhole =
    areLists &&
    hosts.length === scores.length &&
    hosts.length === indexes.length &&
    hosts.every((host, row) => typeof host === "string" && (row === 0 || hosts[row - 1]! < host)) &&
    indexes.every((index) => accesses[index] !== undefined);
  if (!isWhole) throw new BadColumnsError("it is not the index of access");
  return new AccessIndex(stored);
}

function parsedAccess(bytes: Uint8Array): StoredAccess {
  if (bytes.length > INDEX_BYTES_MAX)
    throw new BadColumnsError(`it has more than ${INDEX_BYTES_MAX} bytes`);
  try {
    return { ...storedJson<StoredAccess>(bytes) };
  } catch (cause) {
    throw new BadColumnsError("it is malformed", { cause });
  }
}

/** The index of a snapshot; null if it has none. Rejects if it is damaged. */
export const indexOf = madeOnce(
  async (snapshot: Pick<SnapshotView, "addition" | "readAdded">): Promise<AccessIndex | null> => {
    const file = snapshot.addition(ACCESS)?.files[0];
    return file === undefined ? null : snapshot.readAdded(file, readAccess);
  },
);

/** The answer of a snapshot without an index: it was built without this extra, or has too many listings. */
export const NO_INDEX: Failure = {
  status: 503,
  error: "This snapshot has no index of what reports say about access.",
};
