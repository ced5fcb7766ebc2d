import { join } from "node:path";
import { hasCode } from "../files/errors.js";
import { readRegular } from "../files/regular.js";
import { type PublicKey, verifyManifest } from "../signing/verify.js";
import { unreadable } from "./bad-snapshot.js";
import { layout, SIGNATURE_NAME } from "./layout.js";
import { readManifestBytes } from "./reader.js";

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
