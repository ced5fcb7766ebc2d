/* Digests as columns: a whole sha256 each, or its first 128 bits. */

export const SHA256_BYTES = 32;
export const DIGEST_BYTES = 16;

/** Two hexadecimal digits for each byte. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @param size bytes of each digest @param digests in hex */
export function digestColumn(digests: readonly string[], size: number): Uint8Array {
  const bytes = new Uint8Array(size * digests.length);
  for (const [place, digest] of digests.entries()) {
    for (let at = 0; at < size; at += 1) {
      bytes[size * place + at] = Number.parseInt(digest.slice(2 * at, 2 * at + 2), 16);
    }
  }
  return bytes;
}

/** The digest at a place, in hex. @param size bytes of each digest */
export function digestAt(digests: Uint8Array, place: number, size: number): string {
  let digest = "";
  for (let at = size * place; at < size * (place + 1); at += 1) {
    digest += HEX[digests[at]!]!;
  }
  return digest;
}
