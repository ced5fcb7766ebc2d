import type { Manifest } from "../store/format.js";
import type { Progress } from "./tree.js";
import { Pause } from "./waiting.js";

/** Files whose names are hashes of their content. */
const IMMUTABLE = /^data\/segments\//;
const MANIFEST = /^data\/[0-9a-f]+\/manifest\.json$/;
/** The files that searches need. */
const TABLE = /^data\/segments\/.*\.parquet$/;
/** Milliseconds without a byte after which a file counts as lost. */
const IDLE_MS = 30_000;

/** Reads the files of a tree. The browser's HTTP cache keeps those that never change. */
export class TreeFiles {
  readonly #root: string;
  readonly #tell: (progress: Progress) => void;
  /** The files that were read just now. If one is read again, its bytes were not right: no cache counts. */
  readonly #once = new Set<string>();
  /** What is being read, by its path. */
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
  }

  /** Reads a file by its path (`FetchStore`). Packs lie in pieces in a tree, so no part of a file is asked for. */
  readonly read = async (path: string): Promise<Uint8Array> => {
    if (IMMUTABLE.test(path)) return this.#shared(path);
    // The other files change under their names.
    const bytes = await fetchBytes(this.#root + path, "no-cache", () => {});
    if (MANIFEST.test(path)) this.#follow(bytes);
    return bytes;
  };

  /** Reads once what several answers need at the same time. */
  #shared(path: string): Promise<Uint8Array> {
    const reading = this.#reading.get(path) ?? this.#immutable(path);
    this.#reading.set(path, reading);
    const end = () => this.#reading.delete(path);
    reading.then(end, end);
    return reading;
  }

  #immutable(path: string): Promise<Uint8Array> {
    const isAgain = this.#once.delete(path);
    if (!isAgain) this.#once.add(path);
    const isTable = TABLE.test(path);
    const count = (bytes: number) => {
      this.#loaded = Math.min(this.#total, this.#loaded + bytes);
      if (isTable) this.#tell({ loaded: this.#loaded, total: this.#total });
    };
    count(0);
    return fetchBytes(this.#root + path, isAgain ? "reload" : "force-cache", (chunk) =>
      count(isTable ? chunk.length : 0),
    );
  }

  /** Notes how much there is to load of a manifest. */
  #follow(bytes: Uint8Array): void {
    const { segments }: Pick<Manifest, "segments"> = JSON.parse(new TextDecoder().decode(bytes));
    this.#once.clear();
    this.#loaded = 0;
    this.#total = segments.reduce((sum, { table }) => sum + table.bytes, 0);
  }
}

/** Fetches a file. @param onChunk receives its bytes as they arrive */
async function fetchBytes(
  url: string,
  cache: RequestCache,
  onChunk: (chunk: Uint8Array) => void,
): Promise<Uint8Array> {
  const controller = new AbortController();
  const idle = new Pause(IDLE_MS);
  const stayAwake = () => idle.run(() => controller.abort());
  stayAwake();
  try {
    const { ok, status, body } = await fetch(url, { cache, signal: controller.signal });
    if (!ok) throw new Error(`${url} was answered with ${status}`);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const reader = body?.getReader();
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      stayAwake();
      onChunk(next.value);
      chunks.push(next.value);
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  } finally {
    idle.end();
  }
}
