import { readRegular } from "../files/regular.js";
import type { PublicKey } from "../signing/verify.js";
import { publicationsUpTo } from "../store/change-log.js";
import { MANIFEST_BYTES_MAX, type StoredFile, storedFiles } from "../store/format.js";
import { layout, sha256, shortDigest } from "../store/layout.js";
import { parseManifest } from "../store/parse-manifest.js";
import type { Pointer } from "../store/pointer.js";
import { highestSigned } from "../store/signature.js";
import { manifestPath } from "./objects.js";
import { type Origin, readWholeObject } from "./origin.js";

/** A snapshot's manifest whose digest is the snapshot's id. */
export interface CheckedManifest {
  /** The snapshot's id, the number of its publication, and the history that the number belongs to. */
  readonly pointer: Pointer;
  /** The digest of everything that it serves. */
  readonly content: string;
  readonly bytes: Uint8Array;
  /** The manifest itself, as a file. */
  readonly file: StoredFile;
  /** All files that it names, with paths relative to the store. */
  readonly files: readonly StoredFile[];
}

/** Checks a manifest's digest and shape. @returns what is wrong, if either is */
export async function checkedManifest(
  id: string,
  bytes: Uint8Array,
): Promise<CheckedManifest | "wrong digest" | "wrong format"> {
  const digest = sha256(bytes);
  if (shortDigest(digest) !== id) return "wrong digest";
  const data = await parseManifest(bytes);
  if (data === null) return "wrong format";
  const file = { file: manifestPath(id), bytes: bytes.length, sha256: digest };
  const { generation, origin } = publicationsUpTo(data);
  const pointer = { id, generation, origin };
  return { pointer, content: data.content, bytes, file, files: storedFiles(id, data) };
}

/** A snapshot's manifest in the local store or at the origin; null if neither is good. */
export async function findManifest(
  store: string,
  origin: Origin,
  id: string,
): Promise<CheckedManifest | null> {
  const good = async (bytes: Uint8Array | null) => {
    const checked = bytes && (await checkedManifest(id, bytes));
    return typeof checked === "string" ? null : checked;
  };
  const local = await good(await readRegular(layout.manifest(store, id)).catch(() => null));
  return local ?? good(await readWholeObject(origin, manifestPath(id), MANIFEST_BYTES_MAX));
}

/** The paths of a snapshot's files, the manifest's included. */
export function pathsOf({ file, files }: CheckedManifest): string[] {
  return [file, ...files].map((one) => one.file);
}

/** The signatures that a pull requires. */
export interface Trust {
  readonly publicKeys: readonly PublicKey[];
  /** The highest signed generation of the local snapshots; 0 if none is signed. */
  readonly highest: number;
}

/** The demands of a store that pulls with public keys. Its snapshots remember which generations were accepted. */
export async function trustIn(store: string, publicKeys: readonly PublicKey[]): Promise<Trust> {
  return { publicKeys, highest: await highestSigned(store, publicKeys) };
}
