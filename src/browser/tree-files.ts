import type { ByteRange } from "../fetch/store.js";
import type { Manifest } from "../store/format.js";
import { packPieces } from "../store/pack-pieces.js";
import type { Progress } from "./tree.js";
import { Pause } from "./waiting.js";

/** Files whose names are hashes of their content. */
const IMMUTABLE = /^data\/segments\//;
const MANIFEST = /^data\/[0-9a-f]+\/manifest\.json$/;
/** The files that searches need. */
const TABLE = /^data\/segments\/.*\.parquet$/;
/** Milliseconds without a byte after which a file counts as lost. */
const IDLE_MS = 30_000;
const NOTHING = new Uint8Array();

/**
 * Reads the files of a tree, and keeps those that never change in the browser's cache until a manifest no longer names
 * them. Pages that were not loaded over https may have no such cache.
 */
export class TreeFiles {
  readonly #root: string;
  readonly #tell: (progress: Progress) => void;
  readonly #cache: Promise<Cache | null>;
  /** The keys of what was read once of this snapshot. If it is read again, the first bytes were not right: no cache counts. */
  readonly #once = new Set<string>();
  /** What is being read, by its key. */
  readonly #reading = new Map<string, Promise<Uint8Array>>();
  #loaded = 0;
  #total = 0;

  /**
   * @param root the address of the tree, with a slash at its end
   * @param tell receives the progress of the files that searches need
   */
  constructor(root: string, tell: (progress: Progress) => void = () => {}) {
    this.#root = root;
    this.#tell = tell;
    this.#cache = openCache(`crawldex ${root}`);
  }

  /** Reads a file by its path, or a part of it (`FetchStore`). */
  readonly read = async (path: string, range?: ByteRange): Promise<Uint8Array> => {
    if (IMMUTABLE.test(path)) return this.#shared(path, range);
    // The other files change under their names.
    const { bytes } = await fetchBytes(this.#root + path, { cache: "no-cache" }, () => {});
    if (MANIFEST.test(path)) await this.#follow(bytes);
    return bytes;
  };

  /** Reads once what several answers need at the same time. */
  #shared(path: string, range: ByteRange | undefined): Promise<Uint8Array> {
    const whole = this.#root + path;
    const key = range === undefined ? whole : `${whole}?${range.offset}-${range.length}`;
    const reading = this.#reading.get(key) ?? this.#immutable(path, whole, key, range);
    this.#reading.set(key, reading);
    const end = () => this.#reading.delete(key);
    reading.then(end, end);
    return reading;
  }

  async #immutable(
    path: string,
    whole: string,
    key: string,
    range: ByteRange | undefined,
  ): Promise<Uint8Array> {
    const isAgain = this.#once.delete(key);
    if (!isAgain) this.#once.add(key);
    const cache = await this.#cache;
    const kept = isAgain ? undefined : await cache?.match(key);
    if (kept !== undefined) return this.#count(path, await wholeBody(kept));
    const file = isAgain || range === undefined ? undefined : await cache?.match(whole);
    if (file !== undefined) return partOf(await wholeBody(file), range);
    this.#count(path, NOTHING);
    const init: RequestInit = { cache: isAgain ? "reload" : "force-cache" };
    if (range !== undefined) {
      init.headers = { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` };
    }
    const { status, bytes } = await fetchBytes(whole, init, (chunk) => this.#count(path, chunk));
    const isPart = status === 206;
    // Reading goes on without a cache that is full.
    cache?.put(isPart ? key : whole, new Response(bytes)).catch(() => {});
    return isPart ? bytes : partOf(bytes, range);
  }

  #count<T extends Uint8Array>(path: string, bytes: T): T {
    if (TABLE.test(path)) {
      this.#loaded = Math.min(this.#total, this.#loaded + bytes.length);
      this.#tell({ loaded: this.#loaded, total: this.#total });
    }
    return bytes;
  }

  /** Drops the cached files that a manifest, the newest one, does not name. */
  async #follow(bytes: Uint8Array): Promise<void> {
    const { segments }: Pick<Manifest, "segments"> = JSON.parse(new TextDecoder().decode(bytes));
    this.#once.clear();
    this.#loaded = 0;
    this.#total = segments.reduce((sum, { table }) => sum + table.bytes, 0);
    const named = new Set(
      segments
        .flatMap((segment) => [segment.table, ...packPieces(segment)])
        .map(({ file }) => `${this.#root}data/${file}`),
    );
    const cache = await this.#cache;
    for (const { url } of (await cache?.keys()) ?? []) {
      if (!named.has(url.replace(/\?.*/, ""))) await cache?.delete(url);
    }
  }
}

/** Null if the page has none. */
async function openCache(name: string): Promise<Cache | null> {
  try {
    return await caches.open(name);
  } catch {
    return null;
  }
}

async function wholeBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer());
}

/** A copy, so that the rest of the file can be freed. */
function partOf(bytes: Uint8Array, range: ByteRange | undefined): Uint8Array {
  return range === undefined ? bytes : bytes.slice(range.offset, range.offset + range.length);
}

/** Fetches a file. @param onChunk receives its bytes as they arrive */
async function fetchBytes(url: string, init: RequestInit, onChunk: (chunk: Uint8Array) => void) {
  const controller = new AbortController();
  const idle = new Pause(IDLE_MS);
  const stayAwake = () => idle.run(() => controller.abort());
  stayAwake();
  try {
    const { ok, status, body } = await fetch(url, { ...init, signal: controller.signal });
    if (!ok) throw new Error(`${url} was answered with ${status}`);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const reader = body?.getReader();
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      stayAwake();
      onChunk(next.value);
      chunks.push(next.value);
    }
    return { status, bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()) };
  } finally {
    idle.end();
  }
}
