import { SnapshotHolder } from "./holder.js";
import { type Listener, openListener } from "./listener.js";
import { type Counted, Metrics } from "./metrics.js";
import { observerOf } from "./observer.js";
import { writeLine } from "./request-log.js";
import type { Order, Said } from "./workers.js";

/** What a worker process is started with, in its environment. */
export interface WorkerOptions {
  readonly store: string;
  readonly port: number;
  readonly host: string;
  readonly cacheBytes: number;
  readonly metrics: boolean;
  readonly requestLog: boolean;
}

// A worker process' entry: workers.ts starts it, and tells it all that it does.
const options = JSON.parse(process.env.CRAWLDEX_WORKER ?? "{}") as WorkerOptions;
const holder = new SnapshotHolder(options.store, options.cacheBytes);
const metrics = options.metrics ? new Metrics() : null;
const wanted = new Map<number, (counts: readonly Counted[]) => void>();
let wants = 0;
let listener: Listener | null = null;

process.on("message", (order: Order) => {
  if (order.kind === "close") {
    void close();
  } else if (order.kind === "counts") {
    wanted.get(order.want)?.(order.counts);
    wanted.delete(order.want);
  } else {
    const { ask } = order;
    carryOut(order).then(
      (value) => say({ ask, value }),
      ({ message }: Error) => say({ ask, failure: message }),
    );
  }
});
// The first process hears signals, and says when to end; where it is gone, nobody does.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
process.once("disconnect", () => void close());
// What was said before somebody listens is lost.
say({ ready: true });

async function carryOut(order: Extract<Order, { ask: number }>): Promise<unknown> {
  switch (order.kind) {
    case "prepare":
      return holder.prepare(order.id);
    case "take":
      holder.take();
      return null;
    case "drop":
      holder.drop();
      return null;
    case "count":
      return metrics?.counted(holder.state());
    case "listen": {
      listener = await openListener(options, {
        holder,
        log: (line, kind) => say({ line, kind }),
        observer: observerOf(metrics, options.requestLog ? writeLine : null),
        metrics: metrics === null ? null : countAll,
      });
      const { host, port } = listener;
      return { host, port };
    }
  }
}

/** What all workers have counted. */
function countAll(): Promise<readonly Counted[]> {
  return new Promise((resolve) => {
    wants += 1;
    wanted.set(wants, resolve);
    say({ want: wants });
  });
}

function say(said: Said): void {
  if (process.connected) process.send?.(said);
}

async function close(): Promise<void> {
  await listener?.close();
  process.exit(0);
}
