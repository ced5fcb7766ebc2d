import { LIST_FILTER_NAMES } from "../contract/filters.js";
import { HINTED, type WorkerHint } from "./worker-hint.js";

/*
 * Runs before the first paint of the explorer in a tree of files. The page was made without a search: if its address has
 * one, styles show rows to come in place of results that the reader has not asked for. The worker that searches starts at
 * once, and gets the files that name the tables from here: its script takes longer to load than these.
 */

declare global {
  /** The worker that was started here, until the page's search takes it. */
  var searchWorker: Worker | undefined;
}

const NAMES = ["q", "status", "minScore", "maxScore", "sort", "page", ...LIST_FILTER_NAMES];
const isSought = new RegExp(`[?&](?:${NAMES.join("|")})=[^&]`).test(location.search);
const { currentScript, documentElement } = document;

/** @param source the address of this script */
function startSearch(source: string, script: string): void {
  const worker = new Worker(new URL(script, source), { name: HINTED });
  globalThis.searchWorker = worker;
  // The page starts another one, and learns why it fails.
  worker.addEventListener("error", () => {
    globalThis.searchWorker = undefined;
  });
  const files: Record<string, string> = {};
  const read = async (file: string) => {
    const response = await fetch(new URL(`../${file}`, source), { cache: "no-cache" });
    if (!response.ok) throw new Error(`${file} was answered with ${response.status}`);
    const text = await response.text();
    files[file] = text;
    return JSON.parse(text);
  };
  const hint: WorkerHint = { files };
  read("data/current.json")
    .then(({ id }) => read(`data/${id}/manifest.json`))
    // The worker reads what it did not get.
    .catch(() => {})
    .then(() => worker.postMessage(hint));
}

if (isSought) {
  documentElement.dataset.sought = "";
  const { search } = documentElement.dataset;
  if (currentScript instanceof HTMLScriptElement && search !== undefined) {
    startSearch(currentScript.src, search);
  }
}
