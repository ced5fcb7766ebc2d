import { type AnswerContext, answer } from "../answer/answer.js";
import type { Extensions } from "../answer/content.js";
import { type AnswerExtra, downloadsOf } from "../answer/extra.js";
import { SnapshotFollower } from "../answer/follower.js";
import type { Pages } from "../answer/page-types.js";
import { type RequestBody, UnreadBodyError } from "../answer/request-body.js";
import { Snapshot } from "../answer/snapshot.js";
import { isBrowsers, prefersMarkdown } from "../contract/headers.js";
import { readStart } from "../lib/http.js";
import { sha256Of, unshared } from "../lib/sha256.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { Manifest } from "../store/format.js";
import { STORE_FORMAT } from "../store/names.js";
import { unlikeFormat } from "../store/pointer.js";
import { everyCheckOf } from "../store/signature.js";
import type { ByteSource } from "../store/source.js";
import { storedJson } from "../store/stored-json.js";
import { inflate } from "./bytes.js";

/** Options of `createFetchHandler`. */
export interface FetchHandlerOptions {
  /** Reads the files of a store. */
  readonly store: ByteSource;
  /** Seconds after which a request looks for a newer snapshot. Default: 30. */
  readonly refreshSeconds?: number | undefined;
  /** Megabytes (2^20 bytes) of summaries and documents that stay in memory. Default: 4. */
  readonly cacheMb?: number | undefined;
  /** The pages for people and crawlers: `pages()` of `crawldex/fetch/pages`. Default: none, only the API. */
  readonly pages?: MakePages | undefined;
  /**
   * What the handler answers beyond the contract, each a function of `crawldex/extras/<name>/edge`.
   * Default: nothing.
   */
  readonly extras?: readonly AnswerExtra[] | undefined;
  /** Receives each error of the store: a file that is missing or damaged, or a store that cannot be read. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Makes the pages of a handler that has these extras. */
export type MakePages = (extras: readonly AnswerExtra[]) => Pages;

/** What a platform passes with each request. A worker stops after its answer, unless `waitUntil` has its promise. */
export interface RequestContext {
  waitUntil?(promise: Promise<unknown>): void;
}

/** Answers a request, as `crawldex serve` does. Never rejects. */
export type FetchHandler = (request: Request, context?: RequestContext) => Promise<Response>;

/** The status of an answer whose file is missing or damaged. */
const UNREADABLE = 502;

const DEFAULTS = { refreshSeconds: 30, cacheMb: 4 };

/**
 * Makes a handler.
 * @param pages the pages beside the API; null for the API alone
 * @param extensions the reads beyond the contract. Default: none
 * @param isLazy whether the files that only searches need are fetched at the first search
 */
export async function makeHandler(
  options: FetchHandlerOptions,
  pages: Pages | null,
  extensions: Extensions = {},
  isLazy = false,
): Promise<FetchHandler> {
  const platform = {
    sha256: sha256Of,
    gunzip: (bytes: Uint8Array, most: number) => inflate(bytes, most, "gzip"),
    pause: () => Promise.resolve(),
    now: () => Date.now(),
  };
  requireKnown(options);
  const { store, extras = [], onError = () => {} } = options;
  const downloads = downloadsOf(extras);
  const search = extras.flatMap(({ searchEngine }) => searchEngine ?? []);
  if (typeof store !== "function") throw new TypeError("store must be a function that reads files");
  const cacheBytes = settingOf("cacheMb", options) * 2 ** 20;
  const follower = new SnapshotFollower<Snapshot>({
    store,
    refreshMs: settingOf("refreshSeconds", options) * 1_000,
    sha256: sha256Of,
    manifestBytesMax: EDGE_MANIFEST_BYTES_MAX,
    verify: everyCheckOf(extras.flatMap(({ verifyManifest }) => verifyManifest ?? [])),
    load: ({ id, manifest, store: source }, former) => {
      const facts = { id, manifest: manifestFrom(manifest, id) };
      // Readers who have searched must not wait for the new snapshot's search files.
      const waits = isLazy && former?.isSearched !== true;
      const caches = { cacheBytes, isLazy: waits };
      return Snapshot.open(source, facts, { platform, ...caches, downloads, search });
    },
    onError,
  });
  await follower.refresh();
  return async (request, context) => {
    const looking = follower.refresh();
    if (looking !== null) context?.waitUntil?.(looking);
    if (follower.current === null) await looking;
    const snapshot = follower.current;
    const answering = { pages, extensions };
    const response = await respond(request, follower, answering, onError);
    if (response.status !== UNREADABLE) return response;
    const again = follower.lookAtOnce();
    context?.waitUntil?.(again);
    await again;
    // If there is a new snapshot, it has the files that the old one has lost.
    return follower.current === snapshot
      ? response
      : respond(request, follower, answering, onError);
  };
}

const OPTIONS: { readonly [name in keyof FetchHandlerOptions]-?: true } = {
  store: true,
  refreshSeconds: true,
  cacheMb: true,
  pages: true,
  extras: true,
  onError: true,
};

/** @throws TypeError for an unknown option: it may be one that was meant to restrict the handler */
function requireKnown(options: FetchHandlerOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown === undefined) return;
  const names = Object.keys(OPTIONS).join(", ");
  throw new TypeError(`there is no option ${JSON.stringify(unknown)}, only ${names}`);
}

