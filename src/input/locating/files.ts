import { createHash } from "node:crypto";
import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { byCodeUnit } from "../../contract/order.js";
import { installedExtras } from "../../extra.js";
import { hasCode, messageOf } from "../../files/errors.js";
import { isWithin, VOLUME_FOLDERS } from "../../files/paths.js";
import {
  type FileState,
  fileState,
  fileStateOf,
  fillSync,
  IrregularFileError,
  openRegularSync,
} from "../../files/regular.js";
import type { ProblemCode } from "../checking/codes.js";
import { didYouMean, Findings, type Problem } from "../checking/problem.js";

/** A file of records. */
export interface SourceFile {
  /** Path inside the published folder, with `/`. Messages use it as the file's name. */
  readonly name: string;
  /** Its real path, free of links. */
  readonly path: string;
}

/** The single documents of a published directory. */
export const DOCUMENTS = ["directory.json", "standards.json", "taxonomy.json"] as const;
/** The kinds of records, named after their folders. */
export const RECORD_KINDS = ["listings", "scans"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];
/** All parts of a published directory. */
export const PARTS: readonly string[] = [...DOCUMENTS, ...RECORD_KINDS];

/** An empty file that keeps an empty folder in a Git repository. It gets no warning: nobody expects it to be read. */
const PLACEHOLDER = ".gitkeep";

/**
 * A text for people, as `crawldex init` writes it beside the five parts. It is not read either, and gets no warning.
 */
const FOR_PEOPLE = "README.md";

/**
 * Finds the record files in a folder of the published directory and in the folders below it. Follows a link if
 * its target is inside the published directory, unless the target is a folder that contains the link. Each real
 * file counts once; its own name takes precedence over the name of a link to it. Every entry that is not read
 * gets a warning, except for empty or closed folders that file systems make.
 * @param root the published directory's real path
 * @param findings receives what is wrong with files and folders
 * @returns the files, sorted by name
 * @throws PublishedFolderError if a folder cannot be listed
 */
export async function findFiles(
  root: string,
  folder: RecordKind,
  findings: Findings,
): Promise<readonly SourceFile[]> {
  const search = new FolderSearch(root, findings);
  const top = join(root, folder);
  const stats = lstatSync(top, { throwIfNoEntry: false });
  if (stats === undefined) {
    search.reportPart(
      folder,
      `is missing, expected a folder of ${folder}; if there are none, make an empty folder`,
    );
  } else if (stats.isDirectory()) {
    await search.walk(folder, top);
  } else if (stats.isSymbolicLink()) {
    search.links.push({ name: folder, path: top });
  } else {
    search.reportPart(folder, "is not a folder");
  }
  for (;;) {
    const links = search.links.splice(0).sort((a, b) => byCodeUnit(a.name, b.name));
    if (links.length === 0) return search.found();
    for (const link of links) await search.follow(link);
  }
}

/**
 * Warns of every entry beside the five parts of a published directory, except entries that links lead to or into, and
 * empty or closed folders that file systems make.
 * @param read the record files that are read
 */
export function unknownNames(root: string, read: readonly SourceFile[]): Problem[] {
  const parts = PARTS.flatMap((name) => existingRealPath(join(root, name)) ?? []);
  const used = withParents([...parts, ...read.map(({ path }) => path)]);
  const expected = [
    ...PARTS,
    FOR_PEOPLE,
    ...installedExtras().flatMap(({ inputFiles = [] }) => inputFiles),
  ];
  return folderEntries(root, "")
    .filter(({ name }) => !expected.includes(name))
    .filter(({ name }) => !used.has(join(root, name)))
    .filter((entry) => !isVolumeFolder(entry) || hasEntries(join(root, entry.name)))
    .map(({ name }) => {
      const message = `is not read, expected only ${PARTS.join(", ")}${didYouMean(name, PARTS)}`;
      return wholeFile(name, { code: "file-unread", message });
    });
}

class FolderSearch {
  readonly root: string;
  /** Links found but not yet followed. */
  readonly links: SourceFile[] = [];
  readonly #files = new Map<string, SourceFile>();
  readonly #folders = new Set<string>();
  readonly #findings: Findings;
  /** Entries that are not read under the name they have here. A link elsewhere may still lead to them. */
  readonly #unread: (SourceFile & { readonly message: string })[] = [];

