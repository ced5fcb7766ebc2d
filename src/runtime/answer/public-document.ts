import type { TaxonomyEntry } from "../../contract/listing.js";
import { ROUTES } from "../../contract/routes.js";
import type { Standards } from "../../contract/standards.js";
import type { SnapshotView } from "./content.js";

type Documents = Pick<SnapshotView, "readDocument">;

/** Returns the data of a public document. @throws as a rejection, if it is missing or damaged */
async function publicDocument<T>(path: string, snapshot: Documents): Promise<T> {
  const bytes = await snapshot.readDocument(path);
  const { data }: { readonly data: T } = JSON.parse(new TextDecoder().decode(bytes));
  return data;
}

/**
 * Returns a reader of a document's data, which its callers must not change. It reads each snapshot's document once,
 * because every page of the explorer needs it.
 */
function readOnce<T>(path: string): (snapshot: Documents) => Promise<T> {
  const known = new WeakMap<Documents, Promise<T>>();
  return (snapshot) => {
    const data = known.get(snapshot) ?? publicDocument<T>(path, snapshot);
    known.set(snapshot, data);
    data.catch(() => known.delete(snapshot));
    return data;
  };
}

/** Both reject if the document is missing or damaged when it is first read. */
export const standardsOf = readOnce<Standards>(ROUTES.standards.document);
export const tagsOf = readOnce<TaxonomyEntry[]>(ROUTES.tags.document);
