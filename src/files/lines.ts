/** A line of a file, without its LF. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Where it begins in the file, in bytes. */
  readonly offset: number;
  /** In bytes; known also where they are not kept. */
  readonly length: number;
  /** Valid until the next line is asked for; null where the line is longer than the limit. */
  readonly bytes: Buffer | null;
}

const LF = 0x0a;

/**
 * Splits what `read` gives into lines, in memory of one chunk and one line however long a line is.
 * @param read fills the buffer from where it last ended, and returns how many bytes; 0 at the end
 * @param chunkBytes how much is read at once
 * @param limit bytes of a line that are kept; a longer line is counted and let go
 */
export function* readLines(
  read: (into: Buffer) => number,
  chunkBytes: number,
  limit: number,
): Generator<Line, void> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let number = 1;
  let offset = 0;
  // What earlier chunks held of the current line, copied, as the chunk's memory is used again.
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
