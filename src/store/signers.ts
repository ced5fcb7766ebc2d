import { installedExtras } from "../extra.js";
import { everyCheckOf, type SignManifest, type VerifyManifest } from "./signature.js";

/* Who signs manifests and who checks their signatures in this process: the extras that options ask to do so. */

/** Options of all functions that publish, by which extras sign. Each declares its own into this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: without extras it is empty
export interface ExtraSignOptions {}

/** Options of all functions that read stores, by which extras check signatures; as above. */
// biome-ignore lint/suspicious/noEmptyInterface: without extras it is empty
export interface ExtraVerifyOptions {}

/**
 * What signs the manifests of a function that publishes.
 * @param options its options, which `checkedOptions` has checked
 * @returns undefined if the options ask for no signature
 * @throws TypeError for a wrong key
 */
export async function signerFor(options: ExtraSignOptions): Promise<SignManifest | undefined> {
  for (const { signer } of installedExtras()) {
    const sign = await signer?.(options);
    if (sign !== undefined) return sign;
  }
  return undefined;
}

/**
 * What checks the signatures of the snapshots that a function reads.
 * @param options its options, which `checkedOptions` has checked
 * @returns undefined if the options ask for no check
 * @throws TypeError for wrong keys
 */
export async function verifierFor(
  options: ExtraVerifyOptions,
): Promise<VerifyManifest | undefined> {
  const all = await Promise.all(installedExtras().map(({ verifier }) => verifier?.(options)));
  return everyCheckOf(all.filter((check) => check !== undefined));
}
