import { parsePublicKeys } from "../../signing/verify.js";
import type { Pages } from "../answer/page-types.js";
import { CardThread } from "../cards/card-thread.js";
import { observerOf, type PullState } from "../observe/observer.js";
import { RequestLog } from "../observe/request-log.js";
import { Signatures, SnapshotHolder } from "../snapshot/current-snapshot.js";
import { type Log, StoreWatcher } from "../snapshot/reload.js";
import { type Listener, openListener } from "./listener.js";
import { pagesWithCards, SERVER_PAGES } from "./server-pages.js";

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
  /** Looks for a new snapshot at once. Also retries one that was rejected. */
  reload(): void;
  /** Shuts the server down: no new connections, and running answers finish within the drain time. */
  close(): Promise<void>;
}

export interface StoreServerOptions {
  /** The store's folder. */
  readonly store: string;
  /** TCP port; 0 takes a free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly host: string;
  /** Bytes of answers to cache in memory. */
  readonly cacheBytes: number;
  readonly metrics: boolean;
  readonly requestLog: boolean;
  /** Whether reports have cards. */
  readonly cards: boolean;
  readonly log: Log;
  /** Changes the pages before they are served. Default: they stay as they are. */
  readonly mark?: ((pages: Pages) => Pages) | undefined;
  /** The texts of the public keys, of which one must have signed a snapshot. Without them, any snapshot will do. */
  readonly publicKeys?: readonly string[] | undefined;
  /** Returns the state of the pulls into the store; undefined if nothing is pulled. */
  readonly pulls?: (() => PullState) | undefined;
}

/**
 * Serves a store's current snapshot, and each new one as it is published.
 * @throws Error if the port is not available
 */
export async function serveStore(options: StoreServerOptions): Promise<RunningServer> {
  const { store, log, host, port, cacheBytes, publicKeys, pulls } = options;
  const { mark = (pages) => pages } = options;
  const holder = new SnapshotHolder(store, cacheBytes);
  // Loaded only if metrics are on: the library takes time to load.
  const metrics = options.metrics
    ? new (await import("../observe/metrics.js")).Metrics(() => holder.state(), pulls)
    : null;
  const requestLog = options.requestLog ? new RequestLog(process.stdout) : null;
  const keys = publicKeys && parsePublicKeys(publicKeys);
  const watcher = new StoreWatcher({
    ...{ store, log, ...adopting(holder, keys && new Signatures(store, keys)) },
    onReload: (outcome) => metrics?.reloaded(outcome),
  });
  const cards = options.cards ? new CardThread() : null;
  let listener: Listener | null = null;
  const close = async () => {
    await listener?.close();
    await requestLog?.written();
    await watcher.close();
    await cards?.close();
    holder.close();
  };
  await watcher.start();
  try {
    listener = await openListener(
      { host, port },
      {
        ...{ holder, log },
        observer: observerOf(metrics, requestLog),
        metrics: metrics && (() => metrics.text()),
        pages: mark(cards === null ? SERVER_PAGES : pagesWithCards((svg) => cards.draw(svg))),
        trouble: () => watcher.trouble,
      },
    );
  } catch (error) {
    await close();
    throw error;
  }
  const name = listener.host.includes(":") ? `[${listener.host}]` : listener.host;
  return {
    ...{ host: listener.host, port: listener.port, url: `http://${name}:${listener.port}` },
    exampleHost: () => watcher.adopted?.exampleHost ?? null,
    reload: () => watcher.lookNow(),
    close,
  };
}

/** Answers from a snapshot that the watcher has found, after a check of its signature if there are keys. */
function adopting(holder: SnapshotHolder, signatures: Signatures | undefined) {
  return {
    adopt: async (id: string, stated?: number) => {
      const signed = await signatures?.check(id);
      const generation = stated && (signed?.generation ?? stated);
      const ready = await holder.adopt(id, generation);
      signed?.accept();
      return { ...ready, generation };
    },
    renumber: async (id: string, stated?: number) => {
      const signed = await signatures?.check(id);
      signed?.accept();
      holder.renumber(stated && (signed?.generation ?? stated));
    },
  };
}
