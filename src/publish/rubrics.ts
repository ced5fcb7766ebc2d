import type { Standards } from "../contract/standards.js";
import type { FormerRubric } from "../input/checking/schemas.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { currentId, StoredSnapshot } from "../store/reader.js";
import { type BuilderNotes, readNotes } from "./notes.js";

/*
 * The rubrics that a store has published. When the methodology changes, scans that it has not scored keep their bands.
 */

/** How many rubrics a store remembers. */
const RUBRICS_MAX = 100;

/**
 * The rubrics of a store's publications, the latest one last. The current snapshot's is among them even if the notes
 * are lost.
 * @param whole a store whose part this one is; its rubrics come first
 */
export async function seenRubrics(
  store: string,
  { rubrics }: BuilderNotes,
  whole?: string,
): Promise<readonly FormerRubric[]> {
  const first = whole === undefined ? [] : await seenRubrics(whole, await readNotes(whole));
  const known = new Set(first.map(({ version }) => version));
  const seen = [...first, ...rubrics.filter(({ version }) => !known.has(version))];
  const current = (await currentStandards(store))?.rubric ?? null;
  const isNew = current !== null && seen.every(({ version }) => version !== current.version);
  return isNew ? rubricsWith(seen, current) : seen;
}

/** The rubrics after the publication of another one, or of the same version with other bands. */
export function rubricsWith(
  seen: readonly FormerRubric[],
  { version, bands }: Standards["rubric"],
): FormerRubric[] {
  return [...seen.filter((one) => one.version !== version), { version, bands }].slice(-RUBRICS_MAX);
}

/** The methodology of the current snapshot; null if there is none, or if it is damaged. */
export async function currentStandards(store: string): Promise<Standards | null> {
  try {
    const id = await currentId(store);
    if (id === null) return null;
    const snapshot = await StoredSnapshot.openManifest(store, id);
    try {
      return await snapshot.readStandards();
    } finally {
      snapshot.close();
    }
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}
