import type { VerifyFacts } from "../../publish/additions.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { publicationsUpTo } from "../../store/publications.js";
import type { StoredSnapshot } from "../../store/reader.js";
import { type ChangesFile, changesOf, readChanges } from "./addition.js";
import { StoredChange } from "./stored-change.js";
import { type LoggedChange, servedChange } from "./stored-changes.js";

/** Checks the files with changes: their shapes and order, and that sites outside search occur only as removed. */
export async function verifyChanges(
  snapshot: StoredSnapshot,
  { isInSearch, report }: VerifyFacts,
): Promise<void> {
  const { id, manifest } = snapshot;
  const reported = async <T>(name: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof BadSnapshotError)) throw error;
      report(name, error.message);
      return undefined;
    }
  };
  const history = publicationsUpTo(manifest);
  const known = await reported(`${id}/manifest.json`, async () =>
    changesOf({ id, history, addition: (extra) => snapshot.addition(extra) }),
  );
  const isMisplaced = misplacedChange(isInSearch);
  for (const file of known?.changes ?? []) {
    const read = (): Promise<readonly LoggedChange[]> => readChanges(snapshot, file);
    const changes = await reported(file.file, read);
    if (changes?.some(isMisplaced)) report(file.file, unlikeSnapshot(file));
  }
}

function unlikeSnapshot({ file }: ChangesFile): string {
  return `${file} has changes that do not match its snapshot`;
}

/** Whether a change is wrong, asked of all changes in their order. */
function misplacedChange(isInSearch: VerifyFacts["isInSearch"]): (logged: LoggedChange) => boolean {
  let before = "";
  return (logged) => {
    const { generation, host, change } = logged;
    if (!StoredChange.safeParse(servedChange(logged)).success) return true;
    // A change that names no site is the last one of its publication in its file, which may not be the last file.
    if (host === null) return change !== "removed";
    const key = `${String(generation).padStart(15, "0")} ${host}`;
    const isNext = before < key;
    before = key;
    return !isNext || (change !== "removed" && isInSearch?.(host) === false);
  };
}
