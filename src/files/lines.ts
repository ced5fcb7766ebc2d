/** A line of a file, without its LF. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Where the line begins in the file, in bytes. */
  readonly offset: number;
  /** In bytes; also set if `bytes` is null. */
  readonly length: number;
  /** Valid until the next line is requested; null if the line is longer than the limit. */
  readonly bytes: Buffer | null;
}

const LF = 0x0a;

/**
 * Splits the bytes from `read` into lines. Holds only one chunk and one line in memory, however long a
 * line is.
 * @param read fills the buffer from where it last ended, and returns the number of bytes; 0 at the end
 * @param chunkBytes how many bytes are read at a time
 * @param limit the longest line, in bytes, whose bytes are returned. A longer line only has its length
 */
export function* readLines(
  read: (into: Buffer) => number,
  chunkBytes: number,
  limit: number,
): Generator<Line, void> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let number = 1;
  let offset = 0;
  // The parts of the current line from earlier chunks, copied, because the chunk's memory is reused.
  let pieces: Buffer[] = [];
  let carried = 0;
  for (;;) {
    const filled = chunk.subarray(0, read(chunk));
    if (filled.length === 0) break;
    let start = 0;
    for (;;) {
      const end = filled.indexOf(LF, start);
      if (end < 0) break;
      const length = carried + end - start;
      const last = filled.subarray(start, end);
      const whole = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
      yield { number, offset, length, bytes: length > limit ? null : whole };
      number += 1;
      offset += length + 1;
      start = end + 1;
      pieces = [];
      carried = 0;
    }
    carried += filled.length - start;
    if (carried > limit) pieces = [];
    else if (start < filled.length) pieces.push(Buffer.from(filled.subarray(start)));
  }
  if (carried === 0) return;
  const bytes = carried > limit ? null : Buffer.concat(pieces);
  yield { number, offset, length: carried, bytes };
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
