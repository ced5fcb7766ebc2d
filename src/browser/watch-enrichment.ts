import "./report.js";
import { createClient } from "../client/index.js";
import type { Enrichment } from "../contract/report.js";
import { fetchFile, ROOT } from "./tree.js";

/*
 * Tells the reader when generated content has changed since the page was made. The client sends requests only while
 * something is pending, with backoff, and never while the page is hidden or the browser offline
 * (docs/contract.md#10-polling-enrichment).
 */

/** Milliseconds between an answer and the next request. The interval is long because the content is not urgent. */
const EVERY_MS = 15_000;
const AT_MOST_EVERY_MS = 300_000;

async function followEnrichment(news: HTMLElement): Promise<void> {
  const { host = "", known: state = "null" } = news.dataset;
  // The page itself holds this state, as the API gave it.
  const known: Enrichment | null = JSON.parse(state);
  const client = createClient({
    baseUrl: ROOT,
    fetch: (url, init) => fetchFile(String(url).slice(ROOT.length), init),
  });
  const states = client.watchEnrichment(host, {
    known,
    intervalMs: EVERY_MS,
    maxIntervalMs: AT_MOST_EVERY_MS,
  });
  let isReady = false;
  for await (const state of states) {
    const parts = [state?.copy, state?.starterFiles].filter((part) => part != null);
    isReady = parts.length > 0 && parts.every((part) => part.state === "ready");
    announceChange(news, "It has changed. ");
  }
  if (isReady) announceChange(news, "It is done. ");
}

function announceChange(news: HTMLElement, text: string): void {
  const link = document.createElement("a");
  link.href = location.pathname + location.search;
  link.textContent = "Load the page again";
  news.replaceChildren(text, link, " to see what is new.");
}

const element = document.getElementById("enrichment-news");
// A failure, for example because the report was removed, needs no message.
if (element !== null) followEnrichment(element).catch(() => {});
