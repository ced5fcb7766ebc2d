import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import glob from "fast-glob";
import { byCodeUnit } from "../contract/order.js";
import type { Problem } from "./problem.js";
import { fileError, PublishedFolderError } from "./regular-file.js";

/** A file of records. */
export interface SourceFile {
  /** Path inside the published folder, with `/`: the name that messages use. */
  readonly name: string;
  /** Where it really lies, free of links. */
  readonly path: string;
}

/** The files of one kind of record, in the order of their names. */
export interface FoundFiles {
  readonly files: readonly SourceFile[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

const RECORD_FILE = /\.(?:json|ndjson)$/;

/**
 * Finds the record files below a folder of the published one, in any folders; names that begin with a
 * dot are left out (published format). A link is followed where its real place is inside the published
 * folder, unless it leads back to a folder that it stands in; every real file counts once, by its own
 * name before a link's. So links end nowhere outside, and no loop of them is endless.
 * @param root the published folder's real path
 * @throws PublishedFolderError where a folder cannot be listed
 */
export async function findFiles(root: string, folder: string): Promise<FoundFiles> {
  const search = new Search(root);
  const top = join(root, folder);
  const stats = lstatSync(top, { throwIfNoEntry: false });
  if (stats === undefined) return search.found;
  if (stats.isDirectory()) await search.walk(folder, top);
  else if (stats.isSymbolicLink()) search.links.push({ name: folder, path: top });
  else search.report(folder, "is not a folder");
  for (;;) {
    const links = search.links.splice(0).sort((a, b) => byCodeUnit(a.name, b.name));
    if (links.length === 0) return search.found;
    for (const link of links) await search.follow(link);
  }
}

class Search {
  readonly root: string;
  /** Links that were met and not yet followed. */
  readonly links: SourceFile[] = [];
  readonly #files = new Map<string, SourceFile>();
  readonly #folders = new Set<string>();
  readonly #problems: Problem[] = [];
  readonly #warnings: Problem[] = [];

  constructor(root: string) {
    this.root = root;
  }

  get found(): FoundFiles {
    const files = [...this.#files.values()].sort((a, b) => byCodeUnit(a.name, b.name));
    return { files, problems: this.#problems, warnings: this.#warnings };
  }

  report(name: string, message: string): void {
    this.#problems.push(wholeFile(name, message));
  }

  /** Takes in a real folder with all below it, links aside. */
  async walk(name: string, folder: string): Promise<void> {
    if (this.#folders.has(folder)) return;
    this.#folders.add(folder);
    for (const { path, dirent } of await entriesOf(name, folder)) {
      const entry = { name: `${name}/${path}`, path: join(folder, path) };
      if (dirent.isDirectory()) this.#folders.add(entry.path);
      else if (dirent.isSymbolicLink()) this.links.push(entry);
      else if (RECORD_FILE.test(path)) this.#take(entry, dirent);
    }
  }

  async follow({ name, path }: SourceFile): Promise<void> {
    let target: string;
    try {
      target = realpathSync(path);
    } catch (error) {
      this.#warn(name, `is a link that leads nowhere: ${fileError(error).message}`);
      return;
    }
    const from = dirname(path);
    if (!isWithin(this.root, target)) {
      this.#warn(name, "is a link out of the published folder, it is not followed");
    } else if (isWithin(target, from)) {
      this.#warn(name, "is a link to a folder that it stands in, it is not followed");
    } else {
      const stats = statSync(target);
      if (stats.isDirectory()) await this.walk(name, target);
      else if (RECORD_FILE.test(name)) this.#take({ name, path: target }, stats);
    }
  }

  #take(file: SourceFile, stats: { isFile(): boolean }): void {
    if (!stats.isFile()) this.report(file.name, "is not a regular file");
    else if (!this.#files.has(file.path)) this.#files.set(file.path, file);
  }

  #warn(name: string, message: string): void {
    this.#warnings.push(wholeFile(name, message));
  }
}

/** Whether a real path is a folder's own or one below it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** A problem of a file as a whole, which has no better place than its begin. */
export function wholeFile(file: string, message: string): Problem {
  return { file, line: 1, column: 1, path: "$", message };
}

async function entriesOf(name: string, folder: string): Promise<glob.Entry[]> {
  try {
    return await glob("**/*", {
      cwd: folder,
      followSymbolicLinks: false,
      onlyFiles: false,
      objectMode: true,
    });
  } catch (error) {
    throw new PublishedFolderError(`the published folder's ${name} ${fileError(error).message}`);
  }
}
