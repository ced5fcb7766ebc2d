import { madeOnce, type SnapshotView } from "../../answer/content.js";
import { byCodeUnit } from "../../contract/order.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import { storedJson } from "../../store/stored-json.js";
import type { ListingGist } from "../../store/stored-segments.js";
import { COMPARE } from "./gist.js";

/*
 * Which checks each listing in search passes in part: one file of a snapshot. Summaries say which checks are passed,
 * and tables which do not apply, so a matrix reads no report.
 */

/** The most bytes of the file: those of about a million listings. Beyond, a snapshot has none. */
const PARTIAL_BYTES_MAX = 32 * 1024 * 1024;

/** The file: for each set of checks that are passed in part, the hosts of its listings. */
type StoredPartial = readonly (readonly [checks: readonly string[], hosts: readonly string[]])[];

/**
 * The bytes of the file. The same listings give the same bytes, in whatever order they come.
 * @returns null if they are too many, or if some were built without this extra
 */
export function storedPartial(listings: readonly ListingGist[]): Uint8Array | null {
  const hosts = new Map<string, string[]>();
  for (const { host, gist } of listings.toSorted((a, b) => byCodeUnit(a.host, b.host))) {
    if (gist === null) return null;
    const same = hosts.get(gist);
    if (same !== undefined) same.push(host);
    else if (gist !== "") hosts.set(gist, [host]);
  }
  const stored: StoredPartial = [...hosts].map(([gist, some]) => [gist.split(" "), some]);
  const bytes = new TextEncoder().encode(JSON.stringify(stored));
  return bytes.length > PARTIAL_BYTES_MAX ? null : bytes;
}

/** @throws BadColumnsError */
function readPartial(bytes: Uint8Array): StoredPartial {
  const isTexts = (value: unknown) =>
    Array.isArray(value) && value.every((one) => typeof one === "string");
  const stored = parsedPartial(bytes);
  const isWhole =
    Array.isArray(stored) &&
    stored.every((one) => Array.isArray(one) && one.length === 2 && one.every(isTexts));
  if (!isWhole) throw new BadColumnsError("it is not the list of checks that are passed in part");
  return stored;
}

function parsedPartial(bytes: Uint8Array): StoredPartial {
  if (bytes.length > PARTIAL_BYTES_MAX)
    throw new BadColumnsError(`it has more than ${PARTIAL_BYTES_MAX} bytes`);
  try {
    return storedJson<StoredPartial>(bytes);
  } catch (cause) {
    throw new BadColumnsError("it is malformed", { cause });
  }
}

type PartialSource = Pick<SnapshotView, "addition" | "readAdded" | "answering">;

const storedIn = madeOnce(
  async (snapshot: Pick<SnapshotView, "addition" | "readAdded">): Promise<StoredPartial | null> => {
    const file = snapshot.addition(COMPARE)?.files[0];
    return file === undefined ? null : snapshot.readAdded(file, readPartial);
  },
);

/** The checks that a site passes in part, by host. */
export type PartialChecks = ReadonlyMap<string, readonly string[]>;

/**
 * The checks that these sites pass in part. Sites without any are left out.
 * @returns null if the snapshot does not say. Rejects if it is damaged.
 */
export async function partialChecks(
  hosts: readonly string[],
  snapshot: PartialSource,
): Promise<PartialChecks | null> {
  const stored = await storedIn(snapshot);
  if (stored === null) return null;
  const wanted = new Set(hosts);
  const found = stored.flatMap(([checks, some]) =>
    some.filter((host) => wanted.has(host)).map((host) => [host, checks] as const),
  );
  return new Map(found);
}
