import { disk } from "../files/disk.js";
import type { Lock } from "../files/lock.js";
import { type SigningKey, signManifest } from "../signing/sign.js";
import { statedGeneration, verifyManifest } from "../signing/verify.js";
import { layout } from "../store/layout.js";
import { snapshotIds } from "../store/reader.js";
import { readSignature } from "../store/signature.js";

/**
 * Signs a snapshot that is about to become current. Its generation is one more than the highest of all signatures in
 * the store, so that no reader takes the snapshot for an older one. A snapshot that is current already and signed with
 * this key keeps its signature.
 * @param manifest the bytes of its manifest
 * @returns the snapshot's generation
 * @throws StoreWriteError; StoreLockedError if the lock is lost
 */
export async function signSnapshot(
  store: string,
  lock: Lock,
  key: SigningKey,
  { id, manifest, isCurrent }: { id: string; manifest: Uint8Array; isCurrent: boolean },
): Promise<number> {
  const before = isCurrent ? await keptGeneration(store, id, manifest, key) : null;
  if (before !== null) return before;
  const generation = (await highestStated(store)) + 1;
  const text = signManifest(manifest, id, generation, key);
  await disk.writeFile(layout.signature(store, id), Buffer.from(text), {
    before: () => lock.check(),
  });
  await disk.syncFolder(layout.snapshot(store, id));
  return generation;
}

/** The generation of a snapshot that is already signed with the key; null if it has no such signature. */
async function keptGeneration(
  store: string,
  id: string,
  manifest: Uint8Array,
  { publicKey }: SigningKey,
): Promise<number | null> {
  const signature = await readSignature(store, id).catch(() => null);
  const publicKeys = [publicKey];
  const found = await verifyManifest({ manifest, id, signature, publicKeys }).catch(() => null);
  return found?.generation ?? null;
}

/** The highest generation that a signature in the store states, with any key; 0 if none does. */
async function highestStated(store: string): Promise<number> {
  let highest = 0;
  for (const id of await snapshotIds(store)) {
    const signature = await readSignature(store, id).catch(() => null);
    highest = Math.max(highest, statedGeneration(signature ?? "") ?? 0);
  }
  return highest;
}
