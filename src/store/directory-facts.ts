import { type CheckLists, checkLists } from "../contract/figures.js";
import { ROUTES } from "../contract/routes.js";
import type { Standards } from "../contract/standards.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import type { Manifest } from "./format.js";
import type { StoredSnapshot } from "./reader.js";
import { storedJson } from "./stored-json.js";

/** The facts about the directory that appear on its pages. */
type DirectoryFacts = Manifest["directory"] & CheckLists & Pick<Standards, "rubric">;

/**
 * The facts about the directory that a snapshot's pages show: its name and addresses, its rubric, and
 * the ids of the checks and achievements in its methodology.
 * @throws BadSnapshotError
 */
export async function directoryOf(snapshot: StoredSnapshot): Promise<DirectoryFacts> {
  const standards = await readStandards(snapshot);
  return {
    ...snapshot.manifest.directory,
    rubric: standards.rubric,
    ...checkLists(standards),
  };
}

/** @throws BadSnapshotError */
export async function readStandards(snapshot: StoredSnapshot): Promise<Standards> {
  const bytes = await readDocumentOf(snapshot, ROUTES.standards.document);
  return storedJson<{ data: Standards }>(bytes).data;
}

/** Reads a public document by its path. @throws BadSnapshotError */
export async function readDocumentOf(snapshot: StoredSnapshot, path: string): Promise<Buffer> {
  const file = snapshot.manifest.public.find((one) => one.file === path);
  if (file === undefined)
    throw new BadSnapshotError(`${snapshot.id} does not list the document ${path}`);
  return snapshot.readDocument(file);
}
