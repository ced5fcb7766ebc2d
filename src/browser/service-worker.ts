import { pagesOf } from "../answer/pages.js";
import { makeHandler } from "../fetch/handler.js";
import { treeStore } from "../fetch/store.js";
import { errorPageHeaders, offlinePage } from "../pages/kit/error-page.js";
import { EXTRA_PAGES } from "./extra-pages.js";
import { EXTRA_SEARCH } from "./extra-search.js";
import { TreeFiles } from "./tree-files.js";

/*
 * In a packed tree, answers the addresses that are not files: pages of reports and reads of the API. The handler makes
 * the answers from the tree's packs, as a server would. All other requests go to the network.
 */

/** The members of a service worker's global object that this one uses. */
interface ServiceWorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: LifeEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: ReadEvent) => void): void;
}

interface LifeEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface ReadEvent extends LifeEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

declare const self: ServiceWorkerScope;

/**
 * The paths that this worker answers, relative to the root. Files of the same answers have names with other endings. A
 * report's address with a slash at its end leads to the report.
 */
const ANSWERED =
  /^(?:sites\/[^/]+(?:\/(?:(?:report|fix)\.md|badge\.svg)?)?|api(?:\/.+)?|standards)$/;
const FILE = /^sites\/.*\.html$|^api\/.*\.json$/;

const root = new URL(self.registration.scope);
const files = new TreeFiles(root.href);
/** Assets come from the network, so the worker needs none. */
const pages = pagesOf(async () => ({ ASSETS: [], ICON_IMAGES: { favicon: "", touchIcon: "" } }), {
  extra: EXTRA_PAGES,
});
let handler: ReturnType<typeof makeHandler> | null = null;

/** @param address relative to the root */
async function answerRead(address: string, request: Request): Promise<Response> {
  const { read } = files;
  handler ??= makeHandler({ store: treeStore(read), extras: EXTRA_SEARCH }, pages, {}, true);
  const answer = await handler;
  const { method, headers } = request;
  const response = await answer(new Request(`${root.origin}/${address}`, { method, headers }));
  const { status } = response;
  if (status < 500) return response;
  if (!navigator.onLine && request.mode === "navigate") return offline();
  // There is no snapshot: the next read looks for one without a delay.
  if (status === 503) handler = null;
  // This may no longer be a packed tree.
  const file = await fetch(request).catch(() => null);
  return file?.ok === true ? file : response;
}

function offline(): Response {
  const headers = { "Content-Type": "text/html; charset=utf-8", ...errorPageHeaders() };
  return new Response(offlinePage(root.pathname, ""), { status: 503, headers });
}

function answerFetch(event: ReadEvent): void {
  const { request } = event;
  const { href, pathname, search } = new URL(request.url);
  if (!href.startsWith(root.href)) return;
  const path = pathname.slice(root.pathname.length);
  if (ANSWERED.test(path) && !FILE.test(path)) {
    event.respondWith(answerRead(path + search, request));
  } else if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(offline));
  }
}

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
// Also answers pages that were loaded before this worker was active.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", answerFetch);
