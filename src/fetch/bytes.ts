import { readStart } from "../lib/http.js";
import { BadColumnsError } from "../store/columns/file.js";

/** Compressed bytes that are inflated at a time: a browser inflates each piece as a whole, to 1,032 times as much. */
const PIECE_BYTES = 8 * 1024;

/** A stream of some bytes in small pieces. */
function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
    },
  });
}

/**
 * Inflates a compressed block or file.
 * @param most the most bytes that it may become
 * @throws BadColumnsError if it has another form, is damaged, or becomes longer
 */
export async function inflate(
  bytes: Uint8Array,
  most: number,
  form: "deflate-raw" | "gzip",
): Promise<Uint8Array> {
  const inflating = inPieces(unshared(bytes)).pipeThrough(new DecompressionStream(form));
  const whole = await readStart(inflating, most + 1).catch((error: unknown) => {
    throw new BadColumnsError("it is not compressed data", { cause: error });
  });
  if (whole.length > most) throw new BadColumnsError(`it has more than ${most} bytes`);
  return whole;
}

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
