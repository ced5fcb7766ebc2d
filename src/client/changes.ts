import type { SiteChange } from "./answers.js";
import type { ReadChanges } from "./reads.js";
import type { RequestOptions } from "./request.js";

export interface ChangesOptions extends RequestOptions {
  /** The number of a publication, or the cursor of an earlier read. Default: all changes that are known. */
  readonly since?: string | number | undefined;
  /** How many changes one request reads: 1 to 1,000. Default: 1,000. */
  readonly limit?: number | undefined;
}

const LIMIT_MAX = 1_000;

/** The changes after a position. Each loop resumes after the last page that the loop before has finished. */
export class Changes implements AsyncIterable<SiteChange, undefined, undefined> {
  readonly #read: ReadChanges;
  readonly #options: ChangesOptions;
  #cursor: string | undefined;

  /** @internal */
  constructor(read: ReadChanges, options: ChangesOptions) {
    this.#read = read;
    this.#options = options;
    this.#cursor = options.since === undefined ? undefined : String(options.since);
  }

  /**
   * The `since` for the next read: all changes up to it have been given. It advances at the end of each page, so a loop
   * that ends early is given some changes again. Undefined before the first page, if there was no `since`.
   */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SiteChange, undefined, undefined> {
    const { since: _, limit = LIMIT_MAX, ...requested } = this.#options;
    for (let isLast = false; !isLast; ) {
      const page = await this.#read({ since: this.#cursor, limit }, requested);
      yield* page.data;
      this.#cursor = page.cursor;
      isLast = page.next === null;
    }
  }
}
