import { textHash } from "../../contract/host.js";
import type { Answer } from "../answer/answer.js";

/*
 * Caches whole answers of one snapshot, so that a repeated request costs one look-up. The cache keeps an answer once it
 * has been requested twice, or at once if it cost a compression or a drawing: otherwise a client that reads everything would evict
 * the popular answers. The second request must come soon. If more bytes of other answers than the cache can hold come
 * in between, the answer would be evicted before its next request. (Measured with reports requested by Zipf's law and
 * room for a twentieth of them: 71 % of requests hit the cache. If it kept every answer, 66 % would, at twelve times
 * the copies.) Eviction follows the clock algorithm: the oldest answer goes, unless it was read since the hand last
 * passed it.
 */

/** A cached answer with everything needed to send it: as a 200, or as a 304 to a client that already has it. */
export interface KeptAnswer {
  readonly tag: string;
  readonly route: Answer["route"];
  /** Alternating names and values of the headers, as node takes them: those of the 200, and those of a 304. */
  readonly headers: readonly string[];
  readonly unchanged: readonly string[];
  /** Null if the answer was only sent as a 304 so far. */
  readonly body: Uint8Array | null;
}

interface Kept {
  readonly answer: KeptAnswer;
  readonly bytes: number;
  wasRead: boolean;
}

/** Headers that a 304 leaves out. */
const OF_THE_BODY: ReadonlySet<string> = new Set([
  "Content-Type",
  "Content-Encoding",
  "Content-Length",
]);
/** The most bytes that an answer takes besides its body, its key and its `Link` header. A test measures it. */
const OVERHEAD = 1_280;
/** Keys that were requested once are remembered in 2 ** DOOR_BITS bits, one for each hash. */
const DOOR_BITS = 20;

export class AnswerCache {
  readonly #bytesMax: number;
  /** In the order in which the hand reaches them. */
  readonly #kept = new Map<string, Kept>();
  /**
   * Stays in front of the oldest answer. A new iterator for each eviction would walk over all deleted entries again.
   */
  #hand: MapIterator<[string, Kept]> = this.#kept.entries();
  /**
   * One bit for each key hash: whether a key with that hash was requested. Two keys that share a bit do no harm: the
   * second key is cached one request early.
   */
  readonly #door = new Uint32Array(2 ** DOOR_BITS / 32);
  /** Bytes of the answers that were turned away since the door was last cleared. */
  #turnedAway = 0;
  #bytes = 0;

  /** @param bytesMax 0 caches nothing */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** An upper bound of the bytes in use; never more than `bytesMax`. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): KeptAnswer | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    kept.wasRead = true;
    return kept.answer;
  }

  /**
   * Caches a 200 or 304 of a read if its key was requested before or the answer cost a compression or a drawing.
   * @param key names a representation of an address
   */
  offer(key: string, offered: Answer): void {
    const bytes = weightOf(key, offered);
    if (bytes === null || bytes > this.#bytesMax / 4) return;
    const { headers, body, route } = offered;
    const isMade = headers["Content-Encoding"] !== undefined || isDrawn(headers);
    const isCostly = body !== null && isMade;
    if (!isCostly && !this.#wasAskedFor(key, bytes)) return;
    const before = this.#kept.get(key);
    if (before !== undefined && (body === null || before.answer.body !== null)) return;
    const entries = Object.entries(headers);
    const answer = {
      tag: headers.ETag ?? "",
      route,
      // `flat` makes an array with spare capacity, a copy has none.
      headers: entries.flat().slice(),
      unchanged: entries
        .filter(([name]) => !OF_THE_BODY.has(name))
        .flat()
        .slice(),
      // A view of a larger buffer would keep that whole buffer in memory.
      body: body === null || body.buffer.byteLength === body.length ? body : new Uint8Array(body),
    };
    this.#bytes += bytes - (before?.bytes ?? 0);
    this.#kept.delete(key);
    this.#kept.set(key, { answer, bytes, wasRead: false });
    while (this.#bytes > this.#bytesMax) this.#passOldest();
  }

  /**
   * Remembers that a key was requested.
   * @returns whether it was requested before
   */
  #wasAskedFor(key: string, bytes: number): boolean {
    const place = textHash(key) >>> (32 - DOOR_BITS);
    const [word, bit] = [place >>> 5, 1 << (place & 31)];
    if ((this.#door[word]! & bit) !== 0) return true;
    this.#turnedAway += bytes;
    if (this.#turnedAway > this.#bytesMax) {
      this.#door.fill(0);
      this.#turnedAway = bytes;
    }
    this.#door[word]! |= bit;
    return false;
  }

  #passOldest(): void {
    const { value, done } = this.#hand.next();
    if (done) {
      this.#hand = this.#kept.entries();
      return;
    }
    const [key, kept] = value;
    this.#kept.delete(key);
    if (kept.wasRead) {
      kept.wasRead = false;
      this.#kept.set(key, kept);
    } else {
      this.#bytes -= kept.bytes;
    }
  }
}

/** Whether the body is a drawing, such as a card. */
function isDrawn(headers: Answer["headers"]): boolean {
  return headers["Content-Type"] === "image/png";
}

/** Returns an upper bound of the bytes that an answer takes; null if the answer cannot be cached. */
function weightOf(key: string, { status, headers, body }: Answer): number | null {
  const isKnown = status === 304 || (status === 200 && body !== null);
  if (!isKnown || headers.ETag === undefined) return null;
  // `Link` is the only header that can be as long as an address.
  const texts = key.length + (headers.Link?.length ?? 0);
  return OVERHEAD + 2 * texts + (body?.length ?? 0);
}
