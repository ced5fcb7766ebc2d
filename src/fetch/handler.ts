import { isBrowsers, prefersMarkdown } from "../pages/kit/accept.js";
import { type AnswerContext, answer } from "../runtime/answer/answer.js";
import type { Pages } from "../runtime/answer/pages.js";
import { StoreFollower } from "./follow.js";
import type { FetchStore } from "./store.js";

/** Options of `createFetchHandler`. */
export interface FetchHandlerOptions {
  /** Reads the files of a store. */
  readonly store: FetchStore;
  /** Seconds after which a request looks for a newer snapshot. Default: 30. */
  readonly refreshSeconds?: number | undefined;
  /** Megabytes (2^20 bytes) of summaries and documents that stay in memory. Default: 4. */
  readonly cacheMb?: number | undefined;
  /** Receives each error of the store: a file that is missing or damaged, or a store that cannot be read. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** What a platform gives to each request. Workers end work that outlives its request, unless they are told. */
export interface RequestContext {
  waitUntil?(promise: Promise<unknown>): void;
}

/** Answers a request, as `crawldex serve` does. Never rejects. */
export type FetchHandler = (request: Request, context?: RequestContext) => Promise<Response>;

const DEFAULTS = { refreshSeconds: 30, cacheMb: 4 };

/** Makes a handler. @param pages the pages beside the API; null for the API alone */
export async function makeHandler(
  { store, refreshSeconds, cacheMb, onError = () => {} }: FetchHandlerOptions,
  pages: Pages | null,
): Promise<FetchHandler> {
  const options = { cacheBytes: numberOf("cacheMb", cacheMb) * 2 ** 20 };
  if (typeof store !== "function") throw new TypeError("store must be a function that reads files");
  const refreshMs = numberOf("refreshSeconds", refreshSeconds) * 1_000;
  const follower = new StoreFollower(store, options, refreshMs, onError);
  await follower.refresh();
  return async (request, context) => {
    const looking = follower.refresh();
    if (looking !== null) context?.waitUntil?.(looking);
    if (follower.current === null && looking !== null) await looking;
    return respond(request, follower, pages, onError);
  };
}

function numberOf(name: keyof typeof DEFAULTS, given: number | undefined): number {
  const value = given ?? DEFAULTS[name];
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return value;
  throw new TypeError(`${name} must be a number, 0 or greater`);
}

async function respond(
  request: Request,
  { current: snapshot, trouble }: StoreFollower,
  pages: Pages | null,
  onDamage: (error: Error) => void,
): Promise<Response> {
  const { method, headers, url } = request;
  const accept = headers.get("accept") ?? "";
  const { pathname, search } = new URL(url);
  const facts = {
    method,
    target: pathname + search,
    acceptEncoding: headers.get("accept-encoding") ?? undefined,
    ifNoneMatch: headers.get("if-none-match") ?? undefined,
    wantsMarkdown: prefersMarkdown(accept),
    isForPerson: isBrowsers(accept),
  };
  const made = await answer(facts, {
    snapshot,
    pages,
    codings: CODINGS,
    compress,
    onDamage,
    trouble,
  });
  // Without the option, Cloudflare would compress a compressed body again.
  const init = { status: made.status, headers: made.headers, encodeBody: "manual" };
  return new Response(made.body, init);
}

const CODINGS = ["gzip"] as const;

const compress: AnswerContext["compress"] = async (bytes) => {
  const stream = new Blob([bytes]).stream();
  const coded = stream.pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(coded).arrayBuffer());
};
