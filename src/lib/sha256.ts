/* sha256 on every platform that has web standards. */

/**
 * The same bytes, without a copy unless they are in memory that threads share, which the platform's functions refuse.
 */
export function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  return buffer instanceof ArrayBuffer
    ? new Uint8Array(buffer, byteOffset, length)
    : new Uint8Array(bytes);
}

/** The sha256 of bytes in hex. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  // Browsers provide it only to pages that were loaded over https or from localhost.
  const { subtle } = globalThis.crypto;
  const digest =
    subtle === undefined
      ? (await import("./slow-sha256.js")).slowSha256(bytes)
      : new Uint8Array(await subtle.digest("SHA-256", unshared(bytes)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
