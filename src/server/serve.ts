import { resolve } from "node:path";
import { type CheckedServeOptions, installedExtras } from "../extra.js";
import { messageOf } from "../files/errors.js";
import { randomShare } from "../files/random-name.js";
import { writeRefusal } from "../files/regular.js";
import { FOLDER, requireArgument, STORE } from "../lib/options.js";
import { PULL_ADDRESS } from "../extras/remote/address.js";
import type { VerifiedFiles } from "../extras/remote/origin.js";
import type { EngineMaker } from "./load-snapshot.js";
import type { Log, PullState } from "./observer.js";
import { type ServeOptions, serveSettings } from "./options.js";
import { Repeating } from "./repeating.js";
import { type RunningServer, serveStore } from "./server.js";

/**
 * Serves a store's current snapshot, and each new one as it is published, as `crawldex serve` does. Answers follow the
 * read API; they are 503 until a snapshot is loaded.
 * @param store the store's folder, which may be built later; or the address of a remote store, as for `pull`, whose
 * reports are read when they are requested, unless `mirror` is set
 * @throws TypeError for a wrong argument; Error if the port is not available
 */
export async function serve(
  store: string = STORE,
  options: ServeOptions = {},
): Promise<RunningServer> {
  requireArgument("serve", "store", store, FOLDER);
  const { checked, mirror, cacheDir, refreshMs, maxAgeMs, ...settings } = serveSettings(options);
  const { allowRedirects } = settings;
  const makeEngine = await engineElsewhere(checked);
  const answering = { ...settings.answering, makeEngine };
  if (!PULL_ADDRESS.accepts(store)) {
    if (mirror) throw new TypeError("serve: the option mirror needs the address of a remote store");
    return serveStore({ store, ...answering });
  }
  if (!mirror) {
    const { remoteStore, usualCacheFolder } = await import("../extras/remote/remote-store.js");
    const folder = cacheDir ?? usualCacheFolder(store);
    const remote = remoteStore(store, { folder, allowRedirects, refreshMs });
    return serveStore({ store: folder, remote, ...answering });
  }
  const folder = cacheDir ?? STORE;
  const { log, publicKeys } = answering;
  let server: RunningServer | null = null;
  const onPulled = () => server?.reload();
  const copy = new Mirror({
    url: store,
    store: folder,
    refreshMs,
    publicKeys,
    allowRedirects,
    log,
    onPulled,
  });
  const pulls = () => copy.state();
  const unready = () => whyUnready(folder, pulls(), maxAgeMs);
  try {
    const running = await serveStore({ store: folder, ...answering, pulls, unready });
    server = running;
    return {
      ...running,
      reload: () => {
        copy.pullNow();
        running.reload();
      },
      close: async () => {
        await Promise.all([copy.close(), running.close()]);
      },
    };
  } catch (error) {
    await copy.close();
    throw error;
  }
}

/** What makes engines in place of ours; undefined if the options ask for none. @throws TypeError */
async function engineElsewhere(options: CheckedServeOptions): Promise<EngineMaker | undefined> {
  for (const { engine } of installedExtras()) {
    const maker = await engine?.(options);
    if (maker !== undefined) return maker;
  }
  return undefined;
}

/** The longest time between two pulls while they fail, in milliseconds, unless the usual time is longer. */
const FAILING_MAX_MS = 60_000;
/**
 * Each wait is up to this share shorter, so that replicas that were started together do not pull at the same moment.
 */
const JITTER = 0.2;

export interface MirrorOptions {
  /** The address of the remote store. */
  readonly url: string;
  /** The local store's folder. */
  readonly store: string;
  /** Milliseconds between the end of a pull and the next one. */
  readonly refreshMs: number;
  readonly publicKeys: readonly string[] | undefined;
  /** Whether the remote store may redirect to other hosts. */
  readonly allowRedirects: boolean;
  readonly log: Log;
  /** Called when another snapshot has become current in the local store. */
  readonly onPulled: () => void;
}

/** Pulls the newest snapshot of a remote store into a local one, again and again. */
export class Mirror {
  readonly #options: MirrorOptions;
  readonly #verified: VerifiedFiles = new Map();
  readonly #pulling: Repeating;
  /** When the last pull succeeded, or else the first one began, in milliseconds of `performance`. */
  #pulledAt = performance.now();
  #succeeded = 0;
  #failed = 0;
  /** Failures since the last success. */
  #failures = 0;
  /** The reasons that were logged since the last success. */
  readonly #reasons = new Set<string>();

  /** Begins with the first pull. */
  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#pulling = new Repeating(
      (stop) => this.#pull(stop),
      () => waitMs(options.refreshMs, this.#failures, randomShare()),
    );
  }

  state(): PullState {
    return {
      ageSeconds: (performance.now() - this.#pulledAt) / 1_000,
      succeeded: this.#succeeded,
      failed: this.#failed,
    };
  }

  /** Pulls immediately; if a pull is running, once more after it. */
  pullNow(): void {
    this.#pulling.runNow();
  }

  /** Ends the pull that is running, and waits for its end. The local store stays valid. */
  close(): Promise<void> {
    return this.#pulling.close();
  }

  async #pull(signal: AbortSignal): Promise<void> {
    const { url, store, publicKeys, allowRedirects, onPulled } = this.#options;
    try {
      // Loaded only if needed: it takes time to load.
      const { pullOnce } = await import("../extras/remote/pull.js");
      const options = { store, publicKeys, allowRedirects, signal };
      const { changed } = await pullOnce(url, options, this.#verified);
      this.#succeed();
      if (changed) onPulled();
    } catch (error) {
      if (!signal.aborted) this.#fail(messageOf(error));
    }
  }

  #succeed(): void {
    const { url, log } = this.#options;
    if (this.#failures > 0) {
      log(`pulls from ${url} succeed again, after ${this.#failures} that failed`, "info");
    }
    this.#pulledAt = performance.now();
    this.#succeeded += 1;
    this.#failures = 0;
    this.#reasons.clear();
  }

  /** Logs each reason once, until a pull succeeds. */
  #fail(reason: string): void {
    const { url, log } = this.#options;
    this.#failed += 1;
    this.#failures += 1;
    if (this.#reasons.has(reason)) return;
    this.#reasons.add(reason);
    log(`cannot pull from ${url}, and keeps trying: ${reason}`, "trouble");
  }
}

/**
 * Milliseconds until the next pull. They double with each failure after the first.
 * @param failures how many pulls have failed since the last success
 * @param share a random number from 0 to 1
 */
export function waitMs(refreshMs: number, failures: number, share: number): number {
  const longest = Math.max(refreshMs, FAILING_MAX_MS);
  const doubled = refreshMs * 2 ** Math.max(0, failures - 1);
  return Math.min(doubled, longest) * (1 - JITTER * share);
}

/**
 * Says why a replica is not ready: it cannot store what it pulls, or pulls have failed for too long. It may then answer
 * from an old snapshot, while another replica has a newer one.
 * @param maxAgeMs milliseconds that pulls may fail
 * @returns undefined if it is ready. Never rejects
 */
export async function whyUnready(
  store: string,
  { ageSeconds }: PullState,
  maxAgeMs: number,
): Promise<string | undefined> {
  const refusal = await writeRefusal(resolve(store));
  if (refusal !== null) return `the store cannot be written (${refusal})`;
  if (ageSeconds * 1_000 <= maxAgeMs) return undefined;
  return `no pull has succeeded for ${Math.floor(ageSeconds)} seconds`;
}
