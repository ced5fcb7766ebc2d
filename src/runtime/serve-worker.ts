import { SnapshotHolder } from "./holder.js";
import { type Listener, openListener } from "./listener.js";
import { type Counted, type Gathered, Metrics, NO_COUNTS } from "./metrics.js";
import { observerOf } from "./observer.js";
import type { Log } from "./reload.js";
import { RequestLog } from "./request-log.js";
import { type Order, type Said, WORKER_OPTIONS } from "./worker-orders.js";

/** What a worker process is started with, in its environment. */
export interface WorkerOptions {
  readonly store: string;
  readonly host: string;
  readonly cacheBytes: number;
  readonly metrics: boolean;
  readonly requestLog: boolean;
}

// A worker process' entry: workers.ts starts it, and tells it all that it does.
const options = JSON.parse(process.env[WORKER_OPTIONS] ?? "{}") as WorkerOptions;
const log: Log = (line, kind) => say({ line, kind });
const onDoubt = () => say({ doubt: true });
const holder = new SnapshotHolder(options.store, options.cacheBytes, log, onDoubt);
const metrics = options.metrics ? new Metrics() : null;
const requestLog = options.requestLog ? new RequestLog(process.stdout) : null;
const wanted = new Map<number, (gathered: Gathered) => void>();
let wants = 0;
let listener: Listener | null = null;

process.on("message", (order: Order) => {
  const done = carryOut(order);
  if (!("ask" in order)) return;
  const { ask } = order;
  done.then(
    (value) => say({ ask, value }),
    ({ message }: Error) => say({ ask, failure: message }),
  );
});
// The first process hears signals, and says when to end. When it is gone, node ends its workers.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
// What was said before somebody listens is lost.
say({ ready: true });

async function carryOut(order: Order): Promise<unknown> {
  switch (order.kind) {
    case "prepare":
      return holder.prepare(order.id);
    case "pause":
      return holder.pause();
    case "take":
      holder.take();
      return holder.goOn();
    case "go-on":
      return holder.goOn();
    case "drop":
      return holder.drop();
    case "listen":
      return listen(order.port);
    case "count": {
      const counters = metrics?.counters();
      return { counters: counters ?? NO_COUNTS, state: holder.state() } satisfies Counted;
    }
    case "gathered":
      wanted.get(order.want)?.(order.gathered);
      return wanted.delete(order.want);
    case "close":
      await listener?.close();
      await requestLog?.written();
      process.exit(0);
  }
}

async function listen(port: number): Promise<void> {
  listener = await openListener(
    { host: options.host, port },
    {
      holder,
      log,
      observer: observerOf(metrics, requestLog),
      metrics: metrics === null ? null : gatherAll,
    },
  );
}

/** What all workers have counted. */
function gatherAll(): Promise<Gathered> {
  return new Promise((resolve) => {
    wants += 1;
    wanted.set(wants, resolve);
    say({ want: wants });
  });
}

function say(said: Said): void {
  if (process.connected) process.send?.(said);
}