function settingOf(name: keyof typeof DEFAULTS, options: FetchHandlerOptions): number {
  const value = options[name] ?? DEFAULTS[name];
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return value;
  throw new TypeError(`${name} must be a number, 0 or greater`);
}

async function respond(
  request: Request,
  { current: snapshot, trouble }: SnapshotFollower<Snapshot>,
  answering: Pick<AnswerContext, "pages" | "extensions">,
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
    range: headers.get("range") ?? undefined,
    ifRange: headers.get("if-range") ?? undefined,
    wantsMarkdown: prefersMarkdown(accept),
    isForPerson: isBrowsers(accept),
    ...(method === "POST" && { body: webBody(request) }),
  };
  const store = { snapshot, trouble, onDamage };
  const made = await answer(facts, { ...store, ...answering, codings: CODINGS, compress });
  // Without the option, Cloudflare would compress a compressed body again.
  const init = { status: made.status, headers: made.headers, encodeBody: "manual" };
  return new Response(made.body === null ? null : unshared(made.body), init);
}

function webBody({ headers, body }: Request): RequestBody {
  return {
    header: (name) => headers.get(name) ?? undefined,
    read: async (most) => {
      const bytes = body === null ? new Uint8Array() : await readStart(body, most + 1);
      if (bytes.length > most) throw new UnreadBodyError(413);
      return bytes;
    },
  };
}

const CODINGS = ["gzip"] as const;

const compress: AnswerContext["compress"] = async (bytes) => {
  const stream = new Blob([unshared(bytes)]).stream();
  const coded = stream.pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(coded).arrayBuffer());
};

/** The most bytes of a manifest that the handler reads: an isolate has little memory. A million listings need it. */
const EDGE_MANIFEST_BYTES_MAX = 4 * 1024 * 1024;

/**
 * The most commas and opening brackets of a manifest, besides one in 16 bytes: a file's entry has four in 140.
 * JSON.parse takes 30 ms for a manifest with this many, and ten times as long for 4 MB of empty objects.
 */
const MARKS_MAX = 32_768;

/**
 * Parses a manifest. Its bytes have the digest that is its id, so a build made them, and only their format is checked.
 * @throws BadSnapshotError
 */
export function manifestFrom(bytes: Uint8Array, id: string): Manifest {
  const name = `${id}/manifest.json`;
  if (entryMarksIn(bytes) > MARKS_MAX + bytes.length / 16) {
    throw new BadSnapshotError(`${name} has too many entries for its size`);
  }
  const manifest: Manifest = storedJson(bytes);
  if (manifest.format === STORE_FORMAT) return manifest;
  throw unlikeFormat(name, bytes, STORE_FORMAT);
}

function entryMarksIn(bytes: Uint8Array): number {
  let marks = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) marks += 1;
  return marks;
}
