import { ROUTES } from "../../contract/routes.js";
import type { Standards } from "../../contract/standards.js";
import type { SnapshotView } from "./content.js";

type Documents = Pick<SnapshotView, "readDocument">;

/** The data of the documents that pages were made from, by path. Every page of the explorer needs one of them. */
const known = new WeakMap<Documents, Map<string, Promise<unknown>>>();

/**
 * Returns the data of a public document, which the caller must not change.
 * @throws as a rejection, if it is missing or damaged when it is first read
 */
export function publicDocument<T>(path: string, snapshot: Documents): Promise<T> {
  const documents = known.get(snapshot) ?? new Map<string, Promise<unknown>>();
  known.set(snapshot, documents);
  const before = documents.get(path) as Promise<T> | undefined;
  if (before !== undefined) return before;
  const data = readData<T>(path, snapshot);
  documents.set(path, data);
  data.catch(() => documents.delete(path));
  return data;
}

async function readData<T>(path: string, snapshot: Documents): Promise<T> {
  const bytes = await snapshot.readDocument(path);
  const { data }: { readonly data: T } = JSON.parse(new TextDecoder().decode(bytes));
  return data;
}

/** @throws as a rejection, if the document is missing or damaged */
export function standardsOf(snapshot: Documents): Promise<Standards> {
  return publicDocument(ROUTES.standards.document, snapshot);
}
