import { setTimeout as sleep } from "node:timers/promises";
import { fingerprint } from "../src/input/locating/files.js";
import { failure } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

/** Milliseconds between two looks at the published directory. It must look the same twice before it is built. */
const LOOK_MS = 150;
/** The pause after a look is at least this many times as long as the look, which matters with very many files. */
const PAUSES_PER_LOOK = 3;

/** Errors of the first build that the next build may not have. */
const RESOLVABLE = ["BadPublishedError", "TooManyRemovedError", "ThenFailedError"];

interface Options extends OutputOptions {
  readonly full?: boolean | undefined;
}

/**
 * Builds, then builds again after each change of the published directory. Prints the errors of a build and keeps
 * watching. Ends when the signal aborts, or when nobody reads stdout any more.
 *
 * It polls, because the events of file systems get lost: Node's recursive watch misses the second save of an editor
 * that replaces files, every watcher misses a folder that is replaced by another, and network and container mounts may
 * send no events at all.
 * @throws the error of the first build, unless the next build may not have it
 */
export async function keepBuilding<O extends Options>(
  folder: string,
  options: O,
  stop: AbortSignal,
  buildOnce: (folder: string, options: O, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const unread = new AbortController();
  process.stdout.once("error", () => unread.abort());
  const signal = AbortSignal.any([stop, unread.signal]);
  let built: string | null = await fingerprint(folder);
  const first = await errorOf(buildOnce(folder, options, signal));
  if (signal.aborted) return;
  if (first !== null && !RESOLVABLE.includes(first.name)) throw first;
  if (first !== null) await failure(first, options);
  new Terminal(options).message(`watching ${folder}; press Ctrl-C to stop`);
  let wasLocked = false;
  for (;;) {
    built = await nextState(folder, built, signal);
    if (signal.aborted) return;
    const error = await errorOf(buildOnce(folder, { ...options, full: false }, signal));
    if (signal.aborted) return;
    const isLocked = error?.name === "StoreLockedError";
    // The build is tried again until the other one is done, and the lock reported once.
    if (isLocked) built = null;
    if (error !== null && !(isLocked && wasLocked)) await failure(error, options);
    wasLocked = isLocked;
  }
}

async function errorOf(work: Promise<void>): Promise<Error | null> {
  return work.then(
    () => null,
    (error: Error) => error,
  );
}

/**
 * Waits until the directory differs from the one that was built last, and has stopped changing.
 * @param built the fingerprint of the directory that was built last; null to build in any case
 * @returns its fingerprint, immediately when the signal aborts
 */
async function nextState(
  folder: string,
  built: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  let seen = built;
  while (!signal.aborted) {
    const began = performance.now();
    const now = await fingerprint(folder);
    if (now !== built && now === seen) return now;
    seen = now;
    const pause = Math.max(LOOK_MS, PAUSES_PER_LOOK * (performance.now() - began));
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
  return built;
}
