import { closeSync, existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { disk } from "../../files/disk.js";
import { readLines } from "../../files/lines.js";
import { unfinishedName } from "../../files/random-name.js";
import { fillSync, openRegularSync } from "../../files/regular.js";

/**
 * Replaces files of a folder: first all of them are written beside their places, then each gets its name. If a step
 * fails, the files that were there are back as they were, and the new ones and their folders are gone. A new folder
 * gets its name last, so that a run that is killed leaves none. What such a run left is removed.
 * @param contents the new bytes of files, by their paths in the folder
 * @param folders folders to make in it
 */
export async function replaceFiles(
  folder: string,
  contents: ReadonlyMap<string, Iterable<Uint8Array>>,
  folders: readonly string[],
): Promise<void> {
  const final = resolve(folder);
  const isNew = !existsSync(final);
  const root = isNew ? beside(final) : final;
  await removeLeftovers(final);
  const files = new Map(
    [...contents].map(([file, bytes]) => [join(root, relative(final, resolve(file))), bytes]),
  );
  const made: string[] = [];
  const undo: (() => Promise<void>)[] = [];
  const leftovers: string[] = [];
  try {
    for (const name of folders) made.push(...(await disk.makeFolder(join(root, name))));
    for (const [path, bytes] of files) {
      leftovers.push(beside(path), beside(path, "old-"));
      await disk.writeFile(beside(path), bytes);
      if (existsSync(path)) await disk.link(path, beside(path, "old-"));
    }
    for (const path of files.keys()) {
      const isThere = existsSync(path);
      undo.push(() => (isThere ? disk.rename(beside(path, "old-"), path) : disk.remove(path)));
      await disk.rename(beside(path), path);
    }
    for (const one of new Set([...files.keys()].map(dirname))) await disk.syncFolder(one);
    if (isNew) await disk.rename(root, final);
  } catch (error) {
    for (const step of undo) await step().catch(() => {});
    for (const path of leftovers) await disk.remove(path).catch(() => {});
    for (const one of made.toReversed()) await disk.remove(one).catch(() => {});
    throw error;
  }
  for (const path of leftovers) await disk.remove(path).catch(() => {});
}

/** The path of a file or folder until it gets its name. */
function beside(path: string, what = ""): string {
  return join(dirname(path), unfinishedName(`${what}${basename(path)}`));
}

/** Removes what killed runs left in a folder, and beside it if it was to be a new one. */
async function removeLeftovers(folder: string): Promise<void> {
  const remove = (path: string) => disk.remove(path).catch(() => {});
  for (const { name } of entriesOf(dirname(folder))) {
    if (isLeftover(name, basename(folder))) await remove(join(dirname(folder), name));
  }
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (isLeftover(entry.name)) await remove(path);
      else if (entry.isDirectory()) open.push(path);
    }
  }
}

/** The entries of a folder; none if it cannot be read. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const BOM = Buffer.from("\ufeff");
const READ_BYTES = 512 * 1024;
const LINE_END = Buffer.from("\n");

/**
 * The bytes of a file with other texts in some of its lines, and with lines at its end. Byte-order mark and line ends
 * stay as they are.
 * @param edits by the numbers of lines, counted from 1
 * @param added with their line ends
 */
export function* editedLines(
  path: string,
  edits: ReadonlyMap<number, string>,
  added: readonly string[],
): Generator<Uint8Array> {
  const { descriptor, size } = openRegularSync(path);
  try {
    const read = (into: Buffer) => fillSync(descriptor, into, null);
    for (const { number, offset, length, bytes } of readLines(read, READ_BYTES, size)) {
      if (bytes === null) continue;
      yield editedLine(bytes, edits.get(number));
      if (offset + length < size || added.length > 0) yield LINE_END;
    }
  } finally {
    closeSync(descriptor);
  }
  for (const text of added) yield Buffer.from(text);
}

/** @param text undefined if the line stays as it is */
function editedLine(line: Buffer, text: string | undefined): Uint8Array {
  if (text === undefined) return line;
  const mark = line.subarray(0, BOM.length).equals(BOM) ? "\ufeff" : "";
  return Buffer.from(`${mark}${text}${line.at(-1) === 0x0d ? "\r" : ""}`);
}

/** Whether a name is an unfinished one of another process. @param whole the name to be; any if left out */
function isLeftover(name: string, whole?: string): boolean {
  const [start] = /^\.new-[0-9a-f]{32}-/.exec(name) ?? [];
  if (start === undefined || start === unfinishedName("")) return false;
  return whole === undefined || name === start + whole;
}
