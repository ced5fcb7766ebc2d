import { join } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { inParallel } from "../../contract/tables.js";
import { jsonIn } from "../../files/lines.js";
import { type Lock, lockStore } from "../../files/lock.js";
import { fileState } from "../../files/regular.js";
import { PHASES } from "../../lib/options.js";
import { cleanUp, prepareStore } from "../../publish/clean-up.js";
import { readNotes } from "../../publish/notes.js";
import { cleanUpAfter, publishFiles } from "../../publish/publish.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { MANIFEST_BYTES_MAX, type StoredFile } from "../../store/format.js";
import { snapshotId } from "../../store/layout.js";
import { isOlder, POINTER_BYTES_MAX, type Pointer, pointerOf } from "../../store/pointer.js";
import { publicationsUpTo } from "../../store/publications.js";
import { currentPointer, readStoredManifest, requireSignature } from "../../store/reader.js";
import { SignatureError, type VerifyManifest } from "../../store/signature.js";
import { type ExtraVerifyOptions, verifierFor } from "../../store/signers.js";
import { SIGNATURE_BYTES_MAX } from "../../store/source.js";
import {
  inTime,
  RemoteError,
  RemoteRefusedError,
  RemoteSnapshotError,
  retrying,
  WrongBytes,
} from "./failures.js";
import {
  type CheckedManifest,
  checkedManifest,
  folderId,
  manifestPath,
  POINTER,
  signaturePath,
  type Trust,
  trustIn,
} from "./objects.js";
import { type PullOptions, type PullSettings, pullSettings } from "./options.js";
import {
  downloadBytes,
  downloadFile,
  isStored,
  MissingFileError,
  type Origin,
  originAt,
  readSmallText,
  type VerifiedFiles,
} from "./origin.js";

/** The result of `pull`. */
export interface PullResult {
  /** The snapshot that is current in the local store now. */
  readonly id: string;
  /** The number of its publication. */
  readonly generation: number;
  /** Whether another snapshot was current before. */
  readonly changed: boolean;
  /** How many files were downloaded. */
  readonly files: number;
  /** Bytes of the downloaded files. */
  readonly bytes: number;
}

/** How many files are downloaded at the same time. */
const DOWNLOADED_AT_ONCE = 16;
/** How many local files are compared with their checksums, and documents downloaded, at the same time. */
const COMPARED_AT_ONCE = 4;
/** Local files that are looked for between two pauses for other work. A hostile manifest may name 100,000. */
const LOOKED_FOR = 256;
/** How often a pull begins again because a file went missing: a newer snapshot may have replaced it. */
const TRIES_MAX = 3;

/**
 * Copies the newest snapshot of a bucket or of any HTTP origin into a local store, and makes it current there.
 * Downloads only files that the store does not have, and compares every byte with the manifest's checksums. A
 * bucket's credentials come from the environment. If it throws, the current snapshot stays current. It ends on any
 * origin: the bounds are in docs/push-and-pull.md.
 * @param url such as s3://bucket/prefix or https://host/path
 * @throws RemoteError if the origin cannot be read; RemoteSnapshotError if its snapshot is damaged; SignatureError if
 * it is not signed as the options demand; RemoteRefusedError if it is older than one that the store has had;
 * StoreLockedError while a build or another pull writes to the store; StoreWriteError; TypeError for a wrong argument
 */
export async function pull(url: string, options: PullOptions = {}): Promise<PullResult> {
  const settings = pullSettings(url, options);
  return pullAgain(url, settings, await verifierFor(options), new Map());
}

/**
 * Like `pull`, for callers that pull in a loop. Nothing is written if nothing is new.
 * @param options those of `pull` without what checks signatures, which the loop has made: `verify`
 * @param verified a loop passes the same map to each pull, so that unchanged files are not read again
 */
export async function pullOnce(
  url: string,
  options: Omit<PullOptions, keyof ExtraVerifyOptions>,
  verify: VerifyManifest | undefined,
  verified: VerifiedFiles,
): Promise<PullResult> {
  return pullAgain(url, pullSettings(url, options), verify, verified);
}

async function pullAgain(
  url: string,
  settings: PullSettings,
  verify: VerifyManifest | undefined,
  verified: VerifiedFiles,
): Promise<PullResult> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await pullNewest(url, settings, verify, verified);
    } catch (error) {
      if (!(error instanceof MissingFileError) || tries === TRIES_MAX) throw error;
    }
  }
}

