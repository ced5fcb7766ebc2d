import { type Adder, type PublicationStart, writeAdded } from "../../publish/additions.js";
import { readInflated, type StoredSnapshot } from "../../store/reader.js";
import type { VerifyFacts } from "../../upkeep/verify.js";
import { COMPARE } from "./gist.js";
import { storedPartial } from "./partial.js";

/** Begins the list of checks that are passed in part. Each publication writes it from the rows of its listings. */
export function beginPartial({ store }: PublicationStart): Adder {
  let bytesWritten = 0;
  return {
    end: async ({ gists }) => {
      const bytes = storedPartial(await gists());
      if (bytes === null) return { facts: {}, files: [] };
      const { file, written } = await writeAdded(store, COMPARE, bytes);
      bytesWritten = written;
      return { facts: {}, files: [{ ...file, facts: {} }] };
    },
    get bytesWritten() {
      return bytesWritten;
    },
  };
}

/** Checks that the list is that of the listings in search, by making it again. */
export async function verifyPartial(
  snapshot: StoredSnapshot,
  { isInSearch, report }: VerifyFacts,
): Promise<void> {
  const file = snapshot.addition(COMPARE)?.files[0];
  // Without all tables, it is unknown what the list should have.
  if (file === undefined || isInSearch === null) return;
  const expected = storedPartial(await snapshot.listings.gists(COMPARE));
  // A file whose bytes are not those of the manifest is reported already.
  const found = await readInflated(snapshot.store, file).catch(() => null);
  if (found !== null && (expected === null || Buffer.compare(found, expected) !== 0))
    report(file.file, `${file.file} does not match the listings of its snapshot`);
}
