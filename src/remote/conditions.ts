import { RemoteRefusedError } from "./errors.js";
import { retrying } from "./retrying.js";
import type { NewObject, S3Bucket } from "./s3-bucket.js";

/**
 * Makes sure that the store honours `If-None-Match: *`: creates a file of the snapshot, then creates it once more. The
 * second attempt must fail. The commit depends on it: of many pushes, only one may create a generation. The file is one
 * that the push needs anyway, so nothing is left behind, and if it is there already, one request is enough.
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