async function pullNewest(
  url: string,
  settings: PullSettings,
  verify: VerifyManifest | undefined,
  verified: VerifiedFiles,
): Promise<PullResult> {
  const { store, signal, allowRedirects } = settings;
  const origin = originAt(url, allowRedirects);
  const trust = verify === undefined ? null : await trustIn(store, verify);
  const local = await localPublication(store, trust);
  const { pointer, manifest } = await inTime(origin.name, 0, signal, (inner) =>
    findNewest(origin, local, trust, inner),
  );
  const { id, generation } = pointer;
  if (manifest === null) return { id, generation, changed: false, files: 0, bytes: 0 };
  const lock = await lockStore(store);
  const done = await lock.during(async () => {
    // A build or another pull may have published meanwhile, which this one must not set back.
    const now = await localPublication(store, trust);
    if (isOlder(pointer, now?.pointer ?? null)) return null;
    return receive({ origin, manifest, settings, verified }, lock);
  });
  return done === null ? pullNewest(url, settings, verify, verified) : { id, generation, ...done };
}

/** The publication that the local store has. */
interface LocalPublication {
  readonly pointer: Pointer;
  /** Whether its manifest is good. If not, the publication is pulled again, but no older one is accepted. */
  readonly isGood: boolean;
}

/**
 * @returns null if the store has no pointer, or if the pointer is damaged or its manifest states another number. If
 * signatures are checked, also null if the snapshot is not signed as the pointer's generation. Pulling repairs all
 * these
 */
async function localPublication(
  store: string,
  trust: Trust | null,
): Promise<LocalPublication | null> {
  let pointer: Pointer | null = null;
  try {
    pointer = await currentPointer(store);
    if (pointer === null) return null;
    const { generation, origin } = publicationsUpTo(await readStoredManifest(store, pointer.id));
    if (pointer.generation !== generation || pointer.origin !== origin) return null;
    if (trust === null) return { pointer, isGood: true };
    const { verify, highest } = trust;
    const signed = await requireSignature(store, pointer.id, verify, highest);
    return signed === generation ? { pointer, isGood: true } : null;
  } catch (error) {
    if (error instanceof BadSnapshotError) return pointer && { pointer, isGood: false };
    if (error instanceof SignatureError) return null;
    throw error;
  }
}

/** The snapshot that an origin offers. */
interface Newest {
  readonly pointer: Pointer;
  /** Null if the snapshot is the local one. */
  readonly manifest: TrustedManifest | null;
}

/**
 * @param signal ends all requests @throws RemoteRefusedError if the origin offers an older publication than the local
 * one
 */
async function findNewest(
  origin: Origin,
  local: LocalPublication | null,
  trust: Trust | null,
  signal: AbortSignal,
): Promise<Newest> {
  const text = await readSmallText(origin, POINTER, POINTER_BYTES_MAX, signal);
  if (text === null) {
    throw new RemoteError(
      `nothing can be read at ${origin.name}: it has no ${POINTER}, or this reader may not read it; ` +
        "publish with crawldex push, or check the address",
    );
  }
  const pointer = pointerOf(jsonIn(text));
  if (pointer === null) {
    throw new RemoteError(
      `${origin.name}/${POINTER} has no format that this version reads: pull with the version that ` +
        "pushed it, or push with this one",
    );
  }
  const ours = local?.pointer ?? null;
  if (isOlder(pointer, ours)) throw setBack(origin, pointer.generation, ours?.generation);
  if (local?.isGood && pointer.id === ours?.id) return { pointer: local.pointer, manifest: null };
  return { pointer, manifest: await trustedManifest(origin, pointer, trust, signal) };
}

function setBack(origin: Origin, offered: number, known: number | undefined): RemoteRefusedError {
  return new RemoteRefusedError(
    `${origin.name} offers generation ${offered}, but the local store has had generation ${known}: a ` +
      "cache is out of date, or someone replays an old snapshot; if the origin was really set back, " +
      "pull into a new store",
  );
}

/** A manifest whose digest is its id and whose signature was verified, if signatures are required. */
interface TrustedManifest extends CheckedManifest {
  readonly signature: string | null;
}

/** The order matters: bytes that nobody has signed are not parsed if signatures are required. */
async function trustedManifest(
  origin: Origin,
  { id, generation, origin: history }: Pointer,
  trust: Trust | null,
  signal: AbortSignal,
): Promise<TrustedManifest> {
  const path = manifestPath(id);
  const name = `${origin.name}/${path}`;
  const bytes = await retrying(signal, async (tries) => {
    const options = { fresh: tries > 1, signal };
    const read = await origin.get(path, (reply) => reply.bytes(MANIFEST_BYTES_MAX), options);
    if (read === null) throw new MissingFileError(`${name} is missing; push the snapshot again`);
    if (snapshotId(read) === id) return read;
    throw new WrongBytes(
      `${name} does not match its id; delete it there, then push the snapshot again`,
    );
  });
  const signature = await readSmallText(origin, signaturePath(id), SIGNATURE_BYTES_MAX, signal);
  if (trust !== null) {
    const { verify, highest } = trust;
    const signed = await verify({ manifest: bytes, id, signature });
    if (signed < highest) throw setBack(origin, signed, highest);
    if (signed !== generation) throw misnumbered(name);
  }
  const checked = await checkedManifest(id, bytes);
  if (typeof checked === "string") {
    throw new RemoteSnapshotError(
      `${name} has a format that this version does not read; install the version that pushed it`,
    );
  }
  const { pointer } = checked;
  if (pointer.generation !== generation || pointer.origin !== history) throw misnumbered(name);
  return { ...checked, signature };
}