  constructor(root: string, findings: Findings) {
    this.root = root;
    this.#findings = findings;
  }

  found(): SourceFile[] {
    const read = withParents(this.#files.keys());
    const unread = this.#unread.filter(({ path }) => !read.has(existingRealPath(path) ?? path));
    this.#findings.warn(
      unread.map(({ name, message }) => wholeFile(name, { code: "file-unread", message })),
    );
    return [...this.#files.values()].sort((a, b) => byCodeUnit(a.name, b.name));
  }

  reportPart(name: string, message: string): void {
    this.#findings.problems.add([wholeFile(name, { code: "part-missing", message })]);
  }

  /** Adds a real folder and everything below it. Collects links, which are followed later. */
  async walk(name: string, folder: string): Promise<void> {
    const folders = [{ name, path: folder }];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      if (this.#folders.has(next.path)) continue;
      this.#folders.add(next.path);
      // Listing a folder is synchronous, so this lets signals through between folders.
      await setImmediate();
      for (const dirent of folderEntries(next.path, next.name)) {
        const entry = { name: `${next.name}/${dirent.name}`, path: join(next.path, dirent.name) };
        if (dirent.name.startsWith(".")) this.#leaveHidden(entry, dirent);
        else if (isVolumeFolder(dirent)) this.#leaveVolumeFolder(entry);
        else if (dirent.isDirectory()) folders.push(entry);
        else if (dirent.isSymbolicLink()) this.links.push(entry);
        else this.#take(entry, dirent);
      }
    }
  }

  async follow({ name, path }: SourceFile): Promise<void> {
    let target: string;
    let stats: Stats;
    try {
      target = realpathSync(path);
      stats = statSync(target);
    } catch (error) {
      this.#warn(name, `is a link whose target ${fileError(error).message}`);
      return;
    }
    const from = dirname(path);
    if (!isWithin(this.root, target)) {
      this.#warn(name, "is a link that leads out of the published folder; it is not followed");
    } else if (isWithin(target, from)) {
      this.#warn(name, "is a link to a folder that contains it; it is not followed");
    } else if (stats.isDirectory()) {
      await this.walk(name, target);
    } else {
      this.#take({ name, path: target }, stats);
    }
  }

  #take(file: SourceFile, type: Pick<Dirent, "isFile">): void {
    if (PARTS.includes(file.name)) {
      this.reportPart(file.name, "is not a folder");
    } else if (!isRecordFile(file.name)) {
      const message = "is not read, expected a name that ends in .json, .ndjson or .jsonl";
      this.#unread.push({ ...file, message });
    } else if (!type.isFile()) {
      const said = { code: "file-unreadable", message: "is not a regular file" } as const;
      this.#findings.problems.add([wholeFile(file.name, said)]);
    } else if (!this.#files.has(file.path)) {
      this.#files.set(file.path, file);
    }
  }

  #leaveHidden(entry: SourceFile, dirent: Dirent): void {
    if (dirent.name === PLACEHOLDER) return;
    const below = dirent.isDirectory() ? ", nor is anything in it" : "";
    const message = `is not read${below}: its name begins with a dot`;
    this.#unread.push({ ...entry, message });
  }

  #leaveVolumeFolder(entry: SourceFile): void {
    if (!hasEntries(entry.path)) return;
    const message = "is not read, nor is anything in it: file systems keep folders of this name";
    this.#unread.push({ ...entry, message });
  }

  #warn(name: string, message: string): void {
    // If one of the two folders only got a warning, the directory would look empty instead of broken.
    if (PARTS.includes(name)) this.reportPart(name, message);
    else this.#findings.warn([wholeFile(name, { code: "link-unfollowed", message })]);
  }
}

/** Whether anything is at this path, even a link that leads nowhere. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A problem of a whole file, shown at the file's beginning. */
export function wholeFile(
  file: string,
  { code, message }: Pick<Problem, "code" | "message">,
): Problem {
  return { code, file, line: 1, column: 1, path: "$", message };
}

/** The paths and all folders that contain them. */
function withParents(paths: Iterable<string>): Set<string> {
  const all = new Set<string>();
  for (const path of paths) {
    for (let at = path; !all.has(at); at = dirname(at)) all.add(at);
  }
  return all;
}

