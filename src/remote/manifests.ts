import { readRegular } from "../files/regular.js";
import { type PublicKey, SignatureError, verifyManifest } from "../signing/verify.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { MANIFEST_BYTES_MAX, type StoredFile, storedFiles } from "../store/format.js";
import { layout, sha256, shortDigest } from "../store/layout.js";
import { parseManifest } from "../store/parse-manifest.js";
import { highestSigned, requireSignature } from "../store/signature.js";
import { RemoteRefusedError } from "./errors.js";
import { manifestPath } from "./objects.js";
import { type Origin, readWholeObject } from "./origin.js";

/** A snapshot's manifest whose digest is the snapshot's id. */
export interface CheckedManifest {
  readonly id: string;
  readonly bytes: Buffer;
  /** The manifest itself, as a file. */
  readonly file: StoredFile;
  /** All files that it names, with paths relative to the store. */
  readonly files: readonly StoredFile[];
}

/** Checks a manifest's digest and shape. @returns what is wrong, if either is */
export async function checkedManifest(
  id: string,
  bytes: Buffer,
): Promise<CheckedManifest | "wrong digest" | "wrong format"> {
  const digest = sha256(bytes);
  if (shortDigest(digest) !== id) return "wrong digest";
  const data = await parseManifest(bytes);
  if (data === null) return "wrong format";
  const file = { file: manifestPath(id), bytes: bytes.length, sha256: digest };
  return { id, bytes, file, files: storedFiles(id, data) };
}

/** The paths of all files of a snapshot, by its manifest in the local store or at the origin; null if neither is good. */
export async function findPaths(
  store: string,
  origin: Origin,
  id: string,
): Promise<string[] | null> {
  const local = await readRegular(layout.manifest(store, id)).catch(() => null);
  const inStore = local === null ? null : await pathsIn(id, local);
  if (inStore !== null) return inStore;
  const remote = await readWholeObject(origin, manifestPath(id), MANIFEST_BYTES_MAX);
  return remote === null ? null : pathsIn(id, remote);
}

async function pathsIn(id: string, bytes: Buffer): Promise<string[] | null> {
  const checked = await checkedManifest(id, bytes);
  return typeof checked === "string" ? null : pathsOf(checked);
}

/** The paths of a snapshot's files, the manifest's included. */
export function pathsOf({ file, files }: CheckedManifest): string[] {
  return [file, ...files].map((one) => one.file);
}

/** The signatures that a pull requires. */
export type Trust = Awaited<ReturnType<typeof trustIn>>;

/** The demands of a store that pulls with public keys. Its snapshots remember which generations were accepted. */
export async function trustIn(store: string, publicKeys: readonly PublicKey[]) {
  const highest = await highestSigned(store, publicKeys);
  return {
    /** The highest signed generation of the local snapshots; 0 if none is signed. */
    highest,
    /** The signed generation of a local snapshot; null if it is not signed as demanded: an earlier pull may have demanded less. */
    localGeneration: async (id: string): Promise<number | null> => {
      try {
        return await requireSignature(store, id, publicKeys, highest);
      } catch (error) {
        if (error instanceof SignatureError || error instanceof BadSnapshotError) return null;
        throw error;
      }
    },
    /**
     * Checks the signature of a manifest that an origin offers. The manifest is not parsed.
     * @param origin its address, for messages
     * @param signature null if there is none
     * @returns its signed generation
     * @throws SignatureError; RemoteRefusedError if the store has had a newer generation
     */
    require: async (origin: string, id: string, manifest: Buffer, signature: string | null) => {
      const { generation } = await verifyManifest({ manifest, id, signature, publicKeys });
      if (generation >= highest) return generation;
      throw new RemoteRefusedError(
        `${origin} offers a snapshot signed as generation ${generation}, but ${store} has generation ${highest} already: someone may be replaying an old snapshot; if the origin was really set back, pull into a new store`,
      );
    },
  };
}
