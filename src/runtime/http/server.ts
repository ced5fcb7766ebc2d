import { CACHE_MB } from "../limits.js";
import type { CountedMetrics } from "../observe/metrics.js";
import { observerOf } from "../observe/observer.js";
import { RequestLog } from "../observe/request-log.js";
import { type ReadySnapshot, SnapshotHolder } from "../snapshot/holder.js";
import { type Log, StoreWatcher } from "../snapshot/reload.js";
import { type Listener, openListener } from "./listener.js";
import { WorkerProcesses } from "./workers.js";

export interface ServeOptions {
  /** The store's folder. */
  readonly store: string;
  /** TCP port; 0 takes a free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly host: string;
  /** Bytes of answers that each process may cache in memory; 0 caches none. Default: `CACHE_MB`. */
  readonly cacheBytes?: number;
  /** Number of processes that answer. Default: 1. */
  readonly workers?: number;
  /** Whether the server answers at `/metrics`. Default: false. */
  readonly metrics?: boolean;
  /** Whether each request is logged to stdout as a line of JSON. Default: false. */
  readonly requestLog?: boolean;
  /** Receives messages for the operator. */
  readonly log: Log;
}

export interface RunningServer {
  readonly host: string;
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
 * Starts the runtime over a store. It answers 503 until a snapshot is loaded.
 * @throws if the port is not available
 */
export function serve(options: ServeOptions): Promise<RunningServer> {
  const all = {
    cacheBytes: CACHE_MB * 1024 * 1024,
    workers: 1,
    metrics: false,
    requestLog: false,
    ...options,
  };
  return all.workers > 1 ? serveByWorkers(all) : serveAlone(all);
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

export interface ProcessOptions extends Omit<Required<ServeOptions>, "workers"> {
  /** Called after each attempt to load a snapshot, except when the same refusal repeats. */
  readonly onReload?: () => void;
  /** Returns the metrics of all processes of the server. Without it, this process is the only one. */
  readonly gather?: () => Promise<string>;
}

/** Loads the store's current snapshot if it is valid, then follows the store. */
export async function startProcess(options: ProcessOptions): Promise<ServingProcess> {
  const { store, log, cacheBytes, onReload = () => {} } = options;
  const onDoubt = () => watcher.lookAgain();
  const holder: SnapshotHolder = new SnapshotHolder(store, cacheBytes, log, onDoubt);
  // Loaded only if metrics are on: the library takes time to load.
  const counting = options.metrics ? await import("../observe/metrics.js") : null;
  const metrics = counting && new counting.Metrics(() => holder.state());
  const requestLog = options.requestLog ? new RequestLog(process.stdout) : null;
  const watcher = new StoreWatcher({
    store,
    log,
    adopt: (id) => holder.adopt(id),
    onReload: (outcome) => {
      metrics?.reloaded(outcome);
      onReload();
    },
  });
  const counted = async () => (await metrics?.counted()) ?? [];
  const gather =
    counting && (options.gather ?? (async () => counting.metricsText([await counted()])));
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
      listener = await openListener(options, { holder, log, observer, metrics: gather });
      return listener;
    },
    reload: () => watcher.lookNow(),
    counted,
    drain,
    close: async () => {
      await drain();
      await watcher.close();
      holder.close();
    },
  };
}

async function serveAlone(options: Required<ServeOptions>): Promise<RunningServer> {
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

async function serveByWorkers(options: Required<ServeOptions>): Promise<RunningServer> {
  const crew = new WorkerProcesses(options);
  try {
    const port = await crew.start(options.workers);
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
