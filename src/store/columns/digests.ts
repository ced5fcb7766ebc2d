/* Digests as columns: the first 128 bits of a sha256 each. */

export const DIGEST_BYTES = 16;

/** Two hexadecimal digits for each byte. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @param digests 32 hexadecimal digits each */
export function digestColumn(digests: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(DIGEST_BYTES * digests.length);
  for (const [place, digest] of digests.entries()) {
    for (let at = 0; at < DIGEST_BYTES; at += 1) {
      bytes[DIGEST_BYTES * place + at] = Number.parseInt(digest.slice(2 * at, 2 * at + 2), 16);
    }
  }
  return bytes;
}

/** The digest at a place, in hex. */
export function digestAt(digests: Uint8Array, place: number): string {
  let digest = "";
  for (let at = DIGEST_BYTES * place; at < DIGEST_BYTES * (place + 1); at += 1) {
    digest += HEX[digests[at]!]!;
  }
  return digest;
}
