import type { TaxonomyEntry } from "../../contract/listing.js";
import { ROUTES } from "../../contract/routes.js";
import type { Standards } from "../../contract/standards.js";
import type { Adoption } from "../../pages/standards/adoption.js";
import type { SnapshotView } from "./content.js";

type Documents = Pick<SnapshotView, "readDocument">;

/** Returns the data of a public document. @throws as a rejection, if it is missing or damaged */
export async function publicDocument<T>(path: string, snapshot: Documents): Promise<T> {
  const bytes = await snapshot.readDocument(path);
  const { data }: { readonly data: T } = JSON.parse(new TextDecoder().decode(bytes));
  return data;
}

/** @throws as a rejection, if the document is missing or damaged */
export function standardsOf(snapshot: Documents): Promise<Standards> {
  return publicDocument(ROUTES.standards.document, snapshot);
}

/** What the methodology page shows of the figures; null if there are none. @throws as `standardsOf` */
export async function adoptionOf(
  snapshot: Documents & Pick<SnapshotView, "figures">,
): Promise<Adoption | null> {
  const counted = await snapshot.figures;
  if (counted === null) return null;
  const path = ROUTES.categories.document;
  return { figures: counted, categories: await publicDocument<TaxonomyEntry[]>(path, snapshot) };
}
