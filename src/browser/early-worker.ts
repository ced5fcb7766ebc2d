/*
 * If a page's address has a search, its worker starts before the page's own script has loaded (`early-search.ts`). This
 * file imports nothing, because the page waits for the script that starts the worker.
 */

/** The name of a worker that waits for a hint. */
export const HINTED = "hinted";

/** The paths of files whose names are hashes of their content. */
export const IMMUTABLE = /^data\/segments\//;

/** The name of the cache of a tree's files. @param root the address of the tree */
export function cacheOf(root: string): string {
  return `crawldex ${root}`;
}

/** Tells a worker that a search will follow. */
export interface WorkerHint {
  /** Files of the tree that the page has just read, by their paths. */
  readonly files: Readonly<Record<string, ArrayBuffer>>;
}

/** Where the page's first script leaves the worker for the page's own script. */
interface EarlyPage {
  searchWorker?: Worker | undefined;
}
const page: EarlyPage & typeof globalThis = globalThis;

/** Starts a worker, and keeps it unless it fails: the page then starts another one, and learns why it fails. */
export function startEarly(script: URL): Worker {
  const worker = new Worker(script, { name: HINTED });
  page.searchWorker = worker;
  worker.addEventListener("error", () => {
    page.searchWorker = undefined;
  });
  return worker;
}

/** Takes the worker that was kept, once; undefined if there is none. */
export function takeEarly(): Worker | undefined {
  const worker = page.searchWorker;
  page.searchWorker = undefined;
  return worker;
}