/** The real path; null if nothing is there. */
function existingRealPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Whether an entry is a folder that file systems make for themselves. */
function isVolumeFolder(entry: Dirent): boolean {
  return entry.isDirectory() && VOLUME_FOLDERS.includes(entry.name);
}

/** Whether a folder has anything in it that this user may see. */
function hasEntries(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    if (hasCode(error, ["EACCES", "EPERM"])) return false;
    throw new PublishedFolderError(`the published folder ${fileError(error).message}`);
  }
}

/** @param name the folder's name in messages; empty for the published folder itself */
function folderEntries(folder: string, name: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const which = name === "" ? "" : `'s ${name}`;
    throw new PublishedFolderError(`the published folder${which} ${fileError(error).message}`);
  }
}

/**
 * A digest of the names and states (size, times, inode) of all files that a build of this published directory reads.
 * It reads no file. It changes whenever one of them changes, appears or disappears, or the folder itself does.
 * @param folder the folder, or a link to it; it need not exist
 */
export async function fingerprint(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const take = (name: string, facts: unknown) => hash.update(JSON.stringify([name, facts]));
  try {
    const root = realpathSync(folder);
    for (const name of DOCUMENTS) take(name, stateBehindLinks(join(root, name)));
    for (const kind of RECORD_KINDS) {
      const findings = new Findings();
      const files = await findFiles(root, kind, findings);
      take(kind, [findings.problems.sorted, findings.warnings.sorted]);
      for (const { name, path } of files) take(name, fileState(path));
    }
  } catch (error) {
    take("the folder cannot be read", messageOf(error));
  }
  return hash.digest("hex");
}

function stateBehindLinks(path: string): FileState | null {
  try {
    return fileState(realpathSync(path));
  } catch {
    return null;
  }
}

/** The published folder does not exist, is not a folder, or cannot be listed. */
export class PublishedFolderError extends Error {
  override readonly name = "PublishedFolderError";
}

/** A file cannot be read. The message continues a sentence that begins with the file's name. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly code: ProblemCode;

  constructor(message: string, code: ProblemCode = "file-unreadable", options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  ELOOP: "is a link, or a loop of links",
  EACCES: "cannot be read, permission denied",
  EPERM: "cannot be read, permission denied",
  EMFILE: "cannot be opened, too many files are open",
  ENFILE: "cannot be opened, too many files are open",
  ENXIO: "is not a regular file",
};

/** Puts a file system's error into words. @throws any other error unchanged */
export function fileError(error: unknown): FileError {
  if (error instanceof FileError) return error;
  if (error instanceof IrregularFileError) return new FileError("is not a regular file");
  if (!(error instanceof Error) || !("code" in error)) throw error;
  const code = String(error.code);
  const message = `${FILE_ERRORS[code] ?? "cannot be read"} (${code})`;
  return new FileError(message, undefined, { cause: error });
}

/** An open regular file. */
export interface OpenFile {
  readonly fd: number;
  /** In bytes. */
  readonly size: number;
  /** The file's state when it was opened. */
  readonly state: FileState;
}

/**
 * Opens a regular file by its real path. The caller closes it.
 * @throws FileError if it is not a regular file, or cannot be opened
 */
export function openInputFile(path: string): OpenFile {
  try {
    const { descriptor, size, stats } = openRegularSync(path, { followsLinks: false });
    return { fd: descriptor, size, state: fileStateOf(stats) };
  } catch (error) {
    throw fileError(error);
  }
}

/** Reads as `fillSync` does. @throws FileError */
export function readBytes(fd: number, into: Uint8Array, position: number | null): number {
  try {
    return fillSync(fd, into, position);
  } catch (error) {
    throw fileError(error);
  }
}

/** Names of files that hold records (docs/publishing.md#rules-for-all-files), in any case. */
const RECORD_FILE = /\.(?:json|ndjson|jsonl)$/i;

function isRecordFile(name: string): boolean {
  return RECORD_FILE.test(name);
}

/** Whether a record file holds a single record. Other record files hold one record per line. */
export function isOneRecord(name: string): boolean {
  return /\.json$/i.test(name);
}

/** Kinds of records in a published directory. */
export const PUBLISHED_RECORDS = ["directory", "standards", "taxonomy", "listing", "scan"] as const;
/** A kind of record in a published directory. */
export type PublishedRecord = (typeof PUBLISHED_RECORDS)[number];
