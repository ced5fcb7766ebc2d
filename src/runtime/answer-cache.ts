import type { RouteName } from "../contract/routes.js";

/*
 * Keeps whole answers of one snapshot, so that what is asked for again costs a look-up. What was asked for
 * once is not kept: a reader of everything would drive out all that is read often. Room is made by the
 * clock's rule: the oldest goes, unless it was read since the hand last passed.
 */

/** An answer with all that sending it takes, with a 200 or, to a client that has it, a 304. */
export interface KeptAnswer {
  readonly tag: string;
  /** The contract's read that it answers. */
  readonly route: RouteName;
  /** Names and values of headers in turn, as node takes them: of the 200, and of a 304. */
  readonly headers: readonly string[];
  readonly unchanged: readonly string[];
  /** Null where only 304s were asked for so far. */
  readonly body: Uint8Array | null;
}

interface Kept {
  readonly answer: KeptAnswer;
  readonly bytes: number;
  wasRead: boolean;
}

/** Bytes that an answer takes beside its body and its key, about. */
const OVERHEAD = 1_024;
/** Keys that were asked for once are remembered in so many places; a power of two. */
const DOOR_PLACES = 1 << 16;

export class AnswerCache {
  readonly #bytesMax: number;
  /** In the order in which the hand comes to them. */
  readonly #kept = new Map<string, Kept>();
  /** By the key's hash: the hash of the last key there that was asked for and not kept. */
  readonly #door = new Uint32Array(DOOR_PLACES);
  #bytes = 0;

  /** @param bytesMax 0 keeps nothing */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes that are taken, about. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): KeptAnswer | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    kept.wasRead = true;
    return kept.answer;
  }

  /** Whether an answer of this size is to be put in: it fits, and its key was asked for before. */
  wants(key: string, length: number): boolean {
    if (sizeOf(key, length) > this.#bytesMax / 4) return false;
    const hash = hashOf(key);
    const place = hash & (DOOR_PLACES - 1);
    if (this.#door[place] === hash) return true;
    this.#door[place] = hash;
    return false;
  }

  /** Puts an answer in, which has a buffer of its own. */
  put(key: string, answer: KeptAnswer): void {
    const bytes = sizeOf(key, answer.body?.length ?? 0);
    this.#remove(key);
    this.#bytes += bytes;
    this.#kept.set(key, { answer, bytes, wasRead: false });
    while (this.#bytes > this.#bytesMax) this.#passOldest();
  }

  #passOldest(): void {
    const [oldest] = this.#kept;
    if (oldest === undefined) return;
    const [key, kept] = oldest;
    this.#kept.delete(key);
    if (kept.wasRead) {
      kept.wasRead = false;
      this.#kept.set(key, kept);
    } else {
      this.#bytes -= kept.bytes;
    }
  }

  #remove(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#bytes -= kept.bytes;
  }
}

function sizeOf(key: string, bodyLength: number): number {
  return OVERHEAD + 2 * key.length + bodyLength;
}

/** FNV-1a over UTF-16 code units; never 0, which stands for none. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  }
  hash ^= hash >>> 15;
  return (hash | 1) >>> 0;
}
