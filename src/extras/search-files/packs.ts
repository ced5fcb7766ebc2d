import { hash } from "node:crypto";
import { gzipSync } from "fflate";
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

/** Compresses each piece on its own, and joins them to files. */
export function packed(kind: SearchFileKind, pieces: Iterable<Uint8Array>): Packs {
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
  for (const content of pieces) {
    const piece = gzipped(content);
    if (bytes + piece.length > PACK_BYTES_MAX) close();
    open.push(piece);
    sizes.push(piece.length);
    sums.push(hash("sha256", piece, "buffer"));
    bytes += piece.length;
    length += content.length;
  }
  close();
  return { files, counts, sizes, sums: Buffer.concat(sums) };
}
