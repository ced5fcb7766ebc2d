import { createHash } from "node:crypto";
import { statfsSync } from "node:fs";
import { type FileHandle, readdir, stat } from "node:fs/promises";
import { endianness } from "node:os";
import { join } from "node:path";
import { disk, UnfinishedFile } from "../files/disk.js";
import { unfinishedName } from "../files/random-name.js";
import { openRegular } from "../files/regular.js";
import { sha256 } from "../store/layout.js";
import { STORE_FORMAT } from "../store/names.js";
import { LEAD_BYTES, type PackedIndex, readLead } from "./packed-index.js";

/*
 * The index of a snapshot as a file, so that a server need not make it from the tables at each start. It is a cache
 * beside the store, never a part of a snapshot: if it is missing, damaged, or of another program, the index is made
 * from the tables.
 */

/** Grows whenever the index of a snapshot would have other arrays, or other numbers in them. A test compares them. */
const INDEX_FORMAT = 2;

const NAME = /^[0-9a-f]{32}-[0-9a-f]{8}\.index$/;
const UNFINISHED = /^\.new-[0-9a-f]+-[0-9a-f]{32}-[0-9a-f]{8}\.index$/;
/** Milliseconds after which an unfinished file has no writer any more. */
const ABANDONED_MS = 3_600_000;
/** Bytes that are read and checked at a time: a few milliseconds of work. */
const SLICE_BYTES = 2 * 1024 * 1024;

/**
 * The path of the index file of a snapshot. The name has everything that an index depends on: texts are folded by the
 * program's edition of Unicode.
 * @param folder the folder of index files
 * @param hasPacks whether the index has the directories of the packs
 */
export function indexPath(folder: string, id: string, hasPacks: boolean): string {
  const { unicode } = process.versions;
  const program = JSON.stringify([INDEX_FORMAT, STORE_FORMAT, endianness(), unicode, hasPacks]);
  return join(folder, `${id}-${sha256(program).slice(0, 8)}.index`);
}

/** An index file that has what is outside the block. The caller closes it. */
export interface OpenIndexFile {
  readonly path: string;
  readonly file: FileHandle;
}

/** An index as one block of memory, and the file with the bytes outside it; null if the block has all. */
export interface LoadedBlock {
  readonly block: SharedArrayBuffer;
  readonly file: OpenIndexFile | null;
}

/**
 * Reads the block of an index file.
 * @param bytesMax the most bytes that the block may take
 * @param outsideBytesMax up to so many bytes outside the block are read into it, too
 * @returns null if there is no file, or it is damaged or too large
 */
export async function readIndexFile(
  path: string,
  bytesMax: number,
  outsideBytesMax: number,
): Promise<LoadedBlock | null> {
  let file: FileHandle | null = null;
  try {
    file = await openRegular(path);
    const read = await readBlock(file, bytesMax, outsideBytesMax);
    if (read !== null && !read.isWhole) return { block: read.block, file: { path, file } };
    await file.close();
    return read && { block: read.block, file: null };
  } catch {
    // Without the file, the index is made from the tables, which also reports what is wrong with the disk.
  }
  await file?.close().catch(() => {});
  return null;
}

async function readBlock(file: FileHandle, bytesMax: number, outsideBytesMax: number) {
  const lead = new Uint8Array(LEAD_BYTES);
  await file.read(lead, 0, LEAD_BYTES, 0);
  const facts = readLead(lead);
  const { size } = await file.stat();
  if (facts === null || facts.bytes !== size || facts.blockBytes > bytesMax) return null;
  const { blockBytes, bytes, blockSha256, outsideSha256 } = facts;
  const isWhole = bytes - blockBytes <= outsideBytesMax;
  const block = new SharedArrayBuffer(isWhole ? bytes : blockBytes);
  const into = new Uint8Array(block);
  into.set(lead);
  const isGood =
    (await fill(file, into.subarray(0, blockBytes), LEAD_BYTES)) === blockSha256 &&
    (!isWhole || (await fill(file, into, blockBytes)) === outsideSha256);
  return isGood ? { block, isWhole } : null;
}

/** Fills the rest of `bytes` from the same place of a file. @returns the sha256 of what was read, in hex */
async function fill(file: FileHandle, bytes: Uint8Array, start: number): Promise<string> {
  const hash = createHash("sha256");
  // Hashing shared memory would copy it first, which takes three times as long.
  const slice = Buffer.allocUnsafeSlow(Math.min(SLICE_BYTES, bytes.length - start));
  let read = 1;
  for (let at = start; at < bytes.length && read > 0; at += read) {
    const { bytesRead } = await file.read(slice, 0, Math.min(slice.length, bytes.length - at), at);
    bytes.set(slice.subarray(0, bytesRead), at);
    hash.update(slice.subarray(0, bytesRead));
    read = bytesRead;
  }
  return hash.digest("hex");
}

/** Bytes that an index file has for each listing, at most: half of that is usual. */
const BYTES_A_ROW = 4_000;

/** Whether an index file can be written, as far as one can tell before. */
export async function mayWriteIndex(path: string, rows: number): Promise<boolean> {
  const folder = join(path, "..");
  try {
    await disk.makeFolder(folder);
    await disk.touchFolder(folder);
    return hasRoom(folder, BYTES_A_ROW * rows);
  } catch {
    return false;
  }
}

/** Whether writing so many bytes leaves at least as many free to others. */
function hasRoom(folder: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return 2 * bytes <= bavail * bsize;
}

/**
 * Writes an index file. Leaves half of what is free on the disk to others.
 * @returns whether it was written: not to a full disk, or where this user may not write
 */
export async function writeIndexFile(path: string, packed: PackedIndex): Promise<boolean> {
  const folder = join(path, "..");
  try {
    await disk.makeFolder(folder);
    if (!hasRoom(folder, packed.bytes)) return false;
    const name = path.slice(folder.length + 1);
    const file = new UnfinishedFile(join(folder, unfinishedName(name)), 0o600);
    for (const piece of packed.pieces(true)) file.append(piece);
    await file.finish(path);
    return true;
  } catch {
    return false;
  }
}

/** Deletes an index file that is damaged, so that the next start makes the index from the tables. */
export async function dropIndexFile(path: string): Promise<void> {
  await disk.remove(path).catch(() => {});
}

/**
 * Deletes the index files of other snapshots, which may have listings that were removed since, and unfinished files
 * whose writer has ended. Leaves what it may not delete.
 * @param id the snapshot whose index was loaded
 */
export async function tidyIndexFiles(folder: string, id: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const isOlder = NAME.test(name) && !name.startsWith(id);
    if (isOlder || (UNFINISHED.test(name) && (await isAbandoned(path)))) await dropIndexFile(path);
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const state = await stat(path).catch(() => null);
  return state !== null && Date.now() - state.mtimeMs > ABANDONED_MS;
}
