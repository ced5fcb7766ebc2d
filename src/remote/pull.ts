import { join } from "node:path";
import { prepareStore } from "../build/clean-up.js";
import { readNotes } from "../build/notes.js";
import { cleanUpAfter, publishFiles } from "../build/publish.js";
import { type Lock, lockStore } from "../files/lock.js";
import { fileState } from "../files/state.js";
import { PHASES } from "../options/progress.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { type Current, MANIFEST_BYTES_MAX, type StoredFile } from "../store/format.js";
import { currentPointer, StoredSnapshot } from "../store/reader.js";
import { downloadBytes, isStored, MissingFileError, type VerifiedFiles } from "./download.js";
import { downloadFiles } from "./download-crew.js";
import { RemoteRefusedError, RemoteSnapshotError } from "./errors.js";
import { newestOffer, type Offer } from "./generations.js";
import { type CheckedManifest, checkedManifest } from "./manifests.js";
import { type PullOptions, type PullSettings, pullSettings } from "./options.js";
import { type Origin, originAt, readWholeObject } from "./origin.js";
import { folderId, manifestPath, signaturePath } from "./paths.js";
import { inParallel, retrying, WrongBytes } from "./retrying.js";
import { Trust } from "./trust.js";

/** The result of `pull`. */
export interface PullResult {
  /** The snapshot that is current in the local store now. */
  readonly id: string;
  /** Its generation; null if the origin is a copy of a local store, which has no generations. */
  readonly generation: number | null;
  /** Whether another snapshot was current before. */
  readonly changed: boolean;
  /** How many files were downloaded. */
  readonly files: number;
  /** Bytes of the downloaded files. */
  readonly bytes: number;
  /** The generation that was current before, if it was a newer one: the origin was set back. Otherwise null. */
  readonly setBackFrom: number | null;
}

/** What `pullOnce` needs beyond the options of `pull`. */
export interface PullContext {
  /** A loop of pulls hands the same map to each of them, so that files are not read again as long as they do not change. */
  readonly verified?: VerifiedFiles | undefined;
}

/** How many local files are compared with their checksums, and documents downloaded, at the same time. */
const COMPARED_AT_ONCE = 4;
/** How often a pull begins again because a file went missing: a newer snapshot may have replaced it. */
const TRIES_MAX = 3;
const SIGNATURE_MAX = 4096;

/**
 * Copies the newest snapshot of a bucket or of any HTTP origin into a local store, and makes it current there. Downloads
 * only files that the store does not have, and compares every byte with the manifest's checksums. A bucket's credentials
 * come from the environment. If it throws, the current snapshot stays current.
 * @param url such as s3://bucket/prefix or https://host/path
 * @throws RemoteError if the origin cannot be read; RemoteSnapshotError if its snapshot is damaged; SignatureError if it
 * is not signed with a public key; RemoteRefusedError if the origin was set back and public keys are given; StoreLockedError
 * while a build or another pull writes to the store; StoreWriteError; TypeError for a wrong argument
 */
export function pull(url: string, options: PullOptions = {}): Promise<PullResult> {
  return pullOnce(url, options);
}

/** Like `pull`, for callers that pull in a loop. Nothing is written if nothing is new. */
export async function pullOnce(
  url: string,
  options: PullOptions,
  context: PullContext = {},
): Promise<PullResult> {
  const settings = pullSettings(url, options);
  for (let tries = 1; ; tries += 1) {
    try {
      return await pullNewest(url, settings, context);
    } catch (error) {
      if (!(error instanceof MissingFileError) || tries === TRIES_MAX) throw error;
    }
  }
}

async function pullNewest(
  url: string,
  settings: PullSettings,
  context: PullContext,
): Promise<PullResult> {
  const { store, signal, publicKeys } = settings;
  const origin = originAt(url);
  const trust = publicKeys === undefined ? null : await Trust.after(store, publicKeys);
  const local = await usablePointer(store);
  const known = local?.generation ?? 0;
  const offer = await newestOffer(origin, known, signal);
  const { id, generation } = offer;
  const setBackFrom = generation !== null && generation < known ? known : null;
  if (setBackFrom !== null && trust !== null) {
    throw new RemoteRefusedError(
      `${origin.name} offers generation ${generation}, but ${store} has generation ${known} already: someone may be replaying an old snapshot; if the origin was really set back, pull into a new store`,
    );
  }
  const unchanged = { id, generation, changed: false, files: 0, bytes: 0, setBackFrom };
  const isCurrent = local?.id === id && local.generation === (generation ?? undefined);
  if (isCurrent && (trust === null || (await trust.accepts(id)))) return unchanged;
  const manifest = await trustedManifest(origin, id, trust, signal);
  const lock = await lockStore(store);
  return lock.during(async () => {
    const done = await new Receiver(url, origin, lock, manifest, settings, context).run(offer);
    return { ...unchanged, ...done };
  });
}

