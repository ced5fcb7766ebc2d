import { type Adder, type PublicationStart, writeAdded } from "../../publish/additions.js";
import type { StoredSnapshot } from "../../store/reader.js";
import { readInflated } from "../../store/reader.js";
import type { VerifyFacts } from "../../upkeep/verify.js";
import { ACCESS, storedAccess } from "./stored-access.js";

/**
 * Begins the index of a publication. It is written anew from the rows of the listings in search, of which no report is
 * read. So it has nothing of a listing that is gone, and it depends on the listings alone. It is not part of a
 * snapshot's `content`, as it repeats what reports have.
 */
export function beginAccess({ store }: PublicationStart): Adder {
  let bytesWritten = 0;
  return {
    end: async ({ gists }) => {
      const bytes = storedAccess(await gists());
      if (bytes === null) return { facts: {}, files: [] };
      const { file, written } = await writeAdded(store, ACCESS, bytes);
      bytesWritten = written;
      return { facts: {}, files: [{ ...file, facts: {} }] };
    },
    get bytesWritten() {
      return bytesWritten;
    },
  };
}

/** Checks that the index is that of the listings in search, by making it again. */
export async function verifyAccess(
  snapshot: StoredSnapshot,
  { isInSearch, report }: VerifyFacts,
): Promise<void> {
  const file = snapshot.addition(ACCESS)?.files[0];
  // Without all tables, it is unknown what the index should have.
  if (file === undefined || isInSearch === null) return;
  const expected = storedAccess(await snapshot.listings.gists(ACCESS));
  // A file whose bytes are not those of the manifest is reported already.
  const found = await readInflated(snapshot.store, file).catch(() => null);
  if (found !== null && (expected === null || Buffer.compare(found, expected) !== 0))
    report(file.file, `${file.file} does not match the listings of its snapshot`);
}
