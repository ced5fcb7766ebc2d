import { SnapshotHolder } from "./holder.js";
import { openListener } from "./listener.js";
import { Metrics } from "./metrics.js";
import { observerOf } from "./observer.js";
import { type Log, StoreWatcher } from "./reload.js";
import { writeLine } from "./request-log.js";
import { WorkerCrew } from "./workers.js";

export interface ServeOptions {
  /** The store's folder. */
  readonly store: string;
  /** TCP port; 0 takes a free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly host: string;
  /** Bytes of answers that each process keeps in memory; 0 keeps none. */
  readonly cacheBytes?: number;
  /** Processes that answer; one where it is not given. */
  readonly workers?: number;
  /** Whether `/metrics` is there. */
  readonly metrics?: boolean;
  /** Whether each request is told of, as a line of JSON on stdout. */
  readonly requestLog?: boolean;
  /** Told what an operator should know. */
  readonly log: Log;
}

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** Where the server is reached, without a trailing slash. */
  readonly url: string;
  /** A host that has a report, for examples; null while no snapshot is loaded. */
  exampleHost(): string | null;
  /** Looks for a new snapshot at once, also for one that was refused. */
  reload(): void;
  /** Ends it: no new connections, running answers finish within the drain time. */
  close(): Promise<void>;
}

/** Starts the runtime over a store; it answers 503 until a snapshot is there. @throws where the port cannot be had. */
export function serve(options: ServeOptions): Promise<RunningServer> {
  const all = {
    cacheBytes: CACHE_BYTES,
    workers: 1,
    metrics: false,
    requestLog: false,
    ...options,
  };
  return all.workers > 1 ? serveByWorkers(all) : serveAlone(all);
}

const CACHE_BYTES = 64 * 1024 * 1024;

async function serveAlone(options: Required<ServeOptions>): Promise<RunningServer> {
  const { store, log, cacheBytes } = options;
  const holder = new SnapshotHolder(store, cacheBytes);
  const metrics = options.metrics ? new Metrics() : null;
  const watcher = new StoreWatcher({
    store,
    log,
    adopt: async (id) => {
      const ready = await holder.prepare(id);
      holder.take();
      return ready;
    },
    onReload: (outcome) => metrics?.reloaded(outcome),
  });
  await watcher.start();
  try {
    const listener = await openListener(options, {
      holder,
      log,
      observer: observerOf(metrics, options.requestLog ? writeLine : null),
      metrics: metrics === null ? null : async () => [metrics.counted(holder.state())],
    });
    return {
      ...addressOf(listener),
      exampleHost: () => watcher.adopted?.exampleHost ?? null,
      reload: () => watcher.lookNow(),
      close: async () => {
        await listener.close();
        await watcher.close();
        holder.close();
      },
    };
  } catch (error) {
    await watcher.close();
    holder.close();
    throw error;
  }
}

async function serveByWorkers(options: Required<ServeOptions>): Promise<RunningServer> {
  const { store, log } = options;
  const crew = new WorkerCrew(options);
  const watcher = new StoreWatcher({
    store,
    log,
    adopt: (id) => crew.adopt(id),
    onReload: (outcome) => crew.reloaded(outcome),
  });
  try {
    await crew.start();
    await watcher.start();
    const address = await crew.listen();
    return {
      ...addressOf(address),
      exampleHost: () => watcher.adopted?.exampleHost ?? null,
      reload: () => watcher.lookNow(),
      close: async () => {
        await watcher.close();
        await crew.close();
      },
    };
  } catch (error) {
    await watcher.close();
    await crew.close();
    throw error;
  }
}

function addressOf({ host, port }: { readonly host: string; readonly port: number }) {
  const name = host.includes(":") ? `[${host}]` : host;
  return { host, port, url: `http://${name}:${port}` };
}