/** The local pointer; null if there is none, or if it or the manifest that it names is damaged. Pulling repairs both. */
async function usablePointer(store: string): Promise<Current | null> {
  try {
    const pointer = await currentPointer(store);
    if (pointer !== null) (await StoredSnapshot.openManifest(store, pointer.id)).close();
    return pointer;
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}

/** A manifest whose digest is its id and whose signature was verified, if signatures are required. */
interface TrustedManifest extends CheckedManifest {
  readonly signature: Buffer | null;
}

async function trustedManifest(
  origin: Origin,
  id: string,
  trust: Trust | null,
  signal: AbortSignal | undefined,
): Promise<TrustedManifest> {
  const place = `${origin.name}/${manifestPath(id)}`;
  const checked = await retrying(signal, async (tries) => {
    const options = { fresh: tries > 1, signal };
    const bytes = await origin.get(
      manifestPath(id),
      (reply) => reply.bytes(MANIFEST_BYTES_MAX),
      options,
    );
    if (bytes === null) throw new MissingFileError(`${place} is missing; push the snapshot again`);
    const found = await checkedManifest(id, bytes);
    if (found === "wrong digest")
      throw new WrongBytes(
        `${place} does not match its id; delete it there, then push the snapshot again`,
      );
    return found;
  });
  if (checked === "wrong format") {
    throw new RemoteSnapshotError(
      `${place} has a format that this version does not read; install the version that pushed it`,
    );
  }
  const signature = await readWholeObject(origin, signaturePath(id), SIGNATURE_MAX, {
    ...{ fresh: true, signal },
  });
  await trust?.require(checked, signature);
  return { ...checked, signature };
}

/** Brings a snapshot into the local store, under the store's lock. */
class Receiver {
  readonly #address: string;
  readonly #origin: Origin;
  readonly #lock: Lock;
  readonly #manifest: TrustedManifest;
  readonly #settings: PullSettings;
  readonly #verified: VerifiedFiles;
  #files = 0;
  #bytes = 0;

  constructor(
    address: string,
    origin: Origin,
    lock: Lock,
    manifest: TrustedManifest,
    settings: PullSettings,
    { verified = new Map() }: PullContext,
  ) {
    this.#address = address;
    this.#origin = origin;
    this.#lock = lock;
    this.#manifest = manifest;
    this.#settings = settings;
    this.#verified = verified;
  }

  async run({ id, generation }: Offer): Promise<Pick<PullResult, "changed" | "files" | "bytes">> {
    const { store, keep } = this.#settings;
    const { files, bytes, signature } = this.#manifest;
    const shared = files.filter(({ file }) => folderId(file) === null);
    const notes = await readNotes(store);
    // The wanted files stay, so that a pull resumes after one that was killed.
    const wanted = new Set(shared.map(({ file }) => file));
    await prepareStore(store, this.#lock, keep, notes, wanted);
    await this.#download(await this.#missing(shared));
    const documents = await this.#documents(id);
    this.#settings.signal?.throwIfAborted();
    const after = await publishFiles(store, this.#lock, {
      id,
      files: [
        { path: "manifest.json", bytes },
        ...(signature === null ? [] : [{ path: "manifest.json.minisig", bytes: signature }]),
        ...documents,
      ],
      generation: generation ?? undefined,
      notes,
    });
    await cleanUpAfter(id, store, this.#lock, keep, after.notes);
    for (const path of this.#verified.keys()) if (!wanted.has(path)) this.#verified.delete(path);
    return { changed: after.changed, files: this.#files, bytes: this.#bytes };
  }

  /** Those of the files that the store does not have with the right bytes. */
  async #missing(files: readonly StoredFile[]): Promise<StoredFile[]> {
    const { store, signal } = this.#settings;
    const missing = await inParallel(files, COMPARED_AT_ONCE, async (file) => {
      signal?.throwIfAborted();
      return (await isStored(store, file, this.#verified)) ? [] : [file];
    });
    return missing.flat();
  }

  async #download(files: readonly StoredFile[]): Promise<void> {
    const { store, signal, onProgress } = this.#settings;
    const sizes = new Map(files.map(({ file, bytes }) => [file, bytes]));
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    await downloadFiles(this.#address, store, files, signal, (file) => {
      const state = fileState(join(store, file));
      if (state !== null) this.#verified.set(file, state);
      this.#files += 1;
      this.#bytes += sizes.get(file) ?? 0;
      onProgress?.(this.#bytes, total, PHASES.downloading);
    });
  }

  /** The snapshot's public documents, with their paths in its folder. */
  async #documents(id: string): Promise<{ path: string; bytes: Buffer }[]> {
    const { signal } = this.#settings;
    const documents = this.#manifest.files.filter(({ file }) => folderId(file) === id);
    return inParallel(documents, COMPARED_AT_ONCE, async (document) => {
      const bytes = await downloadBytes(this.#origin, document, signal);
      this.#files += 1;
      this.#bytes += bytes.length;
      return { path: document.file.slice(id.length + 1), bytes };
    });
  }
}
