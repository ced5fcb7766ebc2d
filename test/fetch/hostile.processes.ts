import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { manifestFrom } from "../../src/fetch/handler.js";
import {
  type FetchHandler,
  type FetchHandlerOptions,
  httpStore,
  s3Store,
} from "../../src/fetch/index.js";
import { folderStore } from "../../src/store/folder-source.js";
import { someOf } from "../slow.js";
import { sharedOrigin } from "./generations.js";
import {
  hostileOrigin,
  INTERNAL_STATUS,
  SECRET,
  TRICKS,
  type TrickName,
} from "./hostile-origin.js";
import { filesIn } from "./plain-host.js";
import { healthOf } from "./targets.js";
import { wholeHandler } from "./whole.js";

const GENERATIONS = 4;
/** If the origin sends a byte every 20 milliseconds, the handler waits so long for a file. */
const TIMEOUT_MS = 250;
/** The most bytes and requests that a few looks take from an origin, with what the system sends ahead. */
const BYTES_MAX = 128 * 1024 * 1024;
const REQUESTS_MAX = 100;

const origin = sharedOrigin(GENERATIONS);

beforeEach(() => origin.rewind(GENERATIONS));

/** The generation that is served after a trick, or why there is none. */
const OUTCOMES: Record<TrickName, typeof GENERATIONS | RegExp> = {
  "a pointer with a huge generation": /states another generation than/,
  "a manifest of empty entries": /manifest\.json has more than 4194304 bytes/,
  "an endless pointer": /current\.json has more than 4096 bytes/,
  "an endless manifest": /manifest\.json has more than 4194304 bytes/,
  "an endless signature": /minisig has more than 4096 bytes.*is not signed/,
  "an endless file": GENERATIONS,
  "an endless 404": /is not signed/,
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
async function following(options: FetchHandlerOptions) {
  const errors: string[] = [];
  const handler = await wholeHandler({
    refreshSeconds: 0,
    publicKeys: [origin.publicKey],
    ...options,
    onError: ({ message }) => errors.push(message),
  });
  return { handler, errors };
}

/** Reads a report. */
async function statusOf(handler: FetchHandler): Promise<number> {
  const { answers = [] } = origin.generations.at(-1) ?? {};
  const { target = "" } =
    origin.questions.find(
      (question, i) => /report$/.test(question.target) && answers[i]?.status === 200,
    ) ?? {};
  return (await handler(new Request(`https://any.example${target}`))).status;
}

it.each(["{},", "[", "0,"])(
  "a manifest of megabytes of %j is not parsed, with a key or without",
  async (piece) => {
    const bytes = Buffer.from(`{"format":5,"buckets":[${piece.repeat(2 ** 20)}`);
    const id = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    expect(() => manifestFrom(bytes, id)).toThrow("has too many entries for its size");
    expect(parse).not.toHaveBeenCalled();
  },
);

describe("a fetch handler with a public key, and a hostile origin", () => {
  it.each(someOf(Object.keys(TRICKS) as TrickName[], 5))("that plays %s", async (trick) => {
    if (trick.startsWith("a drip")) {
      const { timeout } = AbortSignal;
      const short = () => timeout.call(AbortSignal, TIMEOUT_MS);
      vi.spyOn(AbortSignal, "timeout").mockImplementation(short);
      onTestFinished(() => void vi.restoreAllMocks());
    }
    const hostile = await hostileOrigin(filesIn(origin.folder), trick);
    const { handler, errors } = await following({ store: httpStore(hostile.url) });
    const { generation, ready } = await healthOf(handler);
    const outcome = OUTCOMES[trick];
    if (outcome === GENERATIONS) expect([generation, ready]).toEqual([outcome, true]);
    else expect(errors.join("\n")).toMatch(new RegExp(outcome.source, "s"));
    await statusOf(handler);
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
    }, 10_000);
    expect(await statusOf(handler)).toBe(200);
  });

  it("ends a look that takes too long, however many files it reads", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const store = folderStore(origin.folder);
    const { errors } = await following({
      store: (path, range) => {
        vi.advanceTimersByTime(60_000);
        return store(path, range);
      },
    });
    expect(errors.join()).toMatch(/the look at the store took more than 5 minutes/);
  });
});

