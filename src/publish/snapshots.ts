import { NoSnapshotError } from "../store/bad-snapshot.js";
import { GENERATION, ID_PREFIX_MIN } from "../store/names.js";
import { publicationsUpTo } from "../store/publications.js";
import { currentId, readStoredManifest, snapshotIds } from "../store/reader.js";
import { readNotes } from "./notes.js";

/**
 * The id of the current snapshot. @throws NoSnapshotError if nothing was published yet; BadSnapshotError
 * if `current.json` is damaged
 */
export async function requireCurrent(store: string): Promise<string> {
  const id = await currentId(store);
  if (id === null) throw nothingPublished(store);
  return id;
}

/** The error of a store without a snapshot. It names the remedy. */
export function nothingPublished(store: string): NoSnapshotError {
  return new NoSnapshotError(
    `nothing has been published to ${store} yet; publish with crawldex build, or name another store`,
  );
}

/**
 * The ids of all snapshots in a store in the order of their publication, newest last. Snapshots that the
 * builder's notes do not list come first.
 */
export async function oldestFirst(
  store: string,
  publications: readonly string[],
): Promise<string[]> {
  const found = await snapshotIds(store);
  const known = publications.filter((id) => found.includes(id));
  return [...found.filter((id) => !known.includes(id)), ...known];
}

/**
 * The ids of the snapshots in a store that were published, newest first. One that a build was about to publish when it
 * was killed is not among them. @throws BadSnapshotError if the store cannot be read
 */
export async function newestFirst(store: string): Promise<string[]> {
  const { publications, pending = [] } = await readNotes(store);
  const found = await oldestFirst(store, publications);
  return found.filter((id) => publications.includes(id) || !pending.includes(id)).reverse();
}

/** The number of a snapshot's publication; null if its manifest is lost or damaged. */
async function generationOf(store: string, id: string): Promise<number | null> {
  const manifest = await readStoredManifest(store, id).catch(() => null);
  return manifest && publicationsUpTo(manifest).generation;
}

/**
 * Finds the one snapshot of a store that a text names: by its generation, its id or the beginning of its id.
 * @throws NoSnapshotError if none or several match, or if `text` is too short. The message lists the ids
 * that exist.
 */
export async function findSnapshot(store: string, text: string): Promise<string> {
  const ids = await newestFirst(store);
  const isId = text.length >= ID_PREFIX_MIN;
  const isGeneration = GENERATION.test(text);
  const fitting: string[] = [];
  for (const id of ids) {
    const isNumbered = isGeneration && (await generationOf(store, id)) === Number(text);
    if (isNumbered || (isId && id.startsWith(text))) fitting.push(id);
  }
  const [id] = fitting;
  if (id !== undefined && fitting.length === 1) return id;
  const current = await currentId(store).catch(() => null);
  const names = (fitting.length > 1 ? fitting : ids).map(
    (one) => `${one}${one === current ? " (current)" : ""}`,
  );
  const begins = `begins with ${JSON.stringify(text)}`;
  const fits = isGeneration ? `has the generation ${text}${isId ? `, or ${begins}` : ""}` : begins;
  const what =
    isId || isGeneration
      ? `${fitting.length > 1 ? "more than one" : "no"} snapshot in ${store} ${fits}`
      : `an id needs at least ${ID_PREFIX_MIN} characters, ${JSON.stringify(text)} has fewer`;
  const list = names.length > 0 ? `the ids are ${names.join(", ")}` : "there are no snapshots";
  throw new NoSnapshotError(`${what}; ${list}`);
}
