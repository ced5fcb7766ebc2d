import { LRUCache } from "lru-cache";
import type { Answer } from "../answer/answer.js";

/** A cached answer with everything needed to send it: as a 200, or as a 304 to a client that already has it. */
export interface KeptAnswer {
  readonly tag: string;
  readonly route: Answer["route"];
  /** Alternating names and values of the headers, as node takes them: those of the 200, and those of a 304. */
  readonly headers: readonly string[];
  readonly unchanged: readonly string[];
  /** Null if the answer was only sent as a 304 so far. */
  readonly body: Uint8Array | null;
  /** Whether a request may ask for a part of it. */
  readonly hasParts: boolean;
}

/** Headers that a 304 leaves out. */
const OF_THE_BODY: ReadonlySet<string> = new Set([
  "Content-Type",
  "Content-Encoding",
  "Content-Length",
  "Repr-Digest",
]);
/** The most bytes that an answer takes besides its body, its key and its `Link` header. A test measures it. */
const OVERHEAD = 1_280;
/** The most keys of answers that were requested once. */
const SEEN_MAX = 20_000;

/**
 * Caches whole answers of one snapshot, so that a repeated request costs one look-up. The cache keeps an answer once it
 * has been requested twice, or immediately if it cost a compression or a drawing: otherwise a client that reads
 * everything would evict the popular answers. The second request must come before more bytes of other answers than the
 * cache can hold: later, the answer would be evicted before its next request.
 */
export class AnswerCache {
  /** Null caches nothing. */
  readonly #kept: LRUCache<string, KeptAnswer> | null;
  readonly #seen: LRUCache<string, true>;

  /** @param bytesMax 0 caches nothing */
  constructor(bytesMax: number) {
    const maxSize = Math.max(bytesMax, 1);
    const maxEntrySize = Math.ceil(maxSize / 4);
    this.#kept = bytesMax === 0 ? null : new LRUCache({ maxSize, maxEntrySize });
    this.#seen = new LRUCache({ max: SEEN_MAX, maxSize });
  }

  /** An upper bound of the bytes in use; never more than `bytesMax`. */
  get bytes(): number {
    return this.#kept?.calculatedSize ?? 0;
  }

  get(key: string): KeptAnswer | undefined {
    return this.#kept?.get(key);
  }

  /**
   * Caches a 200 or 304 of a read if its key was requested before or the answer cost a compression or a drawing.
   * @param key names a representation of an address
   */
  offer(key: string, offered: Answer): void {
    const size = weightOf(key, offered);
    if (size === null || this.#kept === null) return;
    const { headers, body, route } = offered;
    if (!isCostly(offered) && !this.#seen.has(key)) {
      this.#seen.set(key, true, { size });
      return;
    }
    const before = this.#kept.peek(key);
    if (before !== undefined && (body === null || before.body !== null)) return;
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
      hasParts: "Accept-Ranges" in headers,
      // A view of a larger buffer would keep that whole buffer in memory.
      body: body === null || body.buffer.byteLength === body.length ? body : new Uint8Array(body),
    };
    const { until } = offered;
    const ttl = until === undefined ? undefined : Math.max(1, until - Date.now());
    this.#kept.set(key, answer, ttl === undefined ? { size } : { size, ttl });
  }
}

/** Whether an answer was compressed, or is a picture that takes time to draw. */
function isCostly({ headers, body }: Answer): boolean {
  const isMade = "Content-Encoding" in headers || headers["Content-Type"] === "image/png";
  return body !== null && isMade;
}

/** Returns an upper bound of the bytes that an answer takes; null if the answer cannot be cached. */
function weightOf(key: string, { status, headers, body }: Answer): number | null {
  const isKnown = status === 304 || (status === 200 && body !== null);
  if (!isKnown || headers.ETag === undefined) return null;
  // `Link` is the only header that can be as long as an address.
  const texts = key.length + (headers.Link?.length ?? 0);
  return OVERHEAD + 2 * texts + (body?.length ?? 0);
}
