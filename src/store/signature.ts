/*
 * What the core knows of signatures: there are functions that make and check them. Extras make these functions from
 * keys.
 */

/**
 * A manifest is not signed, wrongly signed, or older than one that was accepted before. The message says which, and
 * what to do.
 */
export class SignatureError extends Error {
  override readonly name = "SignatureError";
}

/**
 * Signs a manifest.
 * @param manifest the bytes of its file
 * @param id the snapshot's id
 * @param generation from 1; higher than that of each snapshot that was current before
 * @returns the text of the signature's file
 */
export type SignManifest = (manifest: Uint8Array, id: string, generation: number) => string;

/** A manifest with its signature, and what a reader demands of them. */
export interface SignedManifest {
  /** The bytes of the manifest's file. The caller has checked that they have the digest `id`. */
  readonly manifest: Uint8Array;
  /** The snapshot's id. */
  readonly id: string;
  /** The text of the signature's file; null if there is none. */
  readonly signature: string | null;
  /** The highest generation that the reader has accepted so far. Default: any generation will do. */
  readonly leastGeneration?: number | undefined;
}

/**
 * Checks the signature of a manifest.
 * @returns the number of the publication, as the signer states it; its manifest has the same
 * @throws SignatureError
 */
export type VerifyManifest = (signed: SignedManifest) => Promise<number>;

/** A check that a manifest passes only if it passes all of some checks; undefined if there are none. */
export function everyCheckOf(checks: readonly VerifyManifest[]): VerifyManifest | undefined {
  const [first, ...others] = checks;
  if (first === undefined) return undefined;
  return async (signed) => {
    for (const check of others) await check(signed);
    return first(signed);
  };
}
