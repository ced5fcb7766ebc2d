/** An answer that can be revalidated with its `ETag`. */
export interface CachedAnswer {
  readonly etag: string;
  /** The unparsed body. Each read parses it again, so that callers never share objects. */
  readonly text: string;
}

export interface EtagCache {
  /** Returns the cached answer for an address and marks it as the most recently used. */
  get(url: string): CachedAnswer | undefined;
  set(url: string, answer: CachedAnswer): void;
  delete(url: string): void;
}

/** Engines store a character in one or two bytes; counting two never underestimates. */
const BYTES_PER_CHARACTER = 2;

/**
 * A cache of at most `maxEntries` answers and `maxBytes` in total. It evicts the least recently used answers first, and
 * does not store an answer larger than `maxBytes`.
 */
export function etagCache(maxEntries: number, maxBytes: number): EtagCache {
  // A Map iterates its keys in insertion order, so the first key is the least recently used.
  const entries = new Map<string, CachedAnswer>();
  let bytes = 0;

  const remove = (url: string): CachedAnswer | undefined => {
    const answer = entries.get(url);
    if (answer === undefined) return undefined;
    entries.delete(url);
    bytes -= entryBytes(url, answer);
    return answer;
  };
  const add = (url: string, answer: CachedAnswer): void => {
    entries.set(url, answer);
    bytes += entryBytes(url, answer);
  };

  return {
    get(url) {
      const answer = remove(url);
      if (answer !== undefined) add(url, answer);
      return answer;
    },
    set(url, answer) {
      remove(url);
      if (maxEntries < 1 || entryBytes(url, answer) > maxBytes) return;
      add(url, answer);
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && bytes <= maxBytes) break;
        remove(oldest);
      }
    },
    delete(url) {
      remove(url);
    },
  };
}

function entryBytes(url: string, { etag, text }: CachedAnswer): number {
  return (url.length + etag.length + text.length) * BYTES_PER_CHARACTER;
}
