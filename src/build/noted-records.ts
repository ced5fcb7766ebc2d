import { DIGEST_WORDS, type FileRecords } from "../published/locating/record-index.js";

/** Bytes that one record takes in all columns. */
const RECORD_BYTES = 8 + 4 * (3 + DIGEST_WORDS);

/** All offsets, then all lengths, lines, hashes and digests, in the machine's byte order. */
export function encodeRecords({ offset, length, line, hostHash, digest }: FileRecords): string {
  const columns = [offset, length, line, hostHash, digest];
  return Buffer.concat(
    columns.map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    ),
  ).toString("base64");
}

export function decodeRecords(text: string): FileRecords | null {
  // Copies the bytes, because a small Buffer may start at an offset in a shared one where no typed array can.
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  const count = bytes.length / RECORD_BYTES;
  if (!Number.isInteger(count)) return null;
  const words = (column: number, each = 1) =>
    new Uint32Array(bytes.buffer, 4 * count * column, each * count);
  return {
    offset: new Float64Array(bytes.buffer, 0, count),
    length: words(2),
    line: words(3),
    hostHash: words(4),
    digest: words(5, DIGEST_WORDS),
  };
}