describe("the option leastGeneration", () => {
  it("refuses an older signed snapshot that was put back, even in a handler that has just started", async () => {
    const store = folderStore(origin.folder);
    await origin.rewind(2);
    const without = await following({ store });
    expect(await healthOf(without.handler)).toMatchObject({ ready: true, generation: 2 });
    const { handler } = await following({ store, leastGeneration: 3 });
    expect(await healthOf(handler)).toMatchObject({
      ready: false,
      trouble: expect.stringMatching(/older than generation 3/),
    });
    await origin.rewind(GENERATIONS);
    const at = await following({ store, leastGeneration: GENERATIONS });
    expect(await healthOf(at.handler)).toMatchObject({ ready: true, generation: GENERATIONS });
  });

  it("is refused without public keys", async () => {
    const store = folderStore(origin.folder);
    const making = wholeHandler({ store, leastGeneration: 3 });
    await expect(making).rejects.toThrow(/^leastGeneration needs publicKeys/);
    await expect(
      wholeHandler({ store, publicKeys: [origin.publicKey], leastGeneration: -1 }),
    ).rejects.toThrow(TypeError);
  });
});

describe("a store with credentials", () => {
  it.each(["a redirect to another host", "a redirect to another path"] as const)(
    "does not follow %s",
    async (trick) => {
      const hostile = await hostileOrigin(filesIn(origin.folder), trick);
      const keys = { accessKeyId: "id", secretAccessKey: "secret", sessionToken: "token" };
      const stores = [
        httpStore(hostile.url, { headers: { "x-api-key": "secret" }, allowRedirects: true }),
        s3Store({ bucket: "bucket", endpoint: hostile.url, ...keys }),
      ];
      for (const store of stores) {
        await expect(store("current.json")).rejects.toThrow(/redirects current\.json/);
      }
      expect(hostile.receivedElsewhere).toEqual([]);
      expect(hostile.requested).toHaveLength(stores.length);
    },
  );
});

describe("redirects of a store without credentials", () => {
  it("to another host are followed if that is allowed", async () => {
    const hostile = await hostileOrigin(filesIn(origin.folder), "a redirect to another host");
    const store = httpStore(hostile.url, { allowRedirects: true });
    expect(JSON.parse(new TextDecoder().decode(await store("current.json")))).toMatchObject({
      generation: GENERATIONS,
    });
  });

  it("never lead away from https", async () => {
    const asked: string[] = [];
    const fetch = async (address: string) => {
      asked.push(address);
      return new Response(null, { status: 302, headers: { location: "http://other.example/" } });
    };
    const store = httpStore("https://here.example/data", { allowRedirects: true, fetch });
    await expect(store("current.json")).rejects.toThrow(/redirects current\.json/);
    expect(asked).toEqual(["https://here.example/data/current.json"]);
  });

  it("are followed by browsers, which hide them, and refused if they have led to another host", async () => {
    const modes: string[] = [];
    let url = "https://here.example/moved";
    const fetch = async (_: string, { redirect }: { readonly redirect: string }) => {
      modes.push(redirect);
      const hidden = { type: "opaqueredirect", status: 0, headers: new Headers(), body: null };
      const response = new Response("content");
      const shown = { type: "basic", url };
      for (const [name, value] of Object.entries(redirect === "manual" ? hidden : shown)) {
        Object.defineProperty(response, name, { value });
      }
      return response;
    };
    const store = httpStore("https://here.example/data", { fetch });
    expect(new TextDecoder().decode(await store("current.json"))).toBe("content");
    url = "https://there.example/moved";
    await expect(store("current.json")).rejects.toThrow(/is not followed/);
    expect(modes).toEqual(["manual", "follow", "manual", "follow"]);
    const secret = httpStore("https://here.example/data", { fetch, headers: { "x-api-key": "s" } });
    await expect(secret("current.json")).rejects.toThrow(/is not followed/);
    expect(modes).toHaveLength(5);
  });
});
