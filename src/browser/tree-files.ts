import { rangeHeader } from "../lib/http.js";
import type { Manifest } from "../store/format.js";
import { dataName, packPieces } from "../store/segments/directory.js";
import type { ByteRange, ByteSource } from "../store/source.js";
import { storedJson } from "../store/stored-json.js";
import { cacheOf, IMMUTABLE } from "./early-worker.js";
import { Debounce } from "./timing.js";

const MANIFEST = /^data\/[0-9a-f]+\/manifest\.json$/;
/** Milliseconds without a byte after which a file counts as lost. */
const IDLE_MS = 30_000;
const PARTIAL = 206;

/**
 * Reads the files of a tree, and keeps those that never change in the browser's cache until a manifest no longer names
 * them. Pages that were not loaded over https may have no such cache.
 */
export class TreeFiles {
  readonly #root: string;
  readonly #cache: Promise<Cache | null>;
  /** The files and parts that are being read, by their keys. */
  readonly #reading = new Map<string, Promise<Uint8Array>>();
  /** Whole files of which parts were asked for, by their paths: the server ignores ranges. */
  readonly #wholes = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  /** Files that were read elsewhere, by their paths. Each is used for the next read of its path. */
  readonly #given = new Map<string, Uint8Array<ArrayBuffer>>();

  /** @param root the address of the tree, with a slash at its end */
  constructor(root: string) {
    this.#root = root;
    this.#cache = openCache(cacheOf(root));
  }

  /** Reads a file by its path, or a part of it. */
  readonly read: ByteSource = async (path, range, _, isAgain = false) => {
    const given = range === undefined ? this.#given.get(path) : undefined;
    this.#given.delete(path);
    if (IMMUTABLE.test(path)) {
      if (given === undefined) return this.#shared(path, range, isAgain);
      this.#keep(path, given);
      return given;
    }
    // The other files change under their names.
    const bytes = given ?? (await this.#whole(path, "no-cache"));
    if (MANIFEST.test(path)) this.#follow(bytes);
    return bytes;
  };

  /** Takes files that were just read, by their paths. */
  take(files: Readonly<Record<string, ArrayBuffer>>): void {
    for (const [path, bytes] of Object.entries(files)) this.#given.set(path, new Uint8Array(bytes));
  }

  /** Reads a file only once if several answers need it at the same time. */
  #shared(path: string, range: ByteRange | undefined, isAgain: boolean): Promise<Uint8Array> {
    const key = keyOf(path, range);
    const reading = this.#reading.get(key) ?? this.#immutable(path, range, isAgain);
    this.#reading.set(key, reading);
    const end = () => this.#reading.delete(key);
    reading.then(end, end);
    return reading;
  }

  /** @param isAgain whether the first bytes were wrong: the second read bypasses all caches */
  async #immutable(
    path: string,
    range: ByteRange | undefined,
    isAgain: boolean,
  ): Promise<Uint8Array> {
    const mode = isAgain ? "reload" : "force-cache";
    if (isAgain) this.#wholes.delete(path);
    const kept = isAgain ? null : await this.#kept(keyOf(path, range));
    if (kept !== null) return kept;
    if (range !== undefined) return this.#part(path, range);
    const bytes = await this.#whole(path, mode);
    this.#keep(path, bytes);
    return bytes;
  }

  async #part(path: string, range: ByteRange): Promise<Uint8Array> {
    const { offset, length } = range;
    const cut = (whole: Uint8Array) => whole.subarray(offset, offset + length);
    const known = this.#wholes.get(path);
    if (known !== undefined) return cut(await known);
    const key = keyOf(path, range);
    // Requests that may use the browser's HTTP cache wait for each other if they are for the same file.
    const headers = rangeHeader(range);
    const reply = await request(this.#root + path, { cache: "no-store", headers });
    if (reply.status === PARTIAL) {
      const bytes = await reply.body();
      this.#keep(key, bytes);
      return bytes;
    }
    // The server sends the whole file, perhaps for another part, too.
    const coming = this.#wholes.get(path);
    if (coming !== undefined) reply.cancel();
    const whole = coming ?? reply.body();
    this.#wholes.set(path, whole);
    whole.catch(() => this.#wholes.delete(path));
    const part = cut(await whole);
    this.#keep(key, new Uint8Array(part));
    return part;
  }

  async #whole(path: string, mode: RequestCache): Promise<Uint8Array<ArrayBuffer>> {
    return (await request(this.#root + path, { cache: mode })).body();
  }

  /** What the browser's cache has under a key. */
  async #kept(key: string): Promise<Uint8Array | null> {
    const kept = await (await this.#cache)?.match(this.#root + key);
    return kept === undefined ? null : new Uint8Array(await kept.arrayBuffer());
  }

  /** Puts bytes into the browser's cache. If it is full, reading continues without it. */
  #keep(key: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.#cache.then((cache) => cache?.put(this.#root + key, new Response(bytes))).catch(() => {});
  }

  /** Drops the cached files that a manifest does not name. */
  #follow(bytes: Uint8Array): void {
    const { segments, extras = {} }: Pick<Manifest, "segments" | "extras"> = storedJson(bytes);
    this.#wholes.clear();
    const files = [
      ...segments.flatMap((segment) => [segment.table, ...packPieces(segment)]),
      ...Object.values(extras).flatMap(({ files: added }) => added),
    ];
    const named = new Set(files.map(({ file }) => `${this.#root}data/${dataName(file)}`));
    // If the cache cannot be read, reading continues without it.
    this.#dropOthers(named).catch(() => {});
  }

  /** Drops cached files. @param named the addresses of those that stay */
  async #dropOthers(named: ReadonlySet<string>): Promise<void> {
    const cache = await this.#cache;
    for (const { url } of (await cache?.keys()) ?? []) {
      if (!named.has(url.replace(/\?.*/, ""))) await cache?.delete(url);
    }
  }
}

/** The address of a file or part in the cache, relative to the root. */
function keyOf(path: string, range: ByteRange | undefined): string {
  return range === undefined ? path : `${path}?${range.offset}-${range.length}`;
}

/** The browser's cache; null if the page has none. */
async function openCache(name: string): Promise<Cache | null> {
  try {
    return await caches.open(name);
  } catch {
    return null;
  }
}

/** A reply of which the head has arrived. */
interface FileReply {
  readonly status: number;
  body(): Promise<Uint8Array<ArrayBuffer>>;
  /** Ends a reply whose body is not needed. */
  cancel(): void;
}

/** Asks for a file, and gives up after IDLE_MS without a byte. */
async function request(url: string, init: RequestInit): Promise<FileReply> {
  const controller = new AbortController();
  const idle = new Debounce(IDLE_MS);
  const cancel = () => {
    idle.end();
    controller.abort();
  };
  const stayAwake = () => idle.run(cancel);
  stayAwake();
  try {
    const { ok, status, body } = await fetch(url, { ...init, signal: controller.signal });
    if (!ok) throw new Error(`${url} was answered with ${status}`);
    return { status, cancel, body: () => read(body, stayAwake).finally(() => idle.end()) };
  } catch (error) {
    idle.end();
    throw error;
  }
}

/** @param onChunk called with each piece that arrives */
async function read(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  onChunk: () => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    onChunk();
    chunks.push(next.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
