import type { Segment } from "./format.js";
import type { ByteRange } from "./source.js";

/** A part of a pack, which a packed tree stores as a separate compressed file. */
export interface PackPiece {
  /** Relative to `data/`. */
  readonly file: string;
  /** Bytes of the pack before the piece. */
  readonly offset: number;
  readonly length: number;
}

/** The most bytes of a piece, before it is compressed: a report must not cost a reader many others. */
const PIECE_BYTES = 2 * 1024 * 1024;

/**
 * The pieces of a pack, in order: its answers, cut without regard to where one ends, then its directory.
 * @param range only the pieces that have bytes of it. Default: the whole pack
 */
export function packPieces(
  { pack, directory }: Pick<Segment, "pack" | "directory">,
  { offset, length }: ByteRange = { offset: 0, length: pack.bytes },
): PackPiece[] {
  const directoryStart = pack.bytes - directory.bytes;
  const end = offset + length;
  const pieces: PackPiece[] = [];
  for (
    let number = Math.floor(offset / PIECE_BYTES);
    number * PIECE_BYTES < Math.min(directoryStart, end);
    number += 1
  ) {
    const start = number * PIECE_BYTES;
    const size = Math.min(PIECE_BYTES, directoryStart - start);
    pieces.push({ file: `${pack.file}.${number}`, offset: start, length: size });
  }
  if (end <= directoryStart) return pieces;
  const file = `${pack.file}.directory`;
  return [...pieces, { file, offset: directoryStart, length: directory.bytes }];
}
