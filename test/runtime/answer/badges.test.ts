import { describe, expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { type Reply, send, sharedService } from "../http.js";

const files = aPublishedDirectory({
  listings: [
    aListing({ host: "open.example", entitlements: { history: true } }),
    aListing({ host: "blocked.example", visibility: "blocked" }),
  ],
  scans: ["open.example", "blocked.example"].flatMap((host) => [
    aScan({ host, id: "new" }),
    aScan({ host, id: "old", finishedAt: "2025-01-01T00:00:00Z" }),
  ]),
});

const service = sharedService(files);

const get = (target: string): Promise<Reply> => send(service.server, target);
const PAGE = "/sites/open.example";

describe("badges over HTTP", () => {
  it("give a badge the look that its address asks for, and ignore what no badge has", async () => {
    const badge = `${PAGE}/badge.svg`;
    const plain = await get(badge);
    const square = await get(`${badge}?style=flat-square&label=AI%20%3Cok%3E`);
    expect(square.text).toContain('aria-label="AI &lt;ok&gt;: 60 of 100');
    expect(square.text).toContain('rx="0"');
    expect(square.headers.etag).not.toBe(plain.headers.etag);
    const swapped = await get(`${badge}?utm_source=x&label=AI+<ok>&style=flat-square`);
    expect(swapped.headers.etag).toBe(square.headers.etag);
    for (const other of [
      "style=huge",
      `label=${"x".repeat(41)}`,
      "label=%20",
      "label=a&label=b",
      "label=%E0%80",
    ]) {
      const { status, text } = await get(`${badge}?${other}`);
      expect([other, status, text === plain.text]).toEqual([other, 200, other !== "label=%E0%80"]);
    }
  });

  it("never show a historical score in a badge, only the latest one", async () => {
    const badge = await get(`${PAGE}/badge.svg?scan=old`);
    expect(badge.text).toContain("60 of 100");
    expect((await get("/sites/blocked.example/badge.svg")).text).toContain("no score");
  });
});
