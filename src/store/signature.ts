import { join } from "node:path";
import { hasCode } from "../files/errors.js";
import { readRegular } from "../files/regular.js";
import { type PublicKey, verifyManifest } from "../signing/verify.js";
import { BadSnapshotError, unreadable } from "./bad-snapshot.js";
import { layout, SIGNATURE_NAME, snapshotId } from "./layout.js";

/** The text of a snapshot's signature; null if it is not signed. @throws BadSnapshotError if it cannot be read */
export async function readSignature(store: string, id: string): Promise<string | null> {
  try {
    return (await readRegular(layout.signature(store, id))).toString("utf8");
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
  const name = `${id}/manifest.json`;
  const manifest = await readRegular(layout.manifest(store, id)).catch((error: unknown) => {
    throw unreadable(name, error);
  });
  if (snapshotId(manifest) !== id) throw new BadSnapshotError(`${name} does not match its id`);
  const signature = await readSignature(store, id);
  const signed = { manifest, id, signature, publicKeys, leastGeneration };
  return (await verifyManifest(signed)).generation;
}
