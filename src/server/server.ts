import { stat } from "node:fs/promises";
import type { Pages } from "../answer/page-types.js";
import { installedExtras, readsOf } from "../extra.js";
import { layout } from "../store/layout.js";
import { currentPointer } from "../store/reader.js";
import {
  type FollowedStore,
  followStore,
  POLL_MS,
  type ProcessState,
  processStateOf,
} from "./current-snapshot.js";
import type { Handling } from "./handler.js";
import { type Listener, openListener } from "./listener.js";
import type { MetricSources, Metrics } from "./metrics.js";
import { observerOf, type PullState, RequestLog } from "./observer.js";
import { openRasterizer } from "./rasterizer.js";
import { Repeating } from "./repeating.js";
import { serverPages } from "./server-pages.js";
import { AnsweringThreads } from "./threads.js";

/** A server that answers until `close` is called. */
export interface RunningServer {
  /** The address that the server listens on. */
  readonly host: string;
  /** The TCP port that the server listens on. */
  readonly port: number;
  /** The server's own URL, without a trailing slash. */
  readonly url: string;
  /** A host that has a report, for examples; null while no snapshot is loaded. */
  exampleHost(): string | null;
  /** Looks for a new snapshot immediately. Also retries one that was rejected. */
  reload(): void;
  /** Shuts the server down: no new connections, and running answers finish within the drain time. */
  close(): Promise<void>;
}

export interface StoreServerOptions extends Omit<FollowedStore, "onReload" | "threads"> {
  /** How many threads answer, and share the cache's bytes. Default: 1. */
  readonly threads?: number | undefined;
  /** TCP port; 0 takes a free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly host: string;
  readonly metrics: boolean;
  readonly requestLog: boolean;
  /** The names of extras that do not answer. Default: all answer. */
  readonly without?: readonly string[] | undefined;
  /** Changes the pages before they are served. Default: they stay as they are. */
  readonly mark?: ((pages: Pages) => Pages) | undefined;
  /** Returns the state of the pulls into the store; undefined if nothing is pulled. */
  readonly pulls?: (() => PullState) | undefined;
  /** Returns why the server is not ready although it has a snapshot; undefined if it is. Never rejects. */
  readonly unready?: (() => Promise<string | undefined>) | undefined;
}

/** A store at an address, as an extra opens it. */
export interface StoreElsewhere
  extends Pick<StoreServerOptions, "store" | "remote" | "pulls" | "unready"> {
  /** Looks for a new publication at the address immediately. */
  readonly lookNow?: () => void;
  /** Ends what the extra does for the store. */
  readonly close?: () => Promise<void>;
}

/**
 * Serves a store's current snapshot, and each new one as it is published.
 * @throws Error if the port is not available
 */
export async function serveStore(options: StoreServerOptions): Promise<RunningServer> {
  const { store, log, host, port, pulls, threads: count = 1 } = options;
  const { mark = (pages) => pages, without = [] } = options;
  const cacheBytes = Math.floor(options.cacheBytes / count);
  const publication = new PublicationTime(store);
  const publishedAt = async () => {
    const id = follower.current?.id;
    return id === undefined ? undefined : await publication.timeOf(id);
  };
  const follower = followStore({
    ...options,
    cacheBytes,
    threads: () => threads,
    onReload: (outcome) => {
      // Read now, because `current.json` may later name another snapshot, which is refused.
      void publishedAt();
      metrics?.reloaded(outcome);
    },
  });
  const readiness = async () => {
    const unready = await options.unready?.();
    return { publishedAt: await publishedAt(), unready };
  };
  const state = (): ProcessState => processStateOf(follower, threads?.cacheBytes);
  const metrics: Metrics | null = options.metrics
    ? await loadMetrics({ state, readiness, pulls })
    : null;
  const requestLog = options.requestLog ? new RequestLog(process.stdout) : null;
  const answering: Pick<Handling, "log" | "observer" | "metrics" | "readiness"> = {
    log,
    observer: observerOf(metrics, requestLog),
    metrics: metrics && (() => metrics.text()),
    readiness,
  };
  const others = { ...answering, count: count - 1, store, cacheBytes, without };
  const threads: AnsweringThreads | null = count === 1 ? null : new AnsweringThreads(others);
  const extras = installedExtras().filter(({ name }) => !without.includes(name));
  const rasterizer = await openRasterizer(extras);
  const look = () => follower.look().then(() => threads?.tell(follower.trouble));
  await look();
  const looking = new Repeating(look, () => options.remote?.refreshMs ?? POLL_MS);
  let listener: Listener | null = null;
  const close = async () => {
    await Promise.all([listener?.close(), threads?.close()]);
    await requestLog?.written();
    await looking.close();
    await rasterizer?.close();
    follower.current?.release();
  };
  try {
    const extensions = readsOf(extras);
    const pages = mark(serverPages(rasterizer?.rasterize));
    listener = await openListener({ host, port }, { ...answering, follower, extensions, pages });
    await threads?.listen(listener.descriptor);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    host: listener.host,
    port: listener.port,
    url: urlOf(listener),
    exampleHost: () => follower.current?.exampleHost ?? null,
    reload: () => {
      follower.retryNow();
      looking.runNow();
    },
    close,
  };
}

/** The library takes time to load, so only servers with metrics load it. */
async function loadMetrics(sources: MetricSources): Promise<Metrics> {
  const { Metrics } = await import("./metrics.js");
  return new Metrics(sources);
}

function urlOf({ host, port }: Listener): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Finds out when the snapshot that answers was published in its store. */
class PublicationTime {
  readonly #store: string;
  #seen: { readonly id: string; readonly at: Date } | null = null;

  constructor(store: string) {
    this.#store = store;
  }

  /**
   * The time of `current.json`, which each build, each rollback and each pull of a new generation rewrites. While the
   * file names another snapshot than `id` or cannot be read, its time when it last named `id`.
   * @returns undefined if it was never seen to name `id`
   */
  async timeOf(id: string): Promise<Date | undefined> {
    try {
      const { mtime } = await stat(layout.current(this.#store));
      if ((await currentPointer(this.#store))?.id === id) this.#seen = { id, at: mtime };
    } catch {
      // The watcher reads the same file, and reports why it cannot.
    }
    return this.#seen?.id === id ? this.#seen.at : undefined;
  }
}
