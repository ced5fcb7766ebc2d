import { z } from "zod";
import { jsonIn } from "../files/json-text.js";
import { Current, GenerationNumber, SnapshotId } from "../store/format.js";
import { CURRENT_FORMAT } from "../store/names.js";
import { RemoteError } from "./errors.js";
import { type Origin, readWholeObject } from "./origin.js";
import { generationPath, HINT } from "./paths.js";

/** The format of generations. */
const GENERATION_FORMAT = 1;

/** `generations/<n>.json`: the commit of push number n. Exactly one push creates it, and it never changes. */
const Generation = z.strictObject({
  format: z.literal(GENERATION_FORMAT),
  generation: GenerationNumber,
  id: SnapshotId,
});

/** A snapshot that an origin offers. */
export interface Offer {
  readonly id: string;
  /** Null at an origin without generations, such as a copy of a local store. */
  readonly generation: number | null;
}

/**
 * How many of the newest generations always stay. A reader whose hint names a deleted generation looks ahead in steps
 * of this size, so it cannot miss all of those that stay. One generation has 80 bytes.
 */
export const GENERATIONS_KEPT = 100;
/** How many steps a reader looks ahead. The hint may be this many steps behind, after a push that lay still meanwhile. */
const STEPS_MAX = 8;
/** Bytes of a hint or a generation that are read. */
const SMALL_MAX = 4096;

export function generationText(generation: number, id: string): string {
  return `${JSON.stringify({ format: GENERATION_FORMAT, generation, id })}\n`;
}

export function hintText(generation: number, id: string): string {
  return `${JSON.stringify({ format: CURRENT_FORMAT, id, generation })}\n`;
}

/** The id that a generation commits; null if the generation does not exist. @throws RemoteError */
export async function readGeneration(
  origin: Origin,
  generation: number,
  signal?: AbortSignal,
): Promise<string | null> {
  const path = generationPath(generation);
  const value = await readJson(origin, path, signal);
  if (value === null) return null;
  const { data } = Generation.safeParse(value);
  if (data?.generation === generation) return data.id;
  throw new RemoteError(`${origin.name}/${path} is not a generation that this version reads`);
}

/** The content of `current.json`; null if it does not exist. @throws RemoteError */
export async function readHint(origin: Origin, signal?: AbortSignal): Promise<Offer | null> {
  const value = await readJson(origin, HINT, signal);
  if (value === null) return null;
  const { data } = Current.safeParse(value);
  if (data !== undefined) return { id: data.id, generation: data.generation ?? null };
  throw new RemoteError(`${origin.name}/${HINT} has no format that this version reads`);
}

/**
 * The newest snapshot of an origin. The hint may be behind: another push may have committed since it was written, or
 * may have written an older one late. So the search begins at the hint and goes up as long as there is a next
 * generation. It uses only GET, so it works on every server of files.
 * @param known the newest generation that the caller has seen, or 0. If the origin still has it, the search begins
 * there: a cache may still have an older hint
 * @throws RemoteError
 */
export async function newestOffer(
  origin: Origin,
  known: number,
  signal?: AbortSignal,
): Promise<Offer> {
  const hint = await readHint(origin, signal);
  if (hint === null) {
    // The first push may have ended between its commit and its hint.
    const id = await readGeneration(origin, 1, signal);
    if (id !== null) return climb(origin, 1, id, signal);
    throw new RemoteError(
      `nothing can be read at ${origin.name}: it has no ${HINT}, or this reader may not read it; publish with crawldex push, or check the address`,
    );
  }
  const { id, generation } = hint;
  if (generation === null) return hint;
  const knownId = known > generation ? await readGeneration(origin, known, signal) : null;
  return knownId === null
    ? climb(origin, generation, id, signal)
    : climb(origin, known, knownId, signal);
}

/** Goes up from a generation to the newest one. Generations are deleted in their order, the oldest first. */
async function climb(
  origin: Origin,
  generation: number,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Offer> {
  const at = (number: number) => readGeneration(origin, number, signal);
  const [found, after] = await Promise.all([at(generation), at(generation + 1)]);
  let newest = { id: found ?? id, generation };
  let next = after;
  if (found === null && after === null) {
    // Both were deleted, or this is a copy without the generations. Then the hint is right.
    const steps = Array.from({ length: STEPS_MAX }, (_, i) => (i + 1) * GENERATIONS_KEPT);
    const ids = await Promise.all(steps.map((step) => at(generation + step)));
    const last = ids.findLastIndex((one) => one !== null);
    const lastId = ids[last];
    if (typeof lastId !== "string") return newest;
    newest = { id: lastId, generation: generation + (last + 1) * GENERATIONS_KEPT };
    next = await at(newest.generation + 1);
  }
  while (next !== null) {
    newest = { id: next, generation: newest.generation + 1 };
    next = await at(newest.generation + 1);
  }
  return newest;
}

/** A file's JSON; undefined if it is no JSON; null if the file does not exist. */
async function readJson(origin: Origin, path: string, signal?: AbortSignal): Promise<unknown> {
  const bytes = await readWholeObject(origin, path, SMALL_MAX, { fresh: true, signal });
  const text = bytes?.toString("utf8") ?? null;
  // Some hosts answer 200 with a page for every address that they do not have.
  return text === null || text.trimStart().startsWith("<") ? null : jsonIn(text);
}
