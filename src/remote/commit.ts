import { RemoteBusyError, RemoteError } from "./errors.js";
import { generationText, readGeneration } from "./generations.js";
import { objectOf } from "./new-objects.js";
import { generationPath } from "./paths.js";
import { PATIENCE, PassingFailure, waitAfter } from "./retrying.js";
import type { S3Bucket } from "./s3-bucket.js";

/** How many numbers a commit tries while other pushes take them. */
const NUMBERS_MAX = 100;

/** A commit that is wanted. */
export interface Commit {
  readonly id: string;
  /** The number after the newest one in the bucket. */
  readonly from: number;
  /** Called before each number is tried, to upload a signature that names the number. */
  readonly prepare: (generation: number) => Promise<void>;
  /** Whether to write without a condition: then only one push may run. */
  readonly unconditional: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes a snapshot the newest generation. Of several pushes that create the same generation, the store lets one
 * succeed; the others take the next number. After an answer that leaves the outcome open, the generation is read back.
 * @returns the generation that has the snapshot
 * @throws RemoteBusyError if other pushes take every number that this one tries
 */
export async function commitGeneration(
  bucket: S3Bucket,
  { id, from, prepare, unconditional, signal }: Commit,
): Promise<number> {
  for (let generation = from; generation < from + NUMBERS_MAX; generation += 1) {
    await prepare(generation);
    const bytes = Buffer.from(generationText(generation, id));
    const object = objectOf(generationPath(generation), bytes);
    const create = () => (unconditional ? bucket.put(object) : bucket.create(object));
    const committed = await createdId(bucket, generation, create, id, signal);
    if (committed === id) return generation;
  }
  throw new RemoteBusyError(
    `${bucket.name}: other pushes have taken ${NUMBERS_MAX} generations in a row, so this one gave up; its files are uploaded, push again`,
  );
}

/** Creates a generation until it exists. @returns the id in it, which may be another push's */
async function createdId(
  bucket: S3Bucket,
  generation: number,
  create: () => Promise<unknown>,
  id: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    let problem = "the generation is missing after it was created";
    signal?.throwIfAborted();
    try {
      // From here on no signal counts: the generation may be there, and the caller must learn it.
      if ((await create()) === "created") return id;
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      problem = error.message;
    }
    const found = await readGeneration(bucket, generation);
    if (found !== null) return found;
    if (tries >= PATIENCE.tries) throw new RemoteError(`${problem} (tried ${tries} times)`);
    await waitAfter(tries, signal);
  }
}
