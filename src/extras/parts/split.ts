import { appendFileSync, copyFileSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { itemAt } from "../../contract/tables.js";
import { attemptSync, disk, makeFolders } from "../../files/disk.js";
import { hasCode } from "../../files/errors.js";
import { isWithin } from "../../files/paths.js";
import { unfinishedName } from "../../files/random-name.js";
import type { Warnings } from "../../input/checking/problem.js";
import { openInput, throwIfBadInput } from "../../input/input.js";
import { DOCUMENTS, RECORD_KINDS, type RecordKind } from "../../input/locating/files.js";
import type { LocatedRecord } from "../../input/locating/locate.js";
import type { Selection } from "../../input/selection.js";
import { checkedOptions, FOLDER, PHASES, requireArgument } from "../../lib/options.js";
import { SPLIT, SPLIT_FILE, type SplitOptions } from "./options.js";
import { type InputFacts, InputSum, type SplitFile, shareNumberOf } from "./share.js";

/** The result of `splitPublished`. Its warnings are about files that are in no part, because they are not read. */
export interface SplitResult extends Warnings {
  /** The folder with the parts. */
  readonly out: string;
  /** The number of parts. */
  readonly parts: number;
  /** The number of listings of all parts. */
  readonly listings: number;
  /** The number of scans of all parts. */
  readonly scans: number;
}

/** The folder for the parts is not empty, or lies in the published directory. Nothing was written. */
export class SplitRefusedError extends Error {
  override readonly name = "SplitRefusedError";
}

/**
 * Cuts a published directory into parts by the hashes of its hosts, as `crawldex split` does. Each part, such as
 * `parts/3-of-16`, is a published directory with the same documents, for `build` with `part`. Records are copied byte
 * for byte, one at a time, and are not checked. The parts appear in the folder together, at the end.
 * @param published the published directory's folder
 * @throws SplitRefusedError if `out` is not empty or lies in the published directory; BadPublishedError if a document
 * is bad or a record names no host; PublishedFolderError if the directory does not exist; StoreWriteError; TypeError
 * for a wrong argument
 */
export async function splitPublished(
  published: string,
  options: SplitOptions = {},
): Promise<SplitResult> {
  requireArgument("splitPublished", "published", published, FOLDER);
  const { parts, out, signal, onProgress } = checkedOptions("splitPublished", options, SPLIT);
  if (isWithin(resolve(published), resolve(out)))
    throw new SplitRefusedError(`${out} lies in ${published}; choose a folder outside of it`);
  await requireEmpty(out);
  const unfinished = join(dirname(resolve(out)), unfinishedName(basename(resolve(out))));
  try {
    const writer = new PartsWriter(unfinished, parts);
    const opened = await openInput(published, {
      signal,
      select: () => writer,
      onRead: onProgress && ((kind, done, total) => onProgress(done, total, PHASES[kind])),
    });
    throwIfBadInput(opened, published, false);
    signal?.throwIfAborted();
    const { listings, scans } = writer.finish(published);
    await disk.rename(unfinished, out);
    return { out, parts, listings, scans, ...opened.findings.listed };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function requireEmpty(out: string): Promise<void> {
  const found = await readdir(out).catch((error: unknown) => {
    if (hasCode(error, ["ENOENT"])) return [];
    throw new SplitRefusedError(
      `${out} is not a folder; choose a new or empty folder for the parts`,
    );
  });
  if (found.length === 0) return;
  throw new SplitRefusedError(`${out} is not empty; choose a new or empty folder for the parts`);
}

const LF = Buffer.from("\n");
/** Bytes of a part that are written at a time. */
const WRITTEN_BYTES = 64 * 1024;

/** Writes the parts' folders. All methods throw StoreWriteError. */
class PartsWriter implements Selection {
  readonly #folder: string;
  readonly #whole = new InputSum();
  readonly #parts: { readonly sum: InputSum; pieces: Uint8Array[]; bytes: number }[];
  /** The file of the input whose records are being written. */
  #file = "";

  constructor(folder: string, count: number) {
    this.#folder = folder;
    this.#parts = Array.from({ length: count }, () => ({
      sum: new InputSum(),
      pieces: [],
      bytes: 0,
    }));
    for (const part of this.#parts.keys()) {
      for (const kind of RECORD_KINDS) makeFolder(this.#pathIn(part, kind));
    }
  }

  /** Nothing is read again. */
  takes(): boolean {
    return false;
  }

  /** Copies a record into its part, to a file of the same name. */
  pass(kind: RecordKind, ...[{ file, bytes }, hash, digest]: LocatedRecord): void {
    if (file !== this.#file) this.#flush();
    this.#file = file;
    const number = shareNumberOf(hash, this.#parts.length) - 1;
    const part = itemAt(this.#parts, number);
    this.#whole.add(kind, digest);
    part.sum.add(kind, digest);
    // Copies the bytes, which change with the next record.
    part.pieces.push(Buffer.concat([bytes, LF]));
    part.bytes += bytes.length;
    if (part.bytes > WRITTEN_BYTES) this.#append(number);
  }

  end(): null {
    return null;
  }

  /** Writes the documents of all parts. @returns the facts of the input */
  finish(published: string): InputFacts {
    this.#flush();
    const whole = this.#whole.facts();
    const count = this.#parts.length;
    for (const [part, { sum }] of this.#parts.entries()) {
      for (const name of DOCUMENTS) {
        const path = this.#pathIn(part, name);
        attemptSync(path, () => copyFileSync(join(published, name), path));
      }
      const split: SplitFile = { format: 1, number: part + 1, count, whole, here: sum.facts() };
      const path = this.#pathIn(part, SPLIT_FILE);
      attemptSync(path, () => writeFileSync(path, `${JSON.stringify(split)}\n`));
    }
    return whole;
  }

  /** Ends the files of all parts. */
  #flush(): void {
    for (const part of this.#parts.keys()) this.#append(part);
  }

  #append(number: number): void {
    const part = itemAt(this.#parts, number);
    if (part.pieces.length === 0) return;
    const path = this.#pathIn(number, this.#file);
    makeFolder(dirname(path));
    attemptSync(path, () => appendFileSync(path, Buffer.concat(part.pieces)));
    part.pieces = [];
    part.bytes = 0;
  }

  #pathIn(part: number, name: string): string {
    return join(this.#folder, `${part + 1}-of-${this.#parts.length}`, name);
  }
}

function makeFolder(path: string): void {
  attemptSync(path, () => makeFolders(path));
}
