import type { Segment } from "./format.js";

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

/** The pieces of a pack, in order: its answers, cut without regard to where one ends, then its directory. */
export function packPieces({ pack, directory }: Pick<Segment, "pack" | "directory">): PackPiece[] {
  const end = pack.bytes - directory.bytes;
  const count = Math.ceil(end / PIECE_BYTES);
  const pieces = Array.from({ length: count }, (_, number) => ({
    file: `${pack.file}.${number}`,
    offset: number * PIECE_BYTES,
    length: Math.min(PIECE_BYTES, end - number * PIECE_BYTES),
  }));
  return [...pieces, { file: `${pack.file}.directory`, offset: end, length: directory.bytes }];
}
