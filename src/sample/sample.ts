import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { makeFolders, writeError } from "../files/disk.js";
import { hasCode } from "../files/errors.js";
import { PACKAGE_FOLDER } from "../files/paths.js";
import { checkedOptions, FOLDER, requireArgument } from "../lib/options.js";
import { SAMPLE_OPTIONS, type SampleOptions } from "./options.js";

/** The result of `writeSample`. */
export interface SampleSize {
  /** The number of listings written. */
  readonly listings: number;
  /** The number of scans written. */
  readonly scans: number;
}

/** Thrown before anything is written if the target folder is a file or not empty. */
export class SampleRefusedError extends Error {
  override readonly name = "SampleRefusedError";
}

/** The minimal published directory. */
const MINIMAL = join(PACKAGE_FOLDER, "sample/minimal");
/**
 * The sample. Its first line has the three documents, each other line a listing and its scans, all as pairs of path and
 * record. Compressed, it takes a fiftieth of its 13 MB. `npm run sample -- <folder> --pack` packs it.
 */
const SAMPLE = join(PACKAGE_FOLDER, "sample/sample.ndjson.br");

/**
 * Writes a realistic published directory, always with the same bytes. A smaller sample has the
 * first listings of a larger one.
 *
 * @param folder an empty or missing folder; an interrupted run leaves it incomplete
 * @throws SampleRefusedError if the folder is a file or not empty; StoreWriteError if the disk refuses to write;
 * TypeError for a wrong argument
 */
export async function writeSample(
  folder: string,
  options: SampleOptions = {},
): Promise<SampleSize> {
  requireArgument("writeSample", "folder", folder, FOLDER);
  const { listings } = checkedOptions("writeSample", options, SAMPLE_OPTIONS);
  const lines = brotliDecompressSync(await readFile(SAMPLE)).toString();
  const files = new Map<string, string>();
  let scans = 0;
  for (const line of lines.split("\n", 1 + listings)) {
    const records: readonly (readonly [path: string, record: object])[] = JSON.parse(line);
    for (const [path, record] of records) {
      const text = JSON.stringify(record, null, path.endsWith(".json") ? 2 : 0);
      files.set(path, `${files.get(path) ?? ""}${text}\n`);
      if (path.startsWith("scans/")) scans += 1;
    }
  }
  await writeFiles(folder, files, "the sample");
  return { listings, scans };
}

/**
 * Writes a minimal published directory to start from: two listings with a scan each, and a
 * README.md that explains every file and field.
 *
 * @param folder an empty or missing folder
 * @returns the paths of the files inside the folder, sorted
 * @throws SampleRefusedError if the folder is a file or not empty; StoreWriteError if the disk refuses to write;
 * TypeError for a wrong argument
 */
export async function initPublished(folder: string): Promise<string[]> {
  requireArgument("initPublished", "folder", folder, FOLDER);
  const entries = await readdir(MINIMAL, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(MINIMAL, join(entry.parentPath, entry.name)))
    .sort();
  const files = new Map<string, string>();
  for (const path of paths) files.set(path, await readFile(join(MINIMAL, path), "utf8"));
  await writeFiles(folder, files, "the published directory");
  return paths;
}

/**
 * The documents of a published directory without a listing, by their names: those of the minimal one, with no
 * description, no checks and an empty taxonomy, since nothing is known of the publisher's.
 */
export async function emptyDocuments(): Promise<Readonly<Record<string, object>>> {
  const template = async (name: string): Promise<object> =>
    JSON.parse(await readFile(join(MINIMAL, name), "utf8"));
  return {
    "directory.json": { ...(await template("directory.json")), description: null },
    "standards.json": { ...(await template("standards.json")), ...NO_CHECKS },
    "taxonomy.json": { categories: [], tags: [], platforms: [] },
  };
}

/** Lists of standards.json that would state something about the publisher's methodology. */
const NO_CHECKS = { badgeExamples: [], checks: [], aiCrawlers: [], crawlerCatalogue: [] };

/** @param content names the files, for the message */
async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  content: string,
): Promise<void> {
  try {
    makeFolders(folder);
  } catch (error) {
    if (hasCode(error, ["EEXIST"]))
      throw new SampleRefusedError(`${folder} is a file, not a folder`);
    throw writeError(folder, error);
  }
  if ((await readdir(folder)).length > 0) {
    throw new SampleRefusedError(
      `${folder} is not empty; choose a new or empty folder for ${content}`,
    );
  }
  for (const [path, text] of files) {
    const file = join(folder, path);
    try {
      makeFolders(dirname(file));
      await writeFile(file, text);
    } catch (error) {
      throw writeError(file, error);
    }
  }
}
