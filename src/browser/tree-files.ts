import type { Manifest } from "../store/format.js";
import { packPieces } from "../store/pack-pieces.js";
import { Debounce } from "./timing.js";
import type { Progress } from "./tree.js";

/** Files whose names are hashes of their content. */
const IMMUTABLE = /^data\/segments\//;
const MANIFEST = /^data\/[0-9a-f]+\/manifest\.json$/;
/**
 * The number of tables read in parallel. Browsers open six connections to an HTTP/1.1 server; one is for other files.
 */
const LANES = 5;
/** Milliseconds without a byte after which a file counts as lost. */
const IDLE_MS = 30_000;

/**
 * Reads the files of a tree, and keeps those that never change in the browser's cache until a manifest no longer names
 * them. Pages that were not loaded over https may have no such cache.
 */
export class TreeFiles {
  readonly #root: string;
  readonly #tell: (progress: Progress) => void;
  readonly #cache: Promise<Cache | null>;
  /**
   * The files that were read once since the last manifest. A second read bypasses all caches: the first bytes were
   * wrong.
   */
  readonly #once = new Set<string>();
  /** The files that are being read, by their paths. */
  readonly #reading = new Map<string, Promise<Uint8Array>>();
  /** The tables that are read before a search asks for them, by their paths. */
  readonly #ahead = new Map<string, Promise<Uint8Array>>();
  /** Files that were read elsewhere, by their paths. Each is used for the next read of its path. */
  readonly #given = new Map<string, Uint8Array>();
  /** Whether tables are read as soon as a manifest names them: a search is waiting. */
  isSearched = false;

  /**
   * @param root the address of the tree, with a slash at its end
   * @param tell receives the progress of the files that searches need
   */
  constructor(root: string, tell: (progress: Progress) => void = () => {}) {
    this.#root = root;
    this.#tell = tell;
    this.#cache = openCache(`crawldex ${root}`);
  }

  /** Reads a file by its path (`ByteSource`). A tree has packs in pieces, so callers always read complete files. */
  readonly read = async (path: string): Promise<Uint8Array> => {
    if (IMMUTABLE.test(path)) return this.#shared(path);
    // The other files change under their names.
    const bytes = this.#given.get(path) ?? (await fetchBytes(this.#root + path, "no-cache"));
    this.#given.delete(path);
    if (MANIFEST.test(path)) this.#follow(bytes);
    return bytes;
  };

  /** Takes files that were just read, by their paths. */
  take(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      this.#given.set(path, new TextEncoder().encode(text));
    }
  }

  /** Reads a file only once if several answers need it at the same time. */
  #shared(path: string): Promise<Uint8Array> {
    const reading = this.#ahead.get(path) ?? this.#reading.get(path) ?? this.#immutable(path);
    this.#ahead.delete(path);
    this.#reading.set(path, reading);
    const end = () => this.#reading.delete(path);
    reading.then(end, end);
    return reading;
  }

  async #immutable(path: string): Promise<Uint8Array> {
    const url = this.#root + path;
    const isAgain = this.#once.delete(path);
    if (!isAgain) this.#once.add(path);
    const cache = await this.#cache;
    const kept = isAgain ? undefined : await cache?.match(url);
    if (kept !== undefined) return new Uint8Array(await kept.arrayBuffer());
    const bytes = await fetchBytes(url, isAgain ? "reload" : "force-cache");
    // If the cache is full, reading continues without it.
    cache?.put(url, new Response(bytes)).catch(() => {});
    return bytes;
  }

  /** Reads tables in order, a few at a time, so that the first ones can be opened while others are still loading. */
  #readAhead(paths: readonly string[]): void {
    const ends: Promise<unknown>[] = [];
    let loaded = 0;
    const tell = () => this.#tell({ loaded, total: paths.length });
    tell();
    for (const [index, path] of paths.entries()) {
      const reading = (ends[index - LANES] ?? Promise.resolve())
        .then(() => this.#immutable(path))
        .finally(() => {
          loaded += 1;
          tell();
        });
      this.#ahead.set(path, reading);
      // The search that asks for it gets the error.
      ends.push(reading.catch(() => {}));
    }
  }

  /** If a search is waiting, reads a manifest's tables, newest first. Drops the cached files that it does not name. */
  #follow(bytes: Uint8Array): void {
    const { segments }: Pick<Manifest, "segments"> = JSON.parse(new TextDecoder().decode(bytes));
    this.#once.clear();
    const tables = segments.map(({ table }) => `data/${table.file}`);
    const named = new Set(
      segments
        .flatMap((segment) => packPieces(segment).map(({ file }) => `data/${file}`))
        .concat(tables)
        .map((path) => this.#root + path),
    );
    if (this.isSearched) this.#readAhead(tables.toReversed());
    // If the cache cannot be read, reading continues without it.
    this.#dropOthers(named).catch(() => {});
  }

  /** Drops cached files. @param named the addresses of those that stay */
  async #dropOthers(named: ReadonlySet<string>): Promise<void> {
    const cache = await this.#cache;
    for (const { url } of (await cache?.keys()) ?? []) {
      if (!named.has(url)) await cache?.delete(url);
    }
  }
}

/** The browser's cache; null if the page has none. */
async function openCache(name: string): Promise<Cache | null> {
  try {
    return await caches.open(name);
  } catch {
    return null;
  }
}

/** Fetches a file, and gives up after IDLE_MS without a byte. */
async function fetchBytes(url: string, cache: RequestCache): Promise<Uint8Array<ArrayBuffer>> {
  const controller = new AbortController();
  const idle = new Debounce(IDLE_MS);
  const stayAwake = () => idle.run(() => controller.abort());
  stayAwake();
  try {
    const { ok, status, body } = await fetch(url, { cache, signal: controller.signal });
    if (!ok) throw new Error(`${url} was answered with ${status}`);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const reader = body?.getReader();
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      stayAwake();
      chunks.push(next.value);
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  } finally {
    idle.end();
  }
}
