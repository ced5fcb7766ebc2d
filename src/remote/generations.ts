import { jsonIn } from "../files/lines.js";
import { CURRENT_FORMAT } from "../store/names.js";
import { CLIMB_MAX, newestAfter } from "../store/newest-generation.js";
import { POINTER_BYTES_MAX, pointerOf } from "../store/pointer.js";
import { RemoteBusyError, RemoteError, RemoteRefusedError } from "./errors.js";
import { generationPath, HINT, type NewObject, objectOf } from "./objects.js";
import { type Origin, readSmallText } from "./origin.js";
import { PATIENCE, PassingFailure, retrying, waitAfter } from "./retrying.js";
import type { S3Bucket } from "./s3-bucket.js";

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
/** How many steps a reader looks ahead. The hint may be this many steps behind, if a push was suspended meanwhile. */
const STEPS_MAX = 8;

/** `generations/<n>.json`: the commit of push number n. Exactly one push creates it, and it never changes. */
export function generationText(generation: number, id: string): string {
  return `${JSON.stringify({ format: CURRENT_FORMAT, generation, id })}\n`;
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
  const pointer = pointerOf(value);
  if (pointer?.generation === generation) return pointer.id;
  throw new RemoteError(`${origin.name}/${path} is not a generation that this version reads`);
}

/** The generation that `current.json` names; 0 if it names none or is damaged. @throws RemoteError */
export async function hintedGeneration(origin: Origin, signal?: AbortSignal): Promise<number> {
  return pointerOf(await readJson(origin, HINT, signal))?.generation ?? 0;
}

/** The content of `current.json`; null if it does not exist. @throws RemoteError */
async function readHint(origin: Origin, signal?: AbortSignal): Promise<Offer | null> {
  const value = await readJson(origin, HINT, signal);
  if (value === null) return null;
  const pointer = pointerOf(value);
  if (pointer !== null) return { id: pointer.id, generation: pointer.generation ?? null };
  throw new RemoteError(`${origin.name}/${HINT} has no format that this version reads`);
}

/**
 * The newest snapshot that an origin offers. The hint may be behind: another push may have committed since it was
 * written, or may have written an older one late. So the search begins at the hint and goes up. It uses only GET, so it
 * works on every server of files. No number here is signed: each only says where to look.
 * @param known the newest generation that the caller has seen, or 0. The search begins there if the hint is older, since
 * a cache may still have an older hint, or if the hint's generation does not exist
 * @throws RemoteError
 */
export async function newestOffer(
  origin: Origin,
  known: number,
  signal?: AbortSignal,
): Promise<Offer> {
  const climbing = (from: number) => climbFrom(origin, from, signal);
  const hint = await readHint(origin, signal);
  if (hint === null) {
    // The first push may have ended between its commit and its hint.
    const offer = await climbing(1);
    if (offer !== null) return offer;
    throw new RemoteError(
      `nothing can be read at ${origin.name}: it has no ${HINT}, or this reader may not read it; publish with crawldex push, or check the address`,
    );
  }
  const { generation } = hint;
  if (generation === null) return hint;
  const starts = [...new Set(known > 0 ? [generation, known] : [generation])];
  if (known > generation) starts.reverse();
  for (const start of starts) {
    const offer = await climbing(start);
    if (offer !== null) return offer;
  }
  // This is a copy without the generations.
  return hint;
}

/**
 * Goes up from a number to the newest generation. Existing generations have consecutive numbers, since
 * they are deleted in order, the oldest first.
 * @returns null if no generation can be found from there
 * @throws RemoteError if there is no end within `CLIMB_MAX`
 */
async function climbFrom(
  origin: Origin,
  from: number,
  signal: AbortSignal | undefined,
): Promise<Offer | null> {
  const at = async (generation: number) => {
    const id = await readGeneration(origin, generation, signal);
    return id === null ? null : { id, generation };
  };
  const [found, after] = await Promise.all([at(from), at(from + 1)]);
  if (found !== null && after === null) return found;
  let newest = after;
  if (newest === null) {
    // Both may have been deleted.
    const steps = Array.from({ length: STEPS_MAX }, (_, i) => (i + 1) * GENERATIONS_KEPT);
    const ahead = await Promise.all(steps.map((step) => at(from + step)));
    newest = ahead.findLast((one) => one !== null) ?? null;
  }
  if (newest === null) return null;
  const top = await newestAfter(newest, (generation) => readGeneration(origin, generation, signal));
  if (top !== null) return top;
  throw new RemoteError(
    `${origin.name} has more than ${CLIMB_MAX} generations above generation ${from}, the limit: it seems to answer for every number`,
  );
}

/** A file's JSON; undefined if it is not JSON; null if the file does not exist. */
async function readJson(origin: Origin, path: string, signal?: AbortSignal): Promise<unknown> {
  const text = await readSmallText(origin, path, POINTER_BYTES_MAX, signal);
  return text === null ? null : jsonIn(text);
}

/**
 * Makes a snapshot the newest generation. Of several pushes that create the same generation, the store lets one succeed;
 * the others are refused. After an answer that leaves the outcome open, the generation is read back.
 * @param unconditional whether to write without a condition: then only one push may run
 * @returns whether this push certainly created the generation: another push of the same snapshot may have been first
 * @throws RemoteBusyError if another push has created the generation for another snapshot
 */
export async function commitGeneration(
  bucket: S3Bucket,
  generation: number,
  id: string,
  unconditional: boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const object = objectOf(generationPath(generation), Buffer.from(generationText(generation, id)));
  for (let tries = 1; ; tries += 1) {
    let problem = "the generation is missing after it was created";
    signal?.throwIfAborted();
    try {
      // From here on the signal is ignored: the generation may exist, and the caller must learn that.
      if (unconditional) await bucket.put(object);
      if (unconditional || (await bucket.create(object)) === "created") return true;
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      problem = error.message;
    }
    const found = await readGeneration(bucket, generation);
    if (found === id) return false;
    if (found !== null) {
      throw new RemoteBusyError(
        `${bucket.name}: another push has published generation ${generation} meanwhile, so this one has published nothing; push again to replace it`,
      );
    }
    if (tries >= PATIENCE.tries) throw new RemoteError(`${problem} (tried ${tries} times)`);
    await waitAfter(tries, signal);
  }
}

/**
 * Makes sure that the store honours `If-None-Match: *`: creates a file of the snapshot, then creates it once more. The
 * second attempt must fail. The commit depends on it: of many pushes, only one may create a generation. The file is one
 * that the push needs anyway, so nothing is left behind, and if it already exists, one request is enough.
 * @param isListed whether the file was there before
 * @returns whether the probe has uploaded the file
 * @throws RemoteRefusedError if the store refuses or ignores the condition
 */
export async function requireConditions(
  bucket: S3Bucket,
  file: NewObject,
  isListed: boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const create = () => retrying(signal, () => bucket.create(file, signal));
  const first = await create();
  const second = first === "created" ? await create() : first;
  if (second === "exists") return first === "created";
  if (first === "created" && !isListed) await bucket.remove(file.path);
  const does = second === "refused" ? "refuses" : "ignores";
  throw new RemoteRefusedError(
    `${bucket.name} ${does} conditional writes (If-None-Match: *), so pushes that run at the same time could overwrite each other: use another store, or --allow-unconditional if only one push runs at a time`,
  );
}
