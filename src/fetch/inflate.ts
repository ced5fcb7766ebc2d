import { BadColumnsError } from "../store/columns/file.js";
import { readStream } from "./read-stream.js";
import { unshared } from "./unshared.js";

/**
 * Inflates a compressed block or file.
 * @param most the most bytes that it may become
 * @throws BadColumnsError if it is not a deflate stream, or becomes longer
 */
export async function inflate(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const compressed = new Blob([unshared(bytes)]).stream();
  const inflating = compressed.pipeThrough(new DecompressionStream("deflate-raw"));
  const whole = await readStream(inflating, most).catch((error: unknown) => {
    throw new BadColumnsError("it is not compressed data", { cause: error });
  });
  if (whole.length > most) throw new BadColumnsError(`it has more than ${most} bytes`);
  return whole;
}
