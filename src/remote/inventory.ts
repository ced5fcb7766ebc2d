import { RemoteError } from "./errors.js";
import { generationAt, isContent, isDeletingMark } from "./paths.js";
import type { ListedObject, S3Bucket } from "./s3-bucket.js";

/** What a bucket holds of ours, at one moment. */
export interface Inventory {
  /** The store's time when the list began or shortly before, in milliseconds. All ages are measured by the store's clock. */
  readonly now: number;
  /** The files of snapshots, by path. */
  readonly content: ReadonlyMap<string, ListedObject>;
  /** The times of the generations, by their numbers. */
  readonly generations: ReadonlyMap<number, number>;
  /** The number of the newest generation; 0 if there is none. */
  readonly newest: number;
  /** The marks of pushes that are deleting files. */
  readonly marks: readonly ListedObject[];
}

/** Lists a bucket. Objects with names that are not ours are left out. @throws RemoteError */
export async function takeInventory(bucket: S3Bucket, signal?: AbortSignal): Promise<Inventory> {
  const before = bucket.storeTime;
  const content = new Map<string, ListedObject>();
  const generations = new Map<number, number>();
  const marks: ListedObject[] = [];
  for (const object of await bucket.list(signal)) {
    const generation = generationAt(object.path);
    if (generation !== null) generations.set(generation, object.modified);
    else if (isContent(object.path)) content.set(object.path, object);
    else if (isDeletingMark(object.path)) marks.push(object);
  }
  const now = Number.isNaN(before) ? bucket.storeTime : before;
  if (Number.isNaN(now)) {
    throw new RemoteError(`${bucket.name} does not tell its time in a Date header`);
  }
  let newest = 0;
  for (const number of generations.keys()) newest = Math.max(newest, number);
  return { now, content, generations, newest, marks };
}
