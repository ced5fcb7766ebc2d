import { SnapshotHolder } from "./holder.js";
import { CACHE_MB } from "./limits.js";
import { openListener } from "./listener.js";
import { Metrics, type ReloadCounts } from "./metrics.js";
import { observerOf } from "./observer.js";
import { type Log, StoreWatcher } from "./reload.js";
import { RequestLog } from "./request-log.js";
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
    cacheBytes: CACHE_MB * 1024 * 1024,
    workers: 1,
    metrics: false,
    requestLog: false,
    ...options,
  };
  return all.workers > 1 ? serveByWorkers(all) : serveAlone(all);
}

/** Seconds since 1970. */
const startTime = Math.round(performance.timeOrigin) / 1000;

async function serveAlone(options: Required<ServeOptions>): Promise<RunningServer> {
  const { store, log, cacheBytes } = options;
  const onDoubt = () => watcher.lookAgain();
  const holder: SnapshotHolder = new SnapshotHolder(store, cacheBytes, log, onDoubt);
  const metrics = options.metrics ? new Metrics() : null;
  const requestLog = options.requestLog ? new RequestLog(process.stdout) : null;
  const reloads: ReloadCounts = { loaded: 0, refused: 0 };
  const watcher = new StoreWatcher({
    store,
    log,
    adopt: async (id) => {
      const ready = await holder.prepare(id);
      holder.take();
      return ready;
    },
    onReload: (outcome) => {
      reloads[outcome] += 1;
    },
  });
  const gather = async (counting: Metrics) => {
    const state = holder.state();
    const { residentBytes } = state;
    const processes = [state];
    return { counters: counting.counters(), processes, residentBytes, reloads, startTime };
  };
  await watcher.start();
  try {
    const listener = await openListener(options, {
      holder,
      log,
      observer: observerOf(metrics, requestLog),
      metrics: metrics === null ? null : () => gather(metrics),
    });
    return {
      ...addressOf(listener),
      exampleHost: () => watcher.adopted?.exampleHost ?? null,
      reload: () => watcher.lookNow(),
      close: async () => {
        await listener.close();
        await watcher.close();
        holder.close();
        await requestLog?.written();
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
  const reloads: ReloadCounts = { loaded: 0, refused: 0 };
  const crew: WorkerCrew = new WorkerCrew({
    ...options,
    gather: async () => ({ ...(await crew.gathered()), reloads, startTime }),
    onMissing: () => watcher.lookAgain(),
  });
  const watcher = new StoreWatcher({
    store,
    log,
    adopt: (id) => crew.adopt(id),
    onReload: (outcome) => {
      reloads[outcome] += 1;
    },
  });
  // What the workers load when they end fails: the watcher waits for that, and they for nobody.
  const close = async () => {
    await Promise.all([crew.close(), watcher.close()]);
  };
  try {
    await crew.start();
    await watcher.start();
    return {
      ...addressOf(await crew.listen(options.port)),
      exampleHost: () => watcher.adopted?.exampleHost ?? null,
      reload: () => watcher.lookNow(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function addressOf({ host, port }: { readonly host: string; readonly port: number }) {
  const name = host.includes(":") ? `[${host}]` : host;
  return { host, port, url: `http://${name}:${port}` };
}
