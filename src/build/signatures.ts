import { disk } from "../files/disk.js";
import type { Lock } from "../files/lock.js";
import { type SigningKey, signManifest } from "../signing/sign.js";
import { layout } from "../store/layout.js";
import { readSignature } from "../store/signature.js";

/**
 * Signs a snapshot that is about to become current. The same key gives a snapshot the same signature each time, so one
 * that is signed already is not written again.
 * @param manifest the bytes of its manifest
 * @param generation the publication's number
 * @throws StoreWriteError; StoreLockedError if the lock is lost
 */
export async function signSnapshot(
  store: string,
  lock: Lock,
  key: SigningKey,
  { id, manifest, generation }: { id: string; manifest: Uint8Array; generation: number },
): Promise<void> {
  const text = signManifest(manifest, id, generation, key);
  if ((await readSignature(store, id).catch(() => null)) === text) return;
  await disk.writeFile(layout.signature(store, id), Buffer.from(text), {
    before: () => lock.check(),
  });
  await disk.syncFolder(layout.snapshot(store, id));
}
