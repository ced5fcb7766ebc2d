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
/** The most keys of answers that are not in the cache but were requested lately. */
const SEEN_MAX = 20_000;
/** The most targets whose canonical form is known, and the most characters of one: they take up to 10 MB. */
const SPELLINGS_MAX = 10_000;
const SPELLING_LENGTH_MAX = 500;
/** The share of the bytes for answers that were requested once. */
const TRIAL = 1 / 10;
/** Rounds of eviction that an answer can outlast, at most, after its last request. */
const USES_MAX = 3;

/** A cached answer with what eviction needs to know. */
interface Entry {
  readonly answer: KeptAnswer;
  readonly key: string;
  readonly size: number;
  /** When the answer stops being true, in milliseconds since 1970. */
  readonly until: number;
  /** Requests since the last look at it for eviction, up to `USES_MAX`. */
  uses: number;
  queue: Queue;
}

/**
 * Caches whole answers of one snapshot, so that a repeated request costs one look-up. A client that reads everything
 * must not evict the popular answers. So an answer is cached at its second request, if that comes before more bytes of
 * other answers than the cache can hold. One that cost a compression or a drawing is cached at its first, but on trial:
 * in a tenth of the bytes, which it leaves again without a second request. The oldest answer is evicted unless it was
 * requested meanwhile: then it becomes the newest. (S3-FIFO, Yang et al., SOSP 2023.)
 */
export class AnswerCache {
  readonly #bytesMax: number;
  readonly #entries = new Map<string, Entry>();
  readonly #trial = new Queue();
  readonly #main = new Queue();
  /** Keys, and the sizes of their answers. */
  readonly #seen = new Map<string, number>();
  #seenBytes = 0;
  /** Canonical forms by request target: to parse a target costs as much as to send its answer. */
  readonly #spellings = new Map<string, string>();

  /** @param bytesMax 0 caches nothing */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** An upper bound of the bytes in use; never more than `bytesMax`. */
  get bytes(): number {
    return this.#trial.bytes + this.#main.bytes;
  }

  get(key: string): KeptAnswer | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until !== Number.POSITIVE_INFINITY && entry.until <= Date.now()) {
      this.#remove(entry);
      return undefined;
    }
    if (entry.uses < USES_MAX) entry.uses += 1;
    return entry.answer;
  }

  /** The canonical form of a target; undefined if it is not known. */
  canonicalOf(target: string): string | undefined {
    return this.#spellings.get(target);
  }

  /** Notes the canonical form of a target that is in another one. */
  noteSpelling(target: string, canonical: string): void {
    if (target.length > SPELLING_LENGTH_MAX) return;
    if (this.#spellings.size >= SPELLINGS_MAX) this.#spellings.clear();
    this.#spellings.set(target, canonical);
  }

  /**
   * Caches a 200 or 304 of a read if its key was requested before or the answer cost a compression or a drawing.
   * @param key names a representation of an address
   */
  offer(key: string, offered: Answer): void {
    const size = weightOf(key, offered);
    if (size === null || size > this.#bytesMax / 4) return;
    const before = this.#entries.get(key);
    if (before !== undefined && (offered.body === null || before.answer.body !== null)) return;
    const wasSeen = this.#forget(key) || before !== undefined;
    if (!wasSeen && !isCostly(offered)) {
      this.#remember(key, size);
      return;
    }
    if (before !== undefined) this.#remove(before);
    const queue = wasSeen ? this.#main : this.#trial;
    const until = offered.until ?? Number.POSITIVE_INFINITY;
    const entry = { answer: keptAnswer(offered), key, size, until, uses: 0, queue };
    while (this.bytes + size > this.#bytesMax) this.#evict();
    this.#entries.set(key, entry);
    queue.add(entry);
  }

  /** Evicts an answer, or moves one to the newest end, where it can be evicted later. */
  #evict(): void {
    const isTrial = this.#trial.bytes > this.#bytesMax * TRIAL || this.#main.bytes === 0;
    const oldest = (isTrial ? this.#trial : this.#main).oldest();
    if (oldest.uses === 0) {
      this.#remove(oldest);
      if (isTrial) this.#remember(oldest.key, oldest.size);
      return;
    }
    oldest.queue.delete(oldest);
    oldest.uses = isTrial ? 0 : oldest.uses - 1;
    oldest.queue = this.#main;
    this.#main.add(oldest);
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.key);
    entry.queue.delete(entry);
  }

  /** Notes the key of an answer that is not cached, and forgets the oldest ones beyond the limits. */
  #remember(key: string, size: number): void {
    this.#seen.set(key, size);
    this.#seenBytes += size;
    for (const oldest of this.#seen.keys()) {
      if (this.#seenBytes <= this.#bytesMax && this.#seen.size <= SEEN_MAX) return;
      this.#forget(oldest);
    }
  }

  /** @returns whether the key was noted */
  #forget(key: string): boolean {
    this.#seenBytes -= this.#seen.get(key) ?? 0;
    return this.#seen.delete(key);
  }
}

/** Answers in the order in which they were added. */
class Queue {
  bytes = 0;
  readonly #entries = new Set<Entry>();
  /** Stays where it is from one call to the next: a new one would pass over the gaps that deleted entries leave. */
  #next = this.#entries.values();

  add(entry: Entry): void {
    this.#entries.add(entry);
    this.bytes += entry.size;
  }

  delete(entry: Entry): void {
    this.#entries.delete(entry);
    this.bytes -= entry.size;
  }

  /** The caller deletes the entry, and may add it again. @throws RangeError if there are none */
  oldest(): Entry {
    let { value } = this.#next.next();
    if (value === undefined) {
      this.#next = this.#entries.values();
      value = this.#next.next().value;
    }
    if (value === undefined) throw new RangeError("the queue is empty");
    return value;
  }
}

function keptAnswer({ headers, body, route }: Answer): KeptAnswer {
  const entries = Object.entries(headers);
  return {
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