function misnumbered(name: string): RemoteSnapshotError {
  return new RemoteSnapshotError(
    `${name} has another generation than ${POINTER} or its signature states; push the snapshot again`,
  );
}

/** A snapshot that is being pulled. */
interface PulledSnapshot {
  readonly origin: Origin;
  readonly manifest: TrustedManifest;
  readonly settings: PullSettings;
  readonly verified: VerifiedFiles;
}

/** What was downloaded so far. */
interface Downloaded {
  files: number;
  bytes: number;
}

/** Brings a snapshot into the local store, under the store's lock. */
async function receive(
  pulled: PulledSnapshot,
  lock: Lock,
): Promise<Pick<PullResult, "changed" | "files" | "bytes">> {
  const { manifest, settings, verified } = pulled;
  const { store, keep, signal } = settings;
  const { pointer, files, bytes, signature } = manifest;
  const { id } = pointer;
  const shared = files.filter(({ file }) => folderId(file) === null);
  const notes = await readNotes(store);
  // The wanted files stay, so that a pull resumes after one that failed.
  const wanted = new Set(shared.map(({ file }) => file));
  await prepareStore(store, lock, keep, notes, wanted);
  try {
    const missing = await missingOf(shared, pulled);
    const own = files.filter(({ file }) => folderId(file) === id);
    const downloaded: Downloaded = { files: 0, bytes: 0 };
    const documents = await download(missing, own, pulled, downloaded);
    signal?.throwIfAborted();
    const signed =
      signature === null ? [] : [{ path: "manifest.json.minisig", bytes: Buffer.from(signature) }];
    const { changed, notes: after } = await publishFiles(store, lock, {
      id,
      files: [{ path: "manifest.json", bytes }, ...signed, ...documents],
      history: pointer,
      notes,
    });
    await cleanUpAfter(id, store, lock, keep, after);
    for (const path of verified.keys()) if (!wanted.has(path)) verified.delete(path);
    return { changed, ...downloaded };
  } catch (error) {
    // Cleans up, since a full disk would stay full. The first failure is the one to report.
    const left = readNotes(store).then((now) => cleanUp(store, lock, Infinity, now, wanted));
    await left.catch(() => {});
    throw error;
  }
}

/** The files that the store lacks or has with wrong bytes. */
async function missingOf(
  files: readonly StoredFile[],
  { settings: { store, signal }, verified }: PulledSnapshot,
): Promise<StoredFile[]> {
  let lookedFor = 0;
  const missing = await inParallel(files, COMPARED_AT_ONCE, async (file) => {
    lookedFor += 1;
    if (lookedFor % LOOKED_FOR === 0) await pause();
    signal?.throwIfAborted();
    return (await isStored(store, file, verified)) ? [] : [file];
  });
  return missing.flat();
}

/**
 * Downloads files into the store, then the snapshot's own documents.
 * @returns the documents with their paths in the snapshot's folder
 */
function download(
  files: readonly StoredFile[],
  own: readonly StoredFile[],
  { origin, manifest, settings, verified }: PulledSnapshot,
  downloaded: Downloaded,
) {
  const { store, signal, onProgress } = settings;
  const bytesOf = (all: readonly StoredFile[]) => all.reduce((sum, { bytes }) => sum + bytes, 0);
  const total = bytesOf(files);
  return inTime(origin.name, total + bytesOf(own), signal, async (inner) => {
    await inParallel(files, DOWNLOADED_AT_ONCE, async (file) => {
      await downloadFile(origin, store, file, inner);
      const state = fileState(join(store, file.file));
      if (state !== null) verified.set(file.file, state);
      downloaded.files += 1;
      downloaded.bytes += file.bytes;
      onProgress?.(downloaded.bytes, total, PHASES.downloading);
    });
    return inParallel(own, COMPARED_AT_ONCE, async (document) => {
      const bytes = await downloadBytes(origin, document, inner);
      downloaded.files += 1;
      downloaded.bytes += bytes.length;
      return { path: document.file.slice(manifest.pointer.id.length + 1), bytes };
    });
  });
}
