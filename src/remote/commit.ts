import { jsonIn } from "../files/lines.js";
import { POINTER_BYTES_MAX, type Pointer, pointerOf, pointerText } from "../store/pointer.js";
import { RemoteBusyError, RemoteError, RemoteRefusedError } from "./errors.js";
import { type NewObject, objectOf, POINTER } from "./objects.js";
import { PATIENCE, PassingFailure, retrying, waitAfter } from "./retrying.js";
import type { Condition, S3Bucket } from "./s3-bucket.js";

/* The commit of a push: one conditional write of `current.json`. */

/** `current.json` as a push has read or written it. */
export interface StoredPointer {
  readonly pointer: Pointer;
  /** The object's entity tag, without quotes. */
  readonly etag: string;
}

/**
 * Reads `current.json` for a push.
 * @returns null if the bucket has none
 * @throws RemoteError if it cannot be read; RemoteBusyError while another push deletes files
 */
export async function readForPush(
  bucket: S3Bucket,
  signal: AbortSignal | undefined,
): Promise<StoredPointer | null> {
  const stored = await readStored(bucket, signal);
  if (stored === null) return null;
  const { pointer, etag, modified } = stored;
  const isDeleting = pointer.deleting && bucket.storeTime - modified < PATIENCE.deletingMs;
  if (!isDeleting) return { pointer, etag };
  throw new RemoteBusyError(
    `${bucket.name}: another push is deleting old files, or was killed while it did; push again in a minute`,
  );
}

async function readStored(bucket: S3Bucket, signal?: AbortSignal) {
  return retrying(signal, () =>
    bucket.get(
      POINTER,
      async (reply) => {
        const text = (await reply.bytes(POINTER_BYTES_MAX)).toString("utf8");
        const pointer = pointerOf(jsonIn(text));
        if (pointer === null) {
          throw new RemoteError(
            `${bucket.name}/${POINTER} has no format that this version writes: delete it there, then push again`,
          );
        }
        const etag = reply.header("etag").replace(/^W\//, "").replaceAll('"', "");
        return { pointer, etag, modified: Date.parse(reply.header("last-modified")) };
      },
      { signal },
    ),
  );
}

/**
 * Replaces `current.json`, unless another push has written it meanwhile. After an answer that leaves the outcome open,
 * the file is read back.
 * @param before the file as it was read; null if the bucket had none
 * @param unconditional whether to write without a condition: then only one push may run
 * @returns the file as it is now
 * @throws RemoteBusyError if another push has written it; RemoteError
 */
export async function commit(
  bucket: S3Bucket,
  pointer: Pointer,
  before: StoredPointer | null,
  unconditional: boolean,
  signal?: AbortSignal,
): Promise<StoredPointer> {
  const revision = (before?.pointer.revision ?? 0) + 1;
  const text = pointerText({ ...pointer, revision });
  const object = objectOf(POINTER, Buffer.from(text));
  for (let tries = 1; ; tries += 1) {
    let problem = `${POINTER} is unchanged after it was written`;
    signal?.throwIfAborted();
    try {
      // From here on the signal is ignored: the pointer may be written, and the caller must learn that.
      if (unconditional) await bucket.put(object);
      else await bucket.write(object, conditionOf(before, tries));
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      problem = error.message;
    }
    const found = await readStored(bucket);
    if (found !== null && pointerText(found.pointer) === text) return found;
    if (found?.etag !== before?.etag) {
      throw new RemoteBusyError(
        `${bucket.name}: another push has published ${found?.pointer.id ?? "nothing"} meanwhile, so this one has published nothing; push again to replace it`,
      );
    }
    if (tries >= PATIENCE.tries) throw new RemoteError(`${problem} (tried ${tries} times)`);
    await waitAfter(tries, signal);
  }
}

/** Ceph compares entity tags without their quotes, so every second try leaves them out. */
function conditionOf(before: StoredPointer | null, tries: number): Condition {
  if (before === null) return { "if-none-match": "*" };
  return { "if-match": tries % 2 === 1 ? `"${before.etag}"` : before.etag };
}

/**
 * Makes sure that the store honours the condition of the commit: a write of one of the snapshot's files, which is there
 * already, must fail. If it succeeds, the file has the same bytes as before.
 * @throws RemoteRefusedError if the store refuses or ignores the condition
 */
export async function requireConditions(
  bucket: S3Bucket,
  file: NewObject,
  isFirst: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const condition: Condition = isFirst
    ? { "if-none-match": "*" }
    : { "if-match": `"${"0".repeat(32)}"` };
  const outcome = await retrying(signal, () => bucket.write(file, condition, signal));
  if (outcome === "unmet") return;
  const does = outcome === "refused" ? "refuses" : "ignores";
  throw new RemoteRefusedError(
    `${bucket.name} ${does} conditional writes (${isFirst ? "If-None-Match" : "If-Match"}), so pushes that run at the same time could overwrite each other: use another store, or --allow-unconditional if only one push runs at a time`,
  );
}
