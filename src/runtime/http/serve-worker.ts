import { messageOf } from "../../files/errors.js";
import type { CountedMetrics } from "../observe/metrics.js";
import { type ServingProcess, startProcess } from "./server.js";
import { WORKER_OPTIONS } from "./workers.js";

export interface WorkerOptions {
  readonly store: string;
  readonly host: string;
  readonly port: number;
  readonly cacheBytes: number;
  readonly metrics: boolean;
  readonly requestLog: boolean;
  readonly cards: boolean;
  readonly publicKeys?: readonly string[] | undefined;
}

/** A message from the first process to a worker. */
export type Command =
  | { readonly kind: "listen" | "reload" | "count" | "close" }
  | { readonly kind: "metrics"; readonly text: string };

/** Sent after a worker has tried to load the current snapshot, or has loaded a new one. */
export interface Looked {
  readonly kind: "looked";
  readonly isLoaded: boolean;
  readonly exampleHost: string | null;
}

/** A message from a worker to the first process. */
export type WorkerReport =
  | Looked
  | { readonly kind: "counted"; readonly counted: CountedMetrics }
  /** The worker needs the metrics of all workers. */
  | { readonly kind: "gather" }
  | { readonly kind: "log"; readonly line: string; readonly level: "info" | "trouble" }
  /** The worker cannot answer, and ends. */
  | { readonly kind: "failed"; readonly message: string };

// The entry of a worker process (workers.ts).
const options = JSON.parse(process.env[WORKER_OPTIONS] ?? "{}") as WorkerOptions;
/** Requests for /metrics that wait for the metrics of all workers. */
const scrapes: ((text: string) => void)[] = [];

let server: ServingProcess | null = null;

process.on("message", (command: Command) => void carryOut(command).catch(fail));
// The first process handles signals. If the first process ends, node ends its workers.
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
  fail(error);
}

async function carryOut(command: Command): Promise<void> {
  if (command.kind === "listen") await server?.open();
  if (command.kind === "reload") server?.reload();
  if (command.kind === "count" && server) {
    report({ kind: "counted", counted: await server.counted() });
  }
  if (command.kind === "metrics") {
    for (const resolve of scrapes.splice(0)) resolve(command.text);
  }
  if (command.kind === "close") {
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

function fail(error: unknown): void {
  const failed: WorkerReport = { kind: "failed", message: messageOf(error) };
  process.send?.(failed, () => process.exit(1));
}

function report(message: WorkerReport): void {
  if (process.connected) process.send?.(message);
}
