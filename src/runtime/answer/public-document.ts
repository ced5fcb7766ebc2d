import { ROUTES } from "../../contract/routes.js";
import type { Standards } from "../../contract/standards.js";
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
