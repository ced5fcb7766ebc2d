import { LIST_FILTER_NAMES } from "../contract/filters.js";
import { startEarly, type WorkerHint } from "./early-worker.js";

/*
 * Runs before the first paint of the explorer in a tree of files. The page was made without a search: if its address
 * has one, styles show empty rows instead of results that the reader has not asked for. This script starts the worker
 * that searches, reads the files that name the tables while the worker loads, and hands them over.
 */

const NAMES = ["q", "status", "minScore", "maxScore", "sort", "page", ...LIST_FILTER_NAMES];
const isSought = new RegExp(`[?&](?:${NAMES.join("|")})=[^&]`).test(location.search);
/** Milliseconds after which the worker reads a file itself. */
const LOST_MS = 30_000;
const { currentScript, documentElement } = document;

/** @param source the address of this script */
function startSearch(source: string, script: string): void {
  const worker = startEarly(new URL(script, source));
  const files: Record<string, string> = {};
  const read = async (file: string) => {
    const signal = AbortSignal.timeout(LOST_MS);
    const response = await fetch(new URL(`../${file}`, source), { cache: "no-cache", signal });
    if (!response.ok) throw new Error(`${file} was answered with ${response.status}`);
    const text = await response.text();
    files[file] = text;
    return JSON.parse(text);
  };
  const hint: WorkerHint = { files };
  read("data/current.json")
    .then(({ id }) => read(`data/${id}/manifest.json`))
    // The worker reads the files that it was not given.
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
