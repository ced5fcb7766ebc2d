import { byCodeUnit } from "../contract/order.js";
import { type PublicKey, SignatureError } from "../signing/verify.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { SIGNATURE_NAME } from "../store/layout.js";
import { requireNewestSignature } from "../store/signature.js";
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
    return { ...checked, generation: await requireNewestSignature(store, id, publicKeys) };
  } catch (error) {
    if (!(error instanceof SignatureError || error instanceof BadSnapshotError)) throw error;
    const file = { file: `${id}/${SIGNATURE_NAME}`, problem: error.message, hosts: [] };
    return { ...checked, bad: [...bad, file].sort((a, b) => byCodeUnit(a.file, b.file)) };
  }
}
