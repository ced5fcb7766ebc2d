import { join } from "node:path";
import { requireCurrent } from "../build/snapshots.js";
import { readRegular } from "../files/regular.js";
import { signManifest } from "../signing/sign.js";
import { statedGeneration } from "../signing/verify.js";
import { BadSnapshotError, unreadable } from "../store/bad-snapshot.js";
import { currentId } from "../store/reader.js";
import { readSignature } from "../store/signature.js";
import { bucketAddress } from "./address.js";
import { s3Access } from "./credentials.js";
import { RemoteRefusedError } from "./errors.js";
import { type CheckedManifest, checkedManifest } from "./manifests.js";
import { type PushOptions, type PushSettings, pushSettings } from "./options.js";
import { manifestPath } from "./paths.js";
import { type PushedSnapshot, Pusher } from "./pusher.js";
import { S3Bucket } from "./s3-bucket.js";

/** The result of `push`. */
export interface PushResult {
  /** The snapshot that is in the bucket now. */
  readonly id: string;
  /** Its generation. */
  readonly generation: number;
  /** Whether this push created the generation. If not, the snapshot was the newest one already. */
  readonly changed: boolean;
  /** The number of files of the snapshot, its manifest included. */
  readonly files: number;
  /** How many of them were uploaded. */
  readonly uploaded: number;
  /** Bytes of the uploaded files. */
  readonly bytes: number;
  /** How many old objects were deleted. */
  readonly deleted: number;
  /** Non-fatal problems, such as old files that could not be deleted. */
  readonly warnings: readonly string[];
}

/** How often a push begins again because a build has replaced the local snapshot. */
const TRIES_MAX = 3;

/**
 * Copies a store's current snapshot to a bucket and makes it the bucket's newest generation. Sends only files that the
 * bucket does not have. Readers see the former snapshot or this one, whenever the push ends; the next push completes
 * one that was killed. The credentials come from the environment (docs/push-and-pull.md).
 * @param url the bucket's address, such as s3://bucket/prefix
 * @throws BadSnapshotError if a local file is damaged; NoSnapshotError if nothing was built yet; RemoteError if the
 * bucket cannot be used; RemoteRefusedError if it does not honour conditional writes, or if the
 * snapshot is signed as another generation and no key is given; RemoteBusyError if other pushes
 * keep this one from its commit; TypeError for a wrong argument
 */
export async function push(url: string, options: PushOptions = {}): Promise<PushResult> {
  const settings = pushSettings(url, options);
  const address = bucketAddress(url);
  if (address === null) throw new TypeError("the address was not checked");
  const bucket = new S3Bucket(address, s3Access());
  const { store } = settings;
  for (let tries = 1; ; tries += 1) {
    const id = await requireCurrent(store);
    try {
      const checked = await localManifest(store, id);
      const snapshot = { ...checked, sign: await signerOf(checked, settings) };
      return await new Pusher(bucket, snapshot, settings).run();
    } catch (error) {
      // A build may have published another snapshot meanwhile, and deleted the one being sent.
      const isOver = !(error instanceof BadSnapshotError) || tries === TRIES_MAX;
      if (isOver || (await currentId(store)) === id) throw error;
    }
  }
}

async function localManifest(store: string, id: string) {
  const name = manifestPath(id);
  const bytes = await readRegular(join(store, name)).catch((error: unknown) => {
    throw unreadable(name, error);
  });
  const checked = await checkedManifest(id, bytes);
  if (typeof checked !== "string") return checked;
  throw new BadSnapshotError(`${name} has the ${checked}`);
}

/** How a snapshot gets its signature: signed with the key, or without a key the one that its build has made. */
async function signerOf(
  { id, bytes }: CheckedManifest,
  { store, key }: PushSettings,
): Promise<PushedSnapshot["sign"]> {
  if (key !== undefined) {
    return async (generation) => Buffer.from(signManifest(bytes, id, generation, key));
  }
  const signature = await readSignature(store, id);
  return async (generation) => {
    if (signature === null) return null;
    const stated = statedGeneration(signature);
    if (stated === generation) return Buffer.from(signature);
    throw new RemoteRefusedError(
      `snapshot ${id} is signed as generation ${stated}, but becomes generation ${generation} in the bucket, which readers with a public key would refuse sooner or later: set CRAWLDEX_SIGNING_KEY for crawldex push, too`,
    );
  };
}
