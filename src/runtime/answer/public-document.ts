import type { TaxonomyEntry } from "../../contract/listing.js";
import { ROUTES } from "../../contract/routes.js";
import type { Standards } from "../../contract/standards.js";
import type { Adoption } from "../../pages/standards/adoption.js";
import type { SnapshotView } from "./content.js";

type Documents = Pick<SnapshotView, "readDocument">;

/**
 * Returns a reader of a public document's data, which its callers must not change. It reads each snapshot's document
 * once, because every page of the explorer needs it.
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

async function publicDocument<T>(path: string, snapshot: Documents): Promise<T> {
  const bytes = await snapshot.readDocument(path);
  const { data }: { readonly data: T } = JSON.parse(new TextDecoder().decode(bytes));
  return data;
}

/** Each rejects if the document is missing or damaged when it is first read. */
export const standardsOf = readOnce<Standards>(ROUTES.standards.document);
export const tagsOf = readOnce<TaxonomyEntry[]>(ROUTES.tags.document);
const categoriesOf = readOnce<TaxonomyEntry[]>(ROUTES.categories.document);

/** What the methodology page shows of the figures. @throws as `standardsOf` */
export async function adoptionOf(
  snapshot: Documents & Pick<SnapshotView, "figures">,
): Promise<Adoption> {
  return { figures: await snapshot.figures, categories: await categoriesOf(snapshot) };
}
