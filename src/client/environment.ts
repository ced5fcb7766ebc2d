/*
 * What the client takes from the page or process that it runs in. The only file of the client that knows the
 * clock and chance: both decide when a request is sent, never what an answer says.
 */

/** Tells when a watch is worth a request (contract section 3, rule 1). */
export interface Presence {
  /** Whether somebody may be looking and a network may be there. */
  isPresent(): boolean;
  /** Calls `listener` after every change; the function that it gives ends that. */
  onChange(listener: () => void): () => void;
}

interface EventSource {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** Of a browser's globals, what is looked at. A worker has no document; Node has none of them, or a navigator alone. */
interface PageGlobals extends EventSource {
  readonly document?: EventSource & { readonly visibilityState?: string };
  readonly navigator?: { readonly onLine?: boolean };
}

/** Milliseconds since 1970. */
export function now(): number {
  return Date.now();
}

/** At least 0, less than 1: it keeps clients that failed together from coming back together. */
export function chance(): number {
  return Math.random();
}

/** The page's visibility and network; where there is no page, it is always present. */
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
