import { jsonIn } from "../../files/lines.js";
import {
  isLaterFormat,
  isSamePublication,
  POINTER_BYTES_MAX,
  type Pointer,
  pointerOf,
  pointerText,
} from "../../store/pointer.js";
import {
  PATIENCE,
  PassingFailure,
  RemoteBusyError,
  RemoteError,
  RemoteRefusedError,
  retrying,
  waitAfter,
} from "./failures.js";
import { type NewObject, objectOf, POINTER } from "./objects.js";

import type { Condition, S3Bucket } from "./s3-bucket.js";

/* The commit of a push: one conditional write of `current.json`. */

/** `current.json` as a push has read it. */
export interface StoredPointer {
  readonly pointer: Pointer;
  /** The object's entity tag, without quotes; "" if the store sends none. */
  readonly etag: string;
  /** The store's time of the last write, in milliseconds since 1970; NaN if the store does not say. */
  readonly modified: number;
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
  // Without the store's times, the mark counts as new.
  const isOver = stored && bucket.storeTime - stored.modified >= PATIENCE.deletingMs;
  if (!stored?.pointer.deleting || isOver) return stored;
  throw new RemoteBusyError(
    `${bucket.name}: another push is deleting old files, or was killed while it did; push again in a minute`,
  );
}

/** Reads `current.json`. @returns null if the bucket has none @throws RemoteError */
export async function readStored(
  bucket: S3Bucket,
  signal?: AbortSignal,
): Promise<StoredPointer | null> {
  return retrying(signal, () =>
    bucket.get(
      POINTER,
      async (reply) => {
        const json = jsonIn(new TextDecoder().decode(await reply.bytes(POINTER_BYTES_MAX)));
        const pointer = pointerOf(json);
        if (pointer === null) {
          const remedy = isLaterFormat(json)
            ? "push with the version that wrote it"
            : "delete it there, then push again";
          throw new RemoteError(
            `${bucket.name}/${POINTER} has no format that this version reads: ${remedy}`,
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
 * @param pointer has the random name of this push
 * @param before the file as it was read; null if the bucket had none
 * @param unconditional whether to write without a condition: then only one push may run
 * @returns what was written; null if another push of the same snapshot has made it current meanwhile
 * @throws RemoteBusyError if a push of another snapshot has written the file; RemoteError
 */
export async function commit(
  bucket: S3Bucket,
  pointer: Pointer,
  before: StoredPointer | null,
  unconditional: boolean,
  signal?: AbortSignal,
): Promise<Pointer | null> {
  const written = { ...pointer, revision: (before?.pointer.revision ?? 0) + 1 };
  const object = objectOf(POINTER, Buffer.from(pointerText(written)));
  for (let tries = 1; ; tries += 1) {
    let problem =
      `${bucket.name} does not let this push replace ${POINTER}, although no other push has written ` +
      "it: it must send entity tags, and these credentials need the permission s3:GetObject";
    signal?.throwIfAborted();
    try {
      // From here on the signal is ignored: the pointer may be written, and the caller must learn that.
      const writing = unconditional
        ? bucket.put(object).then(() => "written")
        : bucket.write(object, conditionOf(before, tries));
      if ((await writing) === "written") return written;
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      problem = error.message;
    }
    const found = await readStored(bucket);
    if (hasText(found, written)) return written;
    if (isRewritten(found, before)) return overtaken(bucket, pointer, found);
    if (tries >= PATIENCE.tries) throw new RemoteError(`${problem} (tried ${tries} times)`);
    await waitAfter(tries, signal);
  }
}

/** @returns null if the other push has made the same snapshot current @throws RemoteBusyError */
function overtaken(bucket: S3Bucket, pointer: Pointer, found: StoredPointer | null): null {
  if (found !== null && isSamePublication(found.pointer, pointer)) return null;
  const other = found ? `another push has published ${found.pointer.id}` : `${POINTER} was deleted`;
  throw new RemoteBusyError(
    `${bucket.name}: ${other} meanwhile, so this one has published nothing; push again to replace it`,
  );
}

function isRewritten(found: StoredPointer | null, before: StoredPointer | null): boolean {
  if (found === null || before === null) return found !== before;
  return found.etag !== before.etag || !hasText(found, before.pointer);
}

/** Whether the file has the bytes of a pointer. */
export function hasText(stored: StoredPointer | null, pointer: Pointer): boolean {
  return stored !== null && pointerText(stored.pointer) === pointerText(pointer);
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
    `${bucket.name} ${does} conditional writes (${isFirst ? "If-None-Match" : "If-Match"}), so ` +
      "pushes that run at the same time could overwrite each other: use another store, or " +
      "--allow-unconditional if only one push runs at a time",
  );
}
