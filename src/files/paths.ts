import { createRequire } from "node:module";
import { dirname, sep } from "node:path";

/** Whether a real path is the folder or is below it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * Folders that file systems make in the root of a volume: for what a check of the disk recovers, and for what Windows
 * indexes and deletes. Usually only the administrator may read them. Others, such as `.Trashes`, begin with a dot.
 */
export const VOLUME_FOLDERS: readonly string[] = [
  "lost+found",
  "System Volume Information",
  "$RECYCLE.BIN",
];

/** This package's `package.json`. Resolved by the package's name, so it does not matter how deep this file is. */
export const PACKAGE_FILE = createRequire(import.meta.url).resolve("crawldex/package.json");

/** The package's folder. */
export const PACKAGE_FOLDER = dirname(PACKAGE_FILE);
