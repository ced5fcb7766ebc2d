import { join } from "node:path";
import { hasCode } from "../files/errors.js";
import { readRegular } from "../files/regular.js";
import { type PublicKey, verifyManifest } from "../signing/verify.js";
import { unreadable } from "./bad-snapshot.js";
import { layout, SIGNATURE_NAME } from "./layout.js";
import { readManifestBytes, snapshotIds } from "./reader.js";

/** The most bytes of a signature: more than ten times as many as one has. */
export const SIGNATURE_BYTES_MAX = 4096;

/** The text of a snapshot's signature; null if it is not signed. @throws BadSnapshotError if it cannot be read */
export async function readSignature(store: string, id: string): Promise<string | null> {
  try {
    return (await readRegular(layout.signature(store, id), SIGNATURE_BYTES_MAX)).toString("utf8");
  } catch (error) {
    if (hasCode(error, ["ENOENT"])) return null;
    throw unreadable(join(id, SIGNATURE_NAME), error);
  }
}

/**
 * Checks the signature of a snapshot in a store.
 * @returns its generation
 * @throws SignatureError as `verifyManifest`; BadSnapshotError if the manifest is missing or damaged
 */
export async function requireSignature(
  store: string,
  id: string,
  publicKeys: readonly PublicKey[],
  leastGeneration?: number,
): Promise<number> {
  const manifest = await readManifestBytes(store, id);
  const signature = await readSignature(store, id);
  const signed = { manifest, id, signature, publicKeys, leastGeneration };
  return (await verifyManifest(signed)).generation;
}

/** The highest generation of all snapshots in a store that are signed with one of the keys; 0 if none is. */
export async function highestSigned(
  store: string,
  publicKeys: readonly PublicKey[],
): Promise<number> {
  let highest = 0;
  for (const id of await snapshotIds(store)) {
    const generation = await requireSignature(store, id, publicKeys).catch(() => 0);
    highest = Math.max(highest, generation);
  }
  return highest;
}

/**
 * Like `requireSignature`, but no other snapshot of the store may be signed with a higher generation: `current.json` is
 * not signed, and may have been set back. (A build that dies just before it writes `current.json` leaves the same
 * state; the next build repairs it.)
 */
export async function requireNewestSignature(
  store: string,
  id: string,
  publicKeys: readonly PublicKey[],
): Promise<number> {
  return requireSignature(store, id, publicKeys, await highestSigned(store, publicKeys));
}
