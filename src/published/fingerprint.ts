import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../files/errors.js";
import { type FileState, fileState } from "../files/state.js";
import { DOCUMENTS, findFiles } from "./locating/files.js";

/**
 * A digest of the names and states (size, times, inode) of all files that a build of this published directory reads.
 * It reads no file. It changes whenever one of them changes, appears or goes, or if the folder itself does.
 * @param folder the folder, or a link to it; it need not exist
 */
export async function fingerprint(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const take = (name: string, facts: unknown) => hash.update(JSON.stringify([name, facts]));
  try {
    const root = realpathSync(folder);
    for (const name of DOCUMENTS) take(name, stateBehindLinks(join(root, name)));
    for (const kind of ["listings", "scans"] as const) {
      const { files, problems, warnings } = await findFiles(root, kind);
      take(kind, [problems, warnings]);
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
