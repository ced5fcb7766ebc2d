import { BadColumnsError } from "../store/columns/file.js";
import { unshared } from "./unshared.js";

/**
 * Inflates a compressed block or file.
 * @param most the most bytes that it may become
 * @throws BadColumnsError if it is not a deflate stream, or becomes longer
 */
export async function inflate(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of inflating(bytes)) {
      length += chunk.length;
      if (length > most) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new BadColumnsError("it is not compressed data", { cause: error });
  }
  if (length > most) throw new BadColumnsError(`it has more than ${most} bytes`);
  const whole = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    whole.set(chunk, end);
    end += chunk.length;
  }
  return whole;
}

/** Not all browsers can iterate over a stream. */
async function* inflating(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const compressed = new Blob([unshared(bytes)]).stream();
  const reader = compressed.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
