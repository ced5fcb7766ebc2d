import { expect, onTestFinished, vi } from "vitest";
import {
  type Client,
  type ClientOptions,
  CrawldexError,
  createClient,
} from "../../src/client/index.js";

/** What a scripted request comes to. */
export type Step = (signal: AbortSignal) => Promise<Response>;

export interface SentRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  /** Milliseconds since the script began. */
  readonly at: number;
}

export interface Script {
  readonly client: Client;
  readonly sent: readonly SentRequest[];
  /** When each request was sent, in milliseconds since the script began. */
  times(): number[];
}

export const BASE = "https://api.example.org";

export const answers =
  (body: unknown, headers: Record<string, string> = {}, status = 200): Step =>
  async () =>
    new Response(status === 304 ? null : JSON.stringify(body), { status, headers });

/** A 200 of a read; `etag` empty: it has none. */
export const gives = (data: unknown, etag = ""): Step =>
  answers({ data }, etag === "" ? {} : { ETag: etag });

export const refuses = (status: number, headers: Record<string, string> = {}): Step =>
  answers({ error: `It is ${status}.` }, headers, status);

export const fails = (): Step => async () => {
  throw new TypeError("fetch failed");
};

/** Never answers, and listens to no signal. */
export const hangs = (): Step => () => new Promise(() => {});

/** Answers, but its body never ends. */
export const hangsInBody = (): Step => async () =>
  new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([123])) }));

/** A client whose requests come to one step each, on a clock that only `vi.advanceTimers…` moves. */
export function aScript(steps: readonly Step[], options: Partial<ClientOptions> = {}): Script {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const begun = Date.now();
  const sent: SentRequest[] = [];
  const send = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const step = steps[sent.length];
    const signal = init.signal as AbortSignal;
    const headers = init.headers as Record<string, string>;
    sent.push({ url: String(input), headers, signal, at: Date.now() - begun });
    if (step === undefined) throw new Error("a request more than the script has");
    return step(signal);
  };
  const client = createClient({ baseUrl: BASE, fetch: send, random: () => 0.5, ...options });
  return { client, sent, times: () => sent.map(({ at }) => at) };
}

/** What a read has come to so far. */
export interface Outcome<T> {
  value?: T;
  error?: unknown;
}

/** Follows a promise without waiting for it. */
export function outcomeOf<T>(promise: Promise<T>): Outcome<T> {
  const outcome: Outcome<T> = {};
  promise.then(
    (value) => {
      outcome.value = value;
    },
    (error: unknown) => {
      outcome.error = error;
    },
  );
  return outcome;
}

/** Lets all waits of the given time pass, and what follows from them. */
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** The client's error that a promise rejects with. */
export async function failureOf(answer: Promise<unknown>): Promise<CrawldexError> {
  const error = await answer.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CrawldexError);
  return error as CrawldexError;
}

/** Counts the listeners that are left on a signal. */
export function listenersOf(signal: AbortSignal): () => number {
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  return () => {
    expect(added.mock.calls.length).toBeGreaterThan(0);
    return added.mock.calls.filter(
      ([type, listener]) =>
        !removed.mock.calls.some(([gone, was]) => gone === type && was === listener),
    ).length;
  };
}
