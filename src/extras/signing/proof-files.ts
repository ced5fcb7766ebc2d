import { messageOf } from "../../files/errors.js";
import { readRegularSync } from "../../files/regular.js";
import { MANIFEST_BYTES_MAX } from "../../store/format.js";
import { FILE_BYTES_MAX } from "../../store/source.js";
import { ProofError } from "./verify-proof.js";

/* Files that `crawldex verify --proof` reads. */

/** Bytes of a proof: most are the manifest's, whose quotes have backslashes there. */
const PROOF_BYTES_MAX = 2 * MANIFEST_BYTES_MAX;

/** The text of a proof. @throws ProofError */
export function proofIn(path: string): string {
  return fileAt(path, "proof", PROOF_BYTES_MAX).toString("utf8");
}

/** The bytes of an answer. @throws ProofError */
export function answerIn(path: string): Uint8Array {
  return fileAt(path, "answer", FILE_BYTES_MAX);
}

function fileAt(path: string, what: string, most: number): Buffer {
  try {
    return readRegularSync(path, most);
  } catch (error) {
    throw new ProofError(`the file ${path} of the ${what} cannot be read: ${messageOf(error)}`);
  }
}
