import { randomName } from "../files/random-name.js";
import { RemoteError } from "./errors.js";
import { objectOf } from "./new-objects.js";
import { deletingPath } from "./paths.js";
import type { S3Bucket } from "./s3-bucket.js";
import { MARK_LIFE_MS } from "./uploads.js";

/** How often a mark is renewed, in milliseconds. */
const RENEWAL_MS = MARK_LIFE_MS / 6;
/** How long work may go on after its mark was renewed: requests under way end well before others ignore the mark. */
const HELD_MS = MARK_LIFE_MS / 3;

/** A mark that is in the bucket. */
export interface HeldMark {
  /** Aborted when the mark could not be renewed. */
  readonly signal: AbortSignal;
  /** @throws RemoteError if the mark was not renewed in time by the store's clock, which also runs while a machine sleeps */
  readonly require: () => void;
}

/**
 * Runs work while a mark in the bucket tells other pushes that this one deletes files. The mark is renewed until the
 * work ends: others ignore a mark that was not renewed for a minute. The work stops long before that.
 * @throws RemoteError if the mark could not be renewed
 */
export async function underMark<T>(
  bucket: S3Bucket,
  work: (held: HeldMark) => Promise<T>,
): Promise<T> {
  const mark = objectOf(deletingPath(randomName()), Buffer.from("{}\n"));
  await bucket.put(mark);
  const lost = new RemoteError(`${bucket.name}: the mark of this push could not be renewed`);
  const stop = new AbortController();
  let renewed = bucket.storeTime;
  const requireMark = () => {
    if (bucket.storeTime - renewed > HELD_MS) stop.abort(lost);
    stop.signal.throwIfAborted();
  };
  const limit = setTimeout(() => stop.abort(lost), HELD_MS);
  let renewal: Promise<void> | null = null;
  const renew = async () => {
    await bucket.put(mark, stop.signal);
    requireMark();
    renewed = bucket.storeTime;
    limit.refresh();
  };
  const renewing = setInterval(() => {
    // One that fails is tried again, until the limit.
    renewal ??= renew()
      .catch(() => {})
      .finally(() => {
        renewal = null;
      });
  }, RENEWAL_MS);
  try {
    return await work({ signal: stop.signal, require: requireMark });
  } finally {
    clearInterval(renewing);
    // A renewal that arrived after the removal would bring the mark back.
    await renewal;
    clearTimeout(limit);
    await bucket.remove(mark.path);
  }
}
