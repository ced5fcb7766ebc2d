import { tableOf } from "../../../src/contract/tables.js";
import { EDGE_READS, type EdgeRead, type EdgeRequest, type EdgeRequests } from "./requests.js";

/** The answer to `Runtime.getHeapUsage`: bytes. */
export interface HeapUsage {
  /** Of objects and strings. */
  readonly usedSize: number;
  /** Of array buffers. */
  readonly backingStorageSize: number;
}

/** A fetch handler on a platform. Its first request loads the store. */
export interface EdgeRun {
  /** Sends requests, one after another. @returns the milliseconds that each took. @throws unless all answers are 200 */
  ask(targets: readonly string[]): Promise<readonly number[]>;
  /** The bytes that have come from the store. */
  downloaded(): Promise<number>;
  /** What is alive after a garbage collection, as the platform's debugger counts it. */
  usage(): Promise<HeapUsage>;
  stop(): Promise<void>;
}

export interface EdgeFigures {
  /** Bytes that the first search took. */
  readonly firstBytes: number;
  /** Milliseconds of the first search, in each round. */
  readonly firstMs: readonly number[];
  /** Milliseconds of each request. */
  readonly ms: Readonly<Record<EdgeRead, readonly number[]>>;
  /** After all requests. */
  readonly usage: HeapUsage;
}

/** Starts a handler so many times. The last one gets all requests. */
export async function measurePlatform(
  start: () => Promise<EdgeRun>,
  { first, warmUp, measured }: EdgeRequests,
  rounds: number,
): Promise<EdgeFigures> {
  const firstMs: number[] = [];
  for (;;) {
    const run = await start();
    try {
      firstMs.push(...(await run.ask([first.target])));
      if (firstMs.length < rounds) continue;
      const firstBytes = await run.downloaded();
      await run.ask(targetsOf(warmUp));
      const taken = await run.ask(targetsOf(measured));
      const ms = tableOf(EDGE_READS, (read) =>
        taken.filter((_, place) => measured[place]?.read === read),
      );
      return { firstBytes, firstMs, ms, usage: await run.usage() };
    } finally {
      await run.stop();
    }
  }
}

function targetsOf(requests: readonly EdgeRequest[]): string[] {
  return requests.map(({ target }) => target);
}
