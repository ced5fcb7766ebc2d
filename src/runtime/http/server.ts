import { parsePublicKeys } from "../../signing/verify.js";
import { CardThread } from "../cards/card-thread.js";
import type { CountedMetrics } from "../observe/metrics.js";
import { observerOf } from "../observe/observer.js";
import type { PullState } from "../observe/pull-state.js";
import { RequestLog } from "../observe/request-log.js";
import { type ReadySnapshot, SnapshotHolder } from "../snapshot/current-snapshot.js";
import { type Log, StoreWatcher } from "../snapshot/reload.js";
import { Signatures } from "../snapshot/signatures.js";
import { type Listener, openListener } from "./listener.js";
import { pagesWithCards, SERVER_PAGES } from "./server-pages.js";
import { WorkerProcesses } from "./workers.js";

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

/**
 * Serves a store's current snapshot, and each new one as it is published.
 * @param workers the number of processes that answer; 1 is this process
 * @throws Error if the port is not available
 */
export function serveStore(options: ProcessOptions, workers: number): Promise<RunningServer> {
  return workers > 1 ? serveByWorkers(options, workers) : serveAlone(options);
}

/** A process that follows a store and answers from it. */
export interface ServingProcess {
  /** The snapshot that answers; null before the first one. */
  adopted(): ReadySnapshot | null;
  /**
   * Opens the port.
   * @throws if it is not available
   */
  open(): Promise<Listener>;
  reload(): void;
  /** Returns the process's metrics; empty if metrics are off. */
  counted(): Promise<CountedMetrics>;
  /** Closes the port and waits for running answers, within the drain time. */
  drain(): Promise<void>;
  /** Drains, stops following the store and releases the snapshot. */
  close(): Promise<void>;
}

export interface ProcessOptions {
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
  /** The texts of the public keys, of which one must have signed a snapshot. Without them, any snapshot will do. */
  readonly publicKeys?: readonly string[] | undefined;
  /** Returns the state of the pulls into the store; undefined if nothing is pulled. */
  readonly pulls?: (() => PullState) | undefined;
  /** Called after each attempt to load a snapshot, except when the same refusal repeats. */
  readonly onReload?: () => void;
  /** Returns the metrics of all processes of the server. Without it, this process is the only one. */
  readonly gather?: () => Promise<string>;
}

/** Loads the store's current snapshot if it is valid, then follows the store. */
export async function startProcess(options: ProcessOptions): Promise<ServingProcess> {
  const { store, log, cacheBytes, pulls, onReload = () => {} } = options;
  const holder = new SnapshotHolder(store, cacheBytes);
  // Loaded only if metrics are on: the library takes time to load.
  const counting = options.metrics ? await import("../observe/metrics.js") : null;
  const metrics = counting && new counting.Metrics(() => holder.state());
  const { publicKeys } = options;
  const signatures = publicKeys && new Signatures(store, parsePublicKeys(publicKeys));
  const requestLog = options.requestLog ? new RequestLog(process.stdout) : null;
  const watcher = new StoreWatcher({
    store,
    log,
    adopt: async (id, stated) => {
      const signed = await signatures?.check(id);
      const generation = stated && (signed?.generation ?? stated);
      const ready = await holder.adopt(id, generation);
      signed?.accept();
      return { ...ready, generation };
    },
    renumber: async (id, stated) => {
      const signed = await signatures?.check(id);
      signed?.accept();
      holder.renumber(stated && (signed?.generation ?? stated));
    },
    onReload: (outcome) => {
      metrics?.reloaded(outcome);
      onReload();
    },
  });
  const counted = async () => (await metrics?.counted()) ?? [];
  const gatherAlone =
    counting &&
    (async () => counting.metricsText([await counted(), await counting.pullMetrics(pulls?.())]));
  const gather = counting && (options.gather ?? gatherAlone);
  const cards = options.cards ? new CardThread() : null;
  const pages = cards === null ? SERVER_PAGES : pagesWithCards((svg) => cards.draw(svg));
  const trouble = () => watcher.trouble;
  let listener: Listener | null = null;
  await watcher.start();
  const drain = async () => {
    await listener?.close();
    await requestLog?.written();
  };
  return {
    adopted: () => watcher.adopted,
    open: async () => {
      const observer = observerOf(metrics, requestLog);
      listener = await openListener(options, {
        holder,
        log,
        observer,
        metrics: gather,
        pages,
        trouble,
      });
      return listener;
    },
    reload: () => watcher.lookNow(),
    counted,
    drain,
    close: async () => {
      await drain();
      await watcher.close();
      await cards?.close();
      holder.close();
    },
  };
}

async function serveAlone(options: ProcessOptions): Promise<RunningServer> {
  const serving = await startProcess(options);
  try {
    return {
      ...listeningAddress(await serving.open()),
      exampleHost: () => serving.adopted()?.exampleHost ?? null,
      reload: serving.reload,
      close: serving.close,
    };
  } catch (error) {
    await serving.close();
    throw error;
  }
}

async function serveByWorkers(options: ProcessOptions, workers: number): Promise<RunningServer> {
  const crew = new WorkerProcesses(options);
  try {
    const port = await crew.start(workers);
    return {
      ...listeningAddress({ host: options.host, port }),
      exampleHost: () => crew.exampleHost,
      reload: () => crew.reload(),
      close: () => crew.close(),
    };
  } catch (error) {
    await crew.close();
    throw error;
  }
}

function listeningAddress({ host, port }: { readonly host: string; readonly port: number }) {
  const name = host.includes(":") ? `[${host}]` : host;
  return { host, port, url: `http://${name}:${port}` };
}
