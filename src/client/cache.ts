/** An answer that can be asked for again by its `ETag`. */
export interface CachedAnswer {
  readonly etag: string;
  /** The body as it came: each read makes objects of its own from it. */
  readonly text: string;
}

export interface AnswerCache {
  /** Gives what is kept of an address, which then counts as used last. */
  get(url: string): CachedAnswer | undefined;
  set(url: string, answer: CachedAnswer): void;
  delete(url: string): void;
}

/** An engine may hold a character in one byte or two: what is counted is never too little. */
const BYTES_PER_CHARACTER = 2;

/**
 * Keeps at most `maxEntries` answers of at most `maxBytes` in all; those used least recently go first. An
 * answer that is larger than the whole cache is not kept.
 */
export function answerCache(maxEntries: number, maxBytes: number): AnswerCache {
  // A Map goes through its keys in the order in which they were set: the first was used least recently.
  const entries = new Map<string, CachedAnswer>();
  let bytes = 0;

  const remove = (url: string): CachedAnswer | undefined => {
    const answer = entries.get(url);
    if (answer === undefined) return undefined;
    entries.delete(url);
    bytes -= bytesOf(url, answer);
    return answer;
  };
  const add = (url: string, answer: CachedAnswer): void => {
    entries.set(url, answer);
    bytes += bytesOf(url, answer);
  };

  return {
    get(url) {
      const answer = remove(url);
      if (answer !== undefined) add(url, answer);
      return answer;
    },
    set(url, answer) {
      remove(url);
      if (maxEntries < 1 || bytesOf(url, answer) > maxBytes) return;
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

function bytesOf(url: string, { etag, text }: CachedAnswer): number {
  return (url.length + etag.length + text.length) * BYTES_PER_CHARACTER;
}
