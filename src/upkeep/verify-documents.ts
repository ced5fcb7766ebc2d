import { z } from "zod";
import { BODIES } from "../contract/bodies.js";
import { StoredChange } from "../contract/extension-bodies.js";
import { FIGURES_DOCUMENT, type Figures } from "../contract/figures.js";
import { ROUTE_NAMES, ROUTES, type Route } from "../contract/routes.js";
import { servedChange } from "../store/change-log.js";
import { readStandards } from "../store/directory-facts.js";
import { readChecked, type StoredSnapshot } from "../store/reader.js";
import { shapedJson } from "./expected-answers.js";
import type { CheckTools } from "./verify.js";

/** Checks the public documents of a snapshot, each against the contract. */
export async function checkDocuments(
  { id, store, manifest }: StoredSnapshot,
  tools: CheckTools,
): Promise<void> {
  const bodies = new Map<string, z.ZodType>();
  for (const name of ROUTE_NAMES) {
    const { document }: Route = ROUTES[name];
    if (document !== undefined) bodies.set(document, BODIES[name]);
  }
  for (const document of manifest.public) {
    const file = `${id}/public/${document.file}`;
    const bytes = await tools.read(file, () => readChecked(store, { ...document, file }));
    const shape = bodies.get(document.file) ?? z.unknown();
    if (bytes !== undefined && shapedJson(shape, bytes) === undefined) {
      tools.add({ file, problem: `${file} does not have the shape that the contract requires` });
    }
    bodies.delete(document.file);
  }
  const manifestFile = `${id}/manifest.json`;
  for (const path of bodies.keys()) {
    const problem = `${manifestFile} does not list the document ${path}`;
    tools.add({ file: manifestFile, problem });
  }
}

/**
 * Checks the files with changes: their shapes and order, and that sites outside search occur only as removed.
 * @param isInSearch null if it is unknown which sites are in search
 */
export async function checkHistory(
  snapshot: StoredSnapshot,
  isInSearch: ((host: string) => boolean) | null,
  tools: CheckTools,
): Promise<void> {
  let before = "";
  for (const file of snapshot.manifest.history?.changes ?? []) {
    const changes = await tools.read(file.file, () => snapshot.readChanges(file));
    if (changes === undefined) continue;
    const wrong = changes.find((logged) => {
      const { generation, host, change } = logged;
      if (!StoredChange.safeParse(servedChange(logged)).success) return true;
      // A change that names no site is the last one of its publication in its file, which may not be the last file.
      if (host === null) return change !== "removed";
      const key = `${String(generation).padStart(15, "0")} ${host}`;
      const isNext = before < key;
      before = key;
      return !isNext || (change !== "removed" && isInSearch?.(host) === false);
    });
    if (wrong !== undefined)
      tools.add({
        file: file.file,
        problem: `${file.file} has changes that do not match its snapshot`,
      });
  }
}

/** The version of a snapshot's methodology; null if it cannot be read, which `checkDocuments` reports. */
export function scoreVersionOf(snapshot: StoredSnapshot): Promise<string | null> {
  return readStandards(snapshot).then(
    ({ rubric }) => rubric.version,
    () => null,
  );
}

/** Compares the figures of a snapshot with those of its tables. @param expected the figures counted from the tables */
export async function checkFigures(
  snapshot: StoredSnapshot,
  expected: Figures,
  { add }: CheckTools,
): Promise<void> {
  const listed = snapshot.manifest.public.find(({ file }) => file === FIGURES_DOCUMENT);
  if (listed === undefined) return;
  // A file that cannot be read is reported already.
  const bytes = await snapshot.readDocument(listed).catch(() => null);
  if (bytes === null || bytes.toString("utf8") === JSON.stringify(expected)) return;
  const file = `${snapshot.id}/public/${FIGURES_DOCUMENT}`;
  add({ file, problem: `${file} does not match its tables` });
}
