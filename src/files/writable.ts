import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, hasCode } from "./errors.js";

/**
 * The code of the error that a write into a folder would meet now, such as EROFS; null if none. If the folder is missing, that
 * of the folder above, in which it would be made.
 * @param folder an absolute path
 */
export async function writeRefusal(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const above = dirname(folder);
    if (hasCode(error, ["ENOENT"]) && above !== folder) return writeRefusal(above);
    return codeOf(error) ?? "unknown";
  }
}
