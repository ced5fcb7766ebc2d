import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { manifestFrom } from "../../src/fetch/handler.js";
import { httpStore, s3Store } from "../../src/fetch/index.js";
import { folderStore } from "../../src/store/folder-source.js";
import { someOf } from "../slow.js";
import { sharedOrigin } from "./generations.js";
import { hostileOrigin, TRICKS, type TrickName } from "./hostile-origin.js";
import { filesIn } from "./plain-host.js";
import { expectWithstood, following, GENERATIONS, OUTCOMES } from "./tricks.js";

const origin = sharedOrigin(GENERATIONS);

beforeEach(() => origin.rewind(GENERATIONS));

it.each(["{},", "[", "0,"])("a manifest of megabytes of %j is not parsed", async (piece) => {
  const bytes = Buffer.from(`{"format":5,"buckets":[${piece.repeat(2 ** 20)}`);
  const id = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  expect(() => manifestFrom(bytes, id)).toThrow("has too many entries for its size");
  expect(parse).not.toHaveBeenCalled();
});

describe("a fetch handler and a hostile origin", () => {
  it.each(someOf(Object.keys(TRICKS) as TrickName[], 5))("that plays %s", (trick) =>
    expectWithstood(origin, trick, OUTCOMES[trick]),
  );

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
