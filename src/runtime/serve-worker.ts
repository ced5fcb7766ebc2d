import type { Gathered } from "./metrics.js";
import { type ServingProcess, startProcess } from "./server.js";
import { type Order, type Report, WORKER_OPTIONS, type WorkerOptions } from "./workers.js";

// The entry of a worker process (workers.ts).
const options = JSON.parse(process.env[WORKER_OPTIONS] ?? "{}") as WorkerOptions;
/** Requests for /metrics that wait for the counts of all workers. */
const scrapes: ((gathered: Gathered) => void)[] = [];

let server: ServingProcess | null = null;

process.on("message", (order: Order) => void carryOut(order).catch(fail));
// The first process handles signals. When it is gone, node ends its workers.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

try {
  server = await startProcess({
    ...options,
    log: (line, level) => report({ kind: "log", line, level }),
    onReload: () => reportSnapshot(),
    gather: () =>
      new Promise((resolve) => {
        scrapes.push(resolve);
        report({ kind: "gather" });
      }),
  });
  reportSnapshot();
} catch (error) {
  fail(error as Error);
}

async function carryOut(order: Order): Promise<void> {
  if (order.kind === "listen") await server?.open();
  if (order.kind === "reload") server?.reload();
  if (order.kind === "count" && server) report({ kind: "counted", counted: server.counted() });
  if (order.kind === "gathered") {
    for (const resolve of scrapes.splice(0)) resolve(order.gathered);
  }
  if (order.kind === "close") {
    await server?.drain();
    process.exit(0);
  }
}

function reportSnapshot(): void {
  const adopted = server?.adopted();
  if (adopted === undefined) return;
  const exampleHost = adopted?.exampleHost ?? null;
  report({ kind: "looked", isLoaded: adopted !== null, exampleHost });
}

function fail({ message }: Error): void {
  process.send?.({ kind: "failed", message } satisfies Report, () => process.exit(1));
}

function report(message: Report): void {
  if (process.connected) process.send?.(message);
}
