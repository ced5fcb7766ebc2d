import { setTimeout } from "node:timers/promises";
import { randomShare } from "../files/random-name.js";
import { RemoteError, RemoteSnapshotError } from "./errors.js";

/** How long requests wait and how often they are tried. The product never changes a value; tests shorten the waits. */
export const PATIENCE = {
  /** Tries of one request. */
  tries: 6,
  /** The longest wait after the first try, in milliseconds. It doubles after each further try. */
  firstWaitMs: 200,
  longestWaitMs: 10_000,
  /** A request fails if no byte moves for this long, in milliseconds. */
  idleMs: 60_000,
};

/** A failure that may pass: throttling, a server error, a cut connection. */
export class PassingFailure extends Error {}

/** The bytes that arrived are not the expected ones. Another try may bring the right ones. */
export class WrongBytes extends PassingFailure {}

/**
 * Runs an action until it succeeds, with growing random waits after failures that may pass.
 * @throws RemoteError when the tries are used up, RemoteSnapshotError if the last one brought wrong bytes
 */
export async function retrying<T>(
  signal: AbortSignal | undefined,
  action: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await action(tries);
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      if (tries >= PATIENCE.tries) {
        const message = `${error.message} (tried ${tries} times)`;
        throw error instanceof WrongBytes
          ? new RemoteSnapshotError(message)
          : new RemoteError(message);
      }
      await waitAfter(tries, signal);
    }
  }
}

/** Waits a random time, so that many writers do not come back at the same moment. @throws the signal's reason */
export async function waitAfter(tries: number, signal: AbortSignal | undefined): Promise<void> {
  const longest = Math.min(PATIENCE.firstWaitMs * 2 ** (tries - 1), PATIENCE.longestWaitMs);
  try {
    await setTimeout((0.5 + 0.5 * randomShare()) * longest, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/**
 * Runs an action for each item, several at a time. After a failure no further item is begun; once the running ones
 * have ended, the first failure is thrown.
 * @returns the results, in the order of the items
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  action: (item: T) => Promise<R>,
): Promise<R[]> {
  const queue = items.entries();
  const results: R[] = [];
  const failures: unknown[] = [];
  const work = async () => {
    for (const [place, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[place] = await action(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
