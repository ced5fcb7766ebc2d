import { resolve } from "node:path";
import { messageOf } from "../../files/errors.js";
import { randomShare } from "../../files/random-name.js";
import { writeRefusal } from "../../files/regular.js";
import type { Log, PullState } from "../../server/observer.js";
import { Repeating } from "../../server/repeating.js";
import type { VerifyManifest } from "../../store/signature.js";
import type { VerifiedFiles } from "./origin.js";

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
  /** Checks signatures, if the options ask for it. */
  readonly verify: VerifyManifest | undefined;
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
    const { url, store, verify, allowRedirects, onPulled } = this.#options;
    try {
      // Loaded only if needed: it takes time to load.
      const { pullOnce } = await import("./pull.js");
      const options = { store, allowRedirects, signal };
      const { changed } = await pullOnce(url, options, verify, this.#verified);
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
