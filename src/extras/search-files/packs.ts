import { hash } from "node:crypto";
import { gzipSync } from "fflate";
import { BadColumnsError } from "../../store/columns/columns.js";
import type { ValueName } from "../../store/columns/listings.js";
import type { Pieces, SearchFileKind } from "./format.js";

/** A file to write. */
export interface MadeFile {
  readonly kind: SearchFileKind;
  /** Of a column. */
  readonly filter?: ValueName;
  /** Compressed. */
  readonly bytes: Uint8Array;
  /** The bytes that it inflates to. */
  readonly length: number;
}

/** Pieces in packs. */
export interface Packs extends Pieces {
  /** Null: those of the publication before. */
  readonly files: readonly MadeFile[] | null;
  /** The number of pieces in each file. */
  readonly counts: readonly number[];
  /** The sha256 of each compressed piece. */
  readonly sums: Uint8Array;
}

/** The most bytes of a pack. */
const PACK_BYTES_MAX = 4 * 1024 * 1024;

export function madeFile(kind: SearchFileKind, content: Uint8Array): MadeFile {
  return { kind, bytes: gzipped(content), length: content.length };
}

export function jsonFile(kind: SearchFileKind, content: object): MadeFile {
  return madeFile(kind, Buffer.from(JSON.stringify(content)));
}

/** The output of Node's zlib depends on the processor. */
function gzipped(content: Uint8Array): Uint8Array {
  return gzipSync(content, { level: 9, mtime: 0 });
}

/** A piece of a pack. */
export interface Piece {
  /** Compressed. */
  readonly bytes: Uint8Array;
  /** The bytes that it inflates to. */
  readonly length: number;
}

/** Compresses a piece. */
export function newPiece(content: Uint8Array): Piece {
  return { bytes: gzipped(content), length: content.length };
}

/** A piece that is compressed already: gzip ends with the length of the content. */
export function compressedPiece(bytes: Uint8Array): Piece {
  const length = Buffer.from(bytes.slice(-LENGTH_BYTES)).readUInt32LE();
  return { bytes, length };
}

const LENGTH_BYTES = 4;

/** Cuts packs into their pieces. @throws BadColumnsError if they have another length */
export function piecesIn(packs: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  let end = 0;
  const pieces = sizes.map((size) => {
    end += size;
    return packs.subarray(end - size, end);
  });
  if (end !== packs.length) throw new BadColumnsError("its packs have other sizes");
  return pieces;
}

/** Compresses each piece on its own, and joins them to files. */
export function packed(kind: SearchFileKind, contents: Iterable<Uint8Array>): Packs {
  function* pieces() {
    for (const content of contents) yield newPiece(content);
  }
  return joined(kind, pieces());
}

/** Joins pieces to files. */
export function joined(kind: SearchFileKind, pieces: Iterable<Piece>): Packs {
  const files: MadeFile[] = [];
  const counts: number[] = [];
  const sizes: number[] = [];
  const sums: Buffer[] = [];
  let open: Uint8Array[] = [];
  let bytes = 0;
  let length = 0;
  const close = () => {
    if (open.length === 0) return;
    files.push({ kind, bytes: Buffer.concat(open), length });
    counts.push(open.length);
    [open, bytes, length] = [[], 0, 0];
  };
  for (const piece of pieces) {
    if (bytes + piece.bytes.length > PACK_BYTES_MAX) close();
    open.push(piece.bytes);
    sizes.push(piece.bytes.length);
    sums.push(hash("sha256", piece.bytes, "buffer"));
    bytes += piece.bytes.length;
    length += piece.length;
  }
  close();
  return { files, counts, sizes, sums: Buffer.concat(sums) };
}
