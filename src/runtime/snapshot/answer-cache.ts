import { textHash } from "../../contract/host.js";
import type { Answer } from "../answer/answer.js";

/*
 * Keeps whole answers of one snapshot, so that what is asked for again costs a look-up. What was asked for
 * once is not kept, unless it was compressed for that: a reader of everything would drive out all that is
 * read often. Nor is what comes back after more others than there is room for: it would be driven out before
 * it comes again. (Of reports read by Zipf's law with room for a twentieth, 71 % are kept answers, 66 % if all
 * were remembered, for a twelfth of the copies.) Room is made by the clock's rule: the oldest goes, unless it
 * was read since the hand last passed.
 */

/** An answer with all that sending it takes, with a 200 or, to a client that has it, a 304. */
export interface KeptAnswer {
  readonly tag: string;
  readonly route: Answer["route"];
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

/** Headers that a 304 has not. */
const OF_THE_BODY: ReadonlySet<string> = new Set([
  "Content-Type",
  "Content-Encoding",
  "Content-Length",
]);
/** Bytes that an answer takes beside its body and its longest texts, at most; a test weighs it. */
const OVERHEAD = 1_280;
/** Keys that were asked for once are remembered by a bit each, of two to the power of DOOR_BITS. */
const DOOR_BITS = 20;

export class AnswerCache {
  readonly #bytesMax: number;
  /** In the order in which the hand comes to them. */
  readonly #kept = new Map<string, Kept>();
  /** Always before the oldest: begun anew for each, a map's iterator would pass all that went before. */
  #hand: MapIterator<[string, Kept]> = this.#kept.entries();
  /** By the key's hash, whether it was asked for. Two keys that share a bit are both kept: neither hides the other. */
  readonly #door = new Uint32Array(2 ** DOOR_BITS / 32);
  /** Bytes of answers that came for the first time since the door was emptied. */
  #turnedAway = 0;
  #bytes = 0;

  /** @param bytesMax 0 keeps nothing */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes that are taken, at most; never more than `bytesMax`. */
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
   * Keeps a 200 or 304 of a read where it is wanted: its key was asked for before, or it cost a compression. A public
   * document that is sent from its file has no body to keep: who gets true is to offer it once more with its bytes.
   * @param key names a representation of an address
   * @returns whether the body is missing, and would be kept
   */
  offer(key: string, offered: Answer): boolean {
    const bytes = weightOf(key, offered);
    if (bytes === null || bytes > this.#bytesMax / 4) return false;
    const { headers, body, route, document } = offered;
    const isCostly = body !== null && headers["Content-Encoding"] !== undefined;
    if (!isCostly && !this.#wasAskedFor(key, bytes)) return false;
    if (body === null && document !== undefined) return true;
    const before = this.#kept.get(key);
    if (before !== undefined && (body === null || before.answer.body !== null)) return false;
    const entries = Object.entries(headers);
    const answer = {
      tag: headers.ETag ?? "",
      route,
      // What `flat` makes has room to grow, which a copy has not.
      headers: entries.flat().slice(),
      unchanged: entries
        .filter(([name]) => !OF_THE_BODY.has(name))
        .flat()
        .slice(),
      // A part of a larger buffer would hold all of that.
      body: body === null || body.buffer.byteLength === body.length ? body : new Uint8Array(body),
    };
    this.#bytes += bytes - (before?.bytes ?? 0);
    this.#kept.delete(key);
    this.#kept.set(key, { answer, bytes, wasRead: false });
    while (this.#bytes > this.#bytesMax) this.#passOldest();
    return false;
  }

  /** Remembers that a key was asked for. @returns whether it was before */
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

/** Bytes that an answer takes, at most, with the body that it has or is to have; null where it is not to be kept. */
function weightOf(key: string, { status, headers, body, document }: Answer): number | null {
  const length = document === undefined ? body?.length : Number(headers["Content-Length"]);
  const isKnown = status === 304 || (status === 200 && length !== undefined);
  if (!isKnown || headers.ETag === undefined) return null;
  // Of the headers, this one alone is as long as an address.
  const texts = key.length + (headers.Link?.length ?? 0);
  return OVERHEAD + 2 * texts + (length ?? 0);
}
