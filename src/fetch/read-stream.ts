/**
 * Reads a stream until it has more than `most` bytes, and then cancels it.
 * @param skip bytes at the beginning that do not count, and are not returned
 * @returns its bytes; more than `most` if the stream has more
 */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  most: number,
  skip = 0,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let left = skip;
  // Not all browsers can iterate over a stream.
  const reader = stream.getReader();
  while (length <= most) {
    const { done, value } = await reader.read();
    if (done) break;
    const chunk = value.subarray(left);
    left -= value.length - chunk.length;
    chunks.push(chunk);
    length += chunk.length;
  }
  if (length > most) reader.cancel().catch(() => {});
  const whole = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    whole.set(chunk, end);
    end += chunk.length;
  }
  return whole;
}
