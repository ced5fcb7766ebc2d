import { LIST_FILTER_NAMES } from "../contract/filters.js";
import { cacheOf, IMMUTABLE, startEarly, type WorkerHint } from "./early-worker.js";

/*
 * Is within the explorer's page in a tree of files, and runs before the first paint. The page was made without a
 * search: if its address has one, styles show empty rows instead of results that the reader has not asked for. This
 * script starts the worker that searches, reads the files that the worker needs first while it loads, and hands them
 * over.
 */

const NAMES = ["q", "status", "minScore", "maxScore", "sort", "page", ...LIST_FILTER_NAMES];
const isSought = new RegExp(`[?&](?:${NAMES.join("|")})=[^&]`).test(location.search);
/** Milliseconds after which the worker reads a file itself. */
const LOST_MS = 30_000;
/** The address of the tree. */
const ROOT = new URL(".", location.href).href;
const { currentScript, documentElement } = document;

/** What the worker kept of a file in an earlier visit; undefined if there is nothing, or if the page has no cache. */
async function keptBefore(file: string): Promise<Response | undefined> {
  try {
    return await (await caches.open(cacheOf(ROOT))).match(ROOT + file);
  } catch {
    return undefined;
  }
}

/** @param start the files that each search reads first, by their paths, as the page knows them */
function startSearch(script: string, start: readonly string[]): void {
  const worker = startEarly(new URL(`assets/${script}`, ROOT));
  const reading: Record<string, Promise<ArrayBuffer>> = {};
  const files: Record<string, ArrayBuffer> = {};
  const load = async (file: string) => {
    const isImmutable = IMMUTABLE.test(file);
    const cache = isImmutable ? "force-cache" : "no-cache";
    const signal = AbortSignal.timeout(LOST_MS);
    const kept = isImmutable ? await keptBefore(file) : undefined;
    const response = kept ?? (await fetch(ROOT + file, { cache, signal }));
    if (!response.ok) throw new Error(`${file} was answered with ${response.status}`);
    const bytes = await response.arrayBuffer();
    files[file] = bytes;
    return bytes;
  };
  const read = (file: string) => {
    reading[file] ??= load(file);
    return reading[file];
  };
  const manifest = read("data/current.json").then((bytes) => {
    const { id } = JSON.parse(new TextDecoder().decode(bytes));
    return read(`data/${id}/manifest.json`);
  });
  // The worker reads the files that it was not given.
  Promise.allSettled([...start.map(read), manifest]).then(() => {
    const hint: WorkerHint = { files };
    worker.postMessage(hint, { transfer: Object.values(files) });
  });
}

if (isSought) {
  documentElement.dataset.sought = "";
  const { search } = documentElement.dataset;
  if (currentScript instanceof HTMLScriptElement && search !== undefined) {
    startSearch(search, currentScript.dataset.start?.split(" ") ?? []);
  }
}
