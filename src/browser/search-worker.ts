import { makeHandler } from "../fetch/handler.js";
import { treeStore } from "../fetch/store.js";
import { HINTED, type WorkerHint } from "./early-worker.js";
import { EXTRA_SEARCH } from "./extra-search.js";
import { TreeFiles } from "./tree-files.js";
import type { WorkerAnswer, WorkerRead } from "./tree-search.js";

/*
 * The search of a tree of files, in a thread of its own: the fetch handler over the tree's data. Its messages are the
 * answers to the page's reads.
 */

/** Megabytes of summaries and documents to cache in memory. */
const CACHE_MB = 16;

const ROOT = new URL("..", location.href).href;
const files = new TreeFiles(ROOT);
let handler: ReturnType<typeof makeHandler> | null = null;

/** Lets reads begin once the hint has arrived. */
let begin = (): void => {};
/** Resolves once the hint has arrived; null if the page gives none. */
const hinted =
  self.name === HINTED
    ? new Promise<void>((resolve) => {
        begin = resolve;
      })
    : null;

function opened(): ReturnType<typeof makeHandler> {
  const { read } = files;
  const options = { store: treeStore(read), cacheMb: CACHE_MB, extras: EXTRA_SEARCH };
  // A hint says that a search will follow.
  handler ??= makeHandler(options, null, {}, hinted === null);
  return handler;
}

async function answerPage({ id, address, headers }: WorkerRead): Promise<void> {
  await hinted;
  const answer = await opened();
  // The handler's addresses begin at the root of a server.
  const response = await answer(new Request(`${location.origin}/${address}`, { headers }));
  const { status } = response;
  // There is no snapshot: the next read looks for one without a delay.
  if (status === 503) handler = null;
  const body = await response.arrayBuffer();
  const given: WorkerAnswer = { id, status, headers: [...response.headers], body };
  postMessage(given, { transfer: [body] });
}

addEventListener("message", ({ data }: MessageEvent<WorkerRead | WorkerHint>) => {
  if ("id" in data) {
    void answerPage(data);
    return;
  }
  files.take(data.files);
  begin();
  void opened();
});
