import { readOf } from "../../answer/content.js";
import type { AnswerExtra } from "../../answer/extra.js";
import { PROOF } from "./reads.js";
import { parsePublicKeys, verifyManifest } from "./verify.js";

/** Options of `signing`. */
export interface SigningOptions {
  /** Public keys of minisign, as `crawldex keygen` prints them: one, or the old and the new one. */
  readonly publicKeys: readonly string[];
  /**
   * The least signed generation that is accepted, 0 or greater. A handler that has just started knows no generation,
   * and would accept an older signed snapshot that an attacker has put back. Default: 0.
   */
  readonly leastGeneration?: number | undefined;
}

/** Proofs of single answers. They are loaded with the first request. */
export const PROOF_READS = {
  proof: {
    ...PROOF,
    read: readOf(PROOF.query, async (query, snapshot) =>
      (await import("./proof.js")).proofContent(query, snapshot),
    ),
  },
} satisfies AnswerExtra["reads"];

/**
 * Lets a fetch handler prove answers, and refuse snapshots that are not signed with one of the public keys.
 * @throws TypeError for a wrong option
 */
export function signing({ publicKeys, leastGeneration = 0 }: SigningOptions): AnswerExtra {
  const keys = parsePublicKeys(publicKeys);
  if (!(Number.isFinite(leastGeneration) && leastGeneration >= 0)) {
    throw new TypeError("leastGeneration must be a number, 0 or greater");
  }
  return {
    name: "signing",
    reads: PROOF_READS,
    verifyManifest: (signed) => {
      const least = Math.max(leastGeneration, signed.leastGeneration ?? 0);
      return verifyManifest({ ...signed, leastGeneration: least }, keys);
    },
  };
}
