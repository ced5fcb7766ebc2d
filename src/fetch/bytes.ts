import { readStart } from "../lib/http.js";
import { unshared } from "../lib/sha256.js";
import { BadColumnsError } from "../store/columns/columns.js";

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
