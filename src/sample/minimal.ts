import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { PACKAGE_FOLDER } from "../files/package.js";
import { FOLDER, requireArgument } from "../options/options.js";
import { requireEmpty, SampleFiles } from "./sample.js";

/** The minimal published directory. It is part of the package as it is, so that people can read it there too. */
const MINIMAL = join(PACKAGE_FOLDER, "src/sample/data/minimal");

/**
 * Writes a minimal published directory (published format 1) to start from: two listings with a scan each, and a
 * README.md that explains every file and field.
 *
 * @param folder an empty or missing folder
 * @returns the paths of the files inside the folder, sorted
 * @throws SampleRefusedError if the folder is a file or not empty; TypeError for a wrong argument
 */
export async function initPublished(folder: string): Promise<string[]> {
  requireArgument("initPublished", "folder", folder, FOLDER);
  await requireEmpty(folder, "the published directory");
  const entries = await readdir(MINIMAL, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(MINIMAL, join(entry.parentPath, entry.name)))
    .sort();
  const files = new SampleFiles(folder);
  for (const path of paths) await files.append(path, await readFile(join(MINIMAL, path), "utf8"));
  await files.flush();
  return paths;
}
