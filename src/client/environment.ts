/*
 * The client's access to the page or process that it runs in. No other file of the client uses the clock or random
 * numbers. Both affect only when a request is sent, never the content of an answer.
 */

/** Tells whether a watch should send requests (contract section 3, rule 1). */
export interface Presence {
  /** Whether the page may be visible and the network available. */
  isPresent(): boolean;
  /** Calls `listener` after every change. The returned function unsubscribes it. */
  onChange(listener: () => void): () => void;
}

interface EventSource {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** The browser globals that the client reads. Workers have no document; Node has none of them, or only a navigator. */
interface PageGlobals extends EventSource {
  readonly document?: EventSource & { readonly visibilityState?: string };
  readonly navigator?: { readonly onLine?: boolean };
}

/** Milliseconds since 1970. */
export function now(): number {
  return Date.now();
}

/** A random number from 0 to less than 1. It spreads the retries of clients that failed at the same time. */
export function chance(): number {
  return Math.random();
}

/** Presence from the page's visibility and network; always present if there is no page. */
export function pagePresence(): Presence {
  const globals = globalThis as unknown as PageGlobals;
  const { document } = globals;
  return {
    isPresent: () => document?.visibilityState !== "hidden" && globals.navigator?.onLine !== false,
    onChange(listener) {
      document?.addEventListener("visibilitychange", listener);
      globals.addEventListener("online", listener);
      globals.addEventListener("offline", listener);
      return () => {
        document?.removeEventListener("visibilitychange", listener);
        globals.removeEventListener("online", listener);
        globals.removeEventListener("offline", listener);
      };
    },
  };
}
