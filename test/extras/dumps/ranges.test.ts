import { createHash } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { ErrorBody } from "../../../src/contract/bodies.js";
import { folderStore } from "../../../src/index.js";
import { serve } from "../../../src/server/serve.js";
import { wholeHandler } from "../../fetch/whole.js";
import { send } from "../../server/http.js";
import { directoryOf } from "../../store/rows.js";
import { aStore } from "../../store/stores.js";

const FILE = "/api/dump/listings.parquet";

/** By platform, what sends a request. */
const PLATFORMS = {
  server: async (store: string) => {
    const running = await serve(store, { port: 0 });
    onTestFinished(running.close);
    return async (target: string, headers: Record<string, string>, method = "GET") => {
      const answer = await send(running, target, { headers, method });
      const header = (name: string) => answer.headers[name]?.toString() ?? null;
      return { status: answer.status, header, bytes: answer.bytes };
    };
  },
  edge: async (store: string) => {
    const handler = await wholeHandler({ store: folderStore(store) });
    return async (target: string, headers: Record<string, string>, method = "GET") => {
      const answer = await handler(
        new Request(`https://any.example${target}`, { headers, method }),
      );
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, header: (name: string) => answer.headers.get(name), bytes };
    };
  },
};

it("each file states the sha256 of its bytes (RFC 9530), from the cache as well", async () => {
  const { store } = await aStore(directoryOf({ one: [50, "++"] }));
  const read = await PLATFORMS.server(store);
  for (const target of [FILE, "/api/dump/hosts.txt"]) {
    for (let times = 0; times < 3; times += 1) {
      const { bytes, header } = await read(target, { "accept-encoding": "identity" });
      const digest = createHash("sha256").update(bytes).digest("base64");
      expect([target, header("repr-digest")]).toEqual([target, `sha-256=:${digest}:`]);
    }
  }
});

it.each(["server", "edge"] as const)(
  "a %s answers with the part of a dump that is asked for",
  async (name) => {
    const { store } = await aStore(directoryOf({ one: [50, "++"], other: [20, "+-"] }));
    const read = await PLATFORMS[name](store);
    // A file that is asked for twice comes from the cache.
    await read(FILE, {});
    const whole = await read(FILE, {});
    const size = whole.bytes.length;
    const tag = whole.header("etag")!;
    const digest = whole.header("repr-digest");
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(whole.header("accept-ranges")).toBe("bytes");
    const cases: [range: string, part: [number, number] | 416 | "whole", ifRange?: string][] = [
      ["bytes=0-0", [0, 1]],
      ["bytes=4-99", [4, 100]],
      ["Bytes=4-", [4, size]],
      ["bytes=-8", [size - 8, size]],
      [`bytes=-${size + 1}`, [0, size]],
      [`bytes=${size - 1}-${size + 50}`, [size - 1, size]],
      [`bytes=${size}-`, 416],
      ["bytes=999999999999999-", 416],
      ["bytes=-0", 416],
      // None of these is one range.
      ...[
        "bytes=0-1,4-5",
        "bytes=5-4",
        "bytes=-",
        "bytes=a-b",
        "bytes=0 - 1",
        "lines=0-1",
        "0-1",
      ].map((range): [string, "whole"] => [range, "whole"]),
      ["bytes=0-1,", "whole"],
      ["bytes=4-99", [4, 100], tag],
      ["bytes=4-99", "whole", '"0123456789abcdef0123456789abcdef"'],
      ["bytes=4-99", "whole", `W/${tag}`],
      ["bytes=4-99", "whole", "Thu, 26 Nov 2026 00:00:00 GMT"],
    ];
    for (const [range, part, ifRange] of cases) {
      const what = `${range} ${ifRange}`;
      const { status, header, bytes } = await read(FILE, {
        Range: range,
        "Accept-Encoding": "gzip, br",
        ...(ifRange && { "If-Range": ifRange }),
      });
      const [start, end] = Array.isArray(part) ? part : [0, size];
      const expected = part === 416 ? 416 : part === "whole" ? 200 : 206;
      expect([status, header("content-encoding")], what).toEqual([expected, null]);
      if (part === 416) {
        expect(header("content-range"), what).toBe(`bytes */${size}`);
        expect(header("cache-control"), what).toBe("no-store");
        ErrorBody.parse(JSON.parse(bytes.toString("utf8")));
        continue;
      }
      const place = part === "whole" ? null : `bytes ${start}-${end - 1}/${size}`;
      expect(
        [header("content-range"), header("etag"), header("repr-digest"), header("content-length")],
        what,
      ).toEqual([
        place,
        tag,
        digest,
        name === "edge" ? header("content-length") : String(end - start),
      ]);
      expect(bytes.equals(whole.bytes.subarray(start, end)), what).toBe(true);
    }
    const some = { Range: "bytes=0-3" };
    expect((await read(FILE, { ...some, "If-None-Match": tag })).status).toBe(304);
    const head = await read(FILE, some, "HEAD");
    expect([head.status, head.header("content-range")]).toEqual([200, null]);
    // JSON has no ranges, and neither has an address that is gone.
    for (const [target, status] of [
      ["/api/dump/index.json", 200],
      ["/api/sites", 200],
      [`${FILE}?content=${"0".repeat(32)}`, 410],
    ] as const) {
      const { status: answered, header } = await read(target, some);
      expect([target, answered, header("accept-ranges")]).toEqual([target, status, null]);
    }
  },
);
