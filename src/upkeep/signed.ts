import { highestSigned } from "../build/signatures.js";
import { byCodeUnit } from "../contract/order.js";
import { type PublicKey, SignatureError } from "../signing/verify.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { SIGNATURE_NAME } from "../store/layout.js";
import { requireSignature } from "../store/signature.js";
import type { Verification } from "./verify.js";

/** Adds the check of the current snapshot's signature to a verification. */
export async function withSignature(
  found: Verification,
  store: string,
  publicKeys: readonly PublicKey[],
): Promise<Verification> {
  const { id, bad } = found;
  // Without a good manifest there is nothing that a signature could vouch for.
  if (id === null || bad.some(({ file }) => file === `${id}/manifest.json`)) return found;
  const checked = { ...found, files: found.files + 1 };
  try {
    return { ...checked, generation: await requireNewest(store, id, publicKeys) };
  } catch (error) {
    if (!(error instanceof SignatureError || error instanceof BadSnapshotError)) throw error;
    const file = { file: `${id}/${SIGNATURE_NAME}`, problem: error.message, hosts: [] };
    return { ...checked, bad: [...bad, file].sort((a, b) => byCodeUnit(a.file, b.file)) };
  }
}

/**
 * Checks the signature of a store's current snapshot. No other snapshot of the store may have a higher generation:
 * `current.json` is not signed, and may have been turned back. (A build that dies just before it writes `current.json`
 * leaves the same state; the next build repairs it.)
 * @returns the current snapshot's generation
 */
async function requireNewest(
  store: string,
  current: string,
  publicKeys: readonly PublicKey[],
): Promise<number> {
  const highest = await highestSigned(store, publicKeys);
  return requireSignature(store, current, publicKeys, highest);
}
