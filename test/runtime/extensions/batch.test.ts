import { describe, expect, it } from "vitest";
import { EXTENSION_BODIES } from "../../../src/contract/extension-bodies.js";
import { EXTENSION_LIMITS } from "../../../src/contract/extensions.js";
import { aListing, aPublishedDirectory, aScan, theDirectory } from "../../fixtures.js";
import { expectError, issuePaths, send, sharedService } from "../http.js";

const files = aPublishedDirectory({
  listings: [
    aListing({ host: "a.com" }),
    aListing({ host: "b.com" }),
    aListing({ host: "hidden.com", visibility: "opted-out" }),
  ],
  scans: ["a.com", "b.com", "hidden.com"].map((host) => aScan({ host, id: host.slice(0, 1) })),
});
const service = sharedService(files);
const plain = sharedService({ ...files, directory: { ...theDirectory(), extensions: false } });

describe("/api/batch", () => {
  it("answers with each host's summary in the order asked, and says which are not listed", async () => {
    const asked = ["b.com", "https://WWW.a.com/about?x", "hidden.com", "no host", "b.com"];
    const query = asked.map((host) => `host=${encodeURIComponent(host)}`).join("&");
    const { status, headers, text } = await send(service.server, `/api/batch?${query}`);
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    const { data } = EXTENSION_BODIES.batch.parse(JSON.parse(text));
    const search = JSON.parse((await send(service.server, "/api/sites?sort=host")).text);
    const [a, b] = search.data;
    expect(data).toEqual([
      { host: "b.com", listed: true, site: b },
      { host: "a.com", asked: "https://WWW.a.com/about?x", listed: true, site: a },
      { host: "hidden.com", listed: false },
      { host: "no host", listed: false },
      { host: "b.com", listed: true, site: b },
    ]);
  });

  it("refuses no host, too many and other parameters, in the contract's error body", async () => {
    const many = Array(EXTENSION_LIMITS.batchMax + 1)
      .fill("host=a.com")
      .join("&");
    for (const [query, path] of [
      ["", "host"],
      [many, "query"],
      ["host=a.com&x=1", "x"],
    ] as const) {
      const reply = await send(service.server, `/api/batch?${query}`);
      expect(issuePaths(expectError(reply, 400))).toEqual([path]);
    }
  });

  it("is no address where the directory has no extensions", async () => {
    expectError(await send(plain.server, "/api/batch?host=a.com"), 404);
    expect((await send(plain.server, "/api/openapi.json")).text).not.toContain("/api/batch");
    expect((await send(service.server, "/api/openapi.json")).text).toContain("/api/batch");
  });
});
