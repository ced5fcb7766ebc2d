import { expect, onTestFinished, vi } from "vitest";
import type { AnswerExtra } from "../../src/answer/extra.js";
import { type FetchHandler, type FetchHandlerOptions, httpStore } from "../../src/fetch/index.js";
import type { Origin } from "./generations.js";
import { hostileOrigin, INTERNAL_STATUS, SECRET, type TrickName } from "./hostile-origin.js";
import { filesIn } from "./plain-host.js";
import { healthOf } from "./targets.js";
import { wholeHandler } from "./whole.js";

/** How many snapshots the origin of a trick has. */
export const GENERATIONS = 4;
/** If the origin sends a byte every 20 milliseconds, the handler waits so long for a file. */
const TIMEOUT_MS = 250;
/** The most bytes and requests that a few looks take from an origin, with what the system sends ahead. */
const BYTES_MAX = 128 * 1024 * 1024;
const REQUESTS_MAX = 100;

/** The generation that is served after a trick, or why there is none, if signatures are not checked. */
export const OUTCOMES: Record<TrickName, typeof GENERATIONS | RegExp> = {
  "a pointer with a huge generation": /states another generation than/,
  "a manifest of empty entries": /manifest\.json has more than 4194304 bytes/,
  "an endless pointer": /current\.json has more than 4096 bytes/,
  "an endless manifest": /manifest\.json has more than 4194304 bytes/,
  "an endless signature": GENERATIONS,
  "an endless file": GENERATIONS,
  "an endless 404": /standards\.json cannot be fetched: the store answered 404/,
  "an endless error": /answered 500 for current\.json/,
  "a compressed endless manifest": /manifest\.json has more than 4194304 bytes/,
  "a drip of a pointer": /current\.json cannot be fetched: .*timeout/,
  "a drip of a manifest": /manifest\.json cannot be fetched: .*timeout/,
  "a drip of a file": GENERATIONS,
  "a drip of a head": /current\.json cannot be fetched: .*timeout/,
  "a drip of early hints": /current\.json cannot be fetched: .*timeout/,
  "redirects for ever": /current\.json redirects more than 5 times/,
  "a redirect to another path": GENERATIONS,
  "a redirect to another host": /redirects current\.json, which is not followed/,
  "a redirect to an internal address": /redirects current\.json, which is not followed/,
  "lists with ever new tokens": GENERATIONS,
};

/** A handler that looks before each answer, and the messages of its errors. */
export async function following(options: FetchHandlerOptions) {
  const errors: string[] = [];
  const handler = await wholeHandler({
    refreshSeconds: 0,
    ...options,
    onError: ({ message }) => errors.push(message),
  });
  return { handler, errors };
}

/** Reads a report. */
async function statusOf(handler: FetchHandler, origin: Origin): Promise<number> {
  const { answers = [] } = origin.generations.at(-1) ?? {};
  const { target = "" } =
    origin.questions.find(
      (question, i) => /report$/.test(question.target) && answers[i]?.status === 200,
    ) ?? {};
  return (await handler(new Request(`https://any.example${target}`))).status;
}

/**
 * Expects a handler to withstand an origin that plays a trick, and to serve it once the trick is over.
 * @param outcome the generation that is served meanwhile, or why there is none
 * @param extras extras of the handler, besides all that are installed
 */
export async function expectWithstood(
  origin: Origin,
  trick: TrickName,
  outcome: number | RegExp,
  extras: readonly AnswerExtra[] = [],
): Promise<void> {
  if (trick.startsWith("a drip")) {
    const { timeout } = AbortSignal;
    const short = () => timeout.call(AbortSignal, TIMEOUT_MS);
    vi.spyOn(AbortSignal, "timeout").mockImplementation(short);
    onTestFinished(() => void vi.restoreAllMocks());
  }
  const hostile = await hostileOrigin(filesIn(origin.folder), trick);
  const { handler, errors } = await following({ store: httpStore(hostile.url), extras });
  const { generation, ready } = await healthOf(handler);
  if (typeof outcome === "number") expect([generation, ready]).toEqual([outcome, true]);
  else expect(errors.join("\n")).toMatch(new RegExp(outcome.source, "s"));
  await statusOf(handler, origin);
  expect(hostile.requested.length).toBeLessThan(REQUESTS_MAX);
  expect(hostile.bytesSent()).toBeLessThan(BYTES_MAX);
  expect(hostile.receivedElsewhere).toEqual([]);
  expect(errors.join()).not.toMatch(new RegExp(`${SECRET}|${INTERNAL_STATUS}`));
  // The trick has left nothing behind.
  hostile.play(null);
  vi.restoreAllMocks();
  await vi.waitFor(async () => {
    const health = await healthOf(handler);
    expect(health).toMatchObject({ ready: true, generation: GENERATIONS });
    expect(health.trouble).toBe(undefined);
    // A read that began during the trick may still fail.
    expect(await statusOf(handler, origin)).toBe(200);
  }, 10_000);
}
