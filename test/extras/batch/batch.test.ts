import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ISSUES_MAX } from "../../../src/contract/error.js";
import { askedHosts } from "../../../src/contract/values.js";
import { BatchBody } from "../../../src/extras/batch/bodies.js";
import { BATCH_LIMITS } from "../../../src/extras/batch/reads.js";
import { folderStore } from "../../../src/index.js";
import { wholeHandler } from "../../fetch/whole.js";
import { aListing, aPublishedDirectory, aScan, theDirectory } from "../../fixtures.js";
import { expectError, issuePaths, type Sent, send, sharedService } from "../../server/http.js";

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

const JSON_HEADERS = { "content-type": "application/json" };
const hosts = (count: number) => Array.from({ length: count }, (_, i) => `h${i}.com`);
const query = (asked: readonly string[]) =>
  asked.map((host) => `host=${encodeURIComponent(host)}`).join("&");

/** A POST of hosts, or of any text. */
function posted(body: unknown, changes: Partial<Sent> = {}): Sent {
  const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  return { method: "POST", headers: JSON_HEADERS, body: text, ...changes };
}

describe("/api/batch", () => {
  const asked = ["b.com", "https://WWW.a.com/about?x", "hidden.com", "nowhere.com"];

  it("answers with each host's summary in the order asked, and says which are not listed", async () => {
    const { status, headers, text } = await send(service.server, `/api/batch?${query(asked)}`);
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    const { data } = BatchBody.parse(JSON.parse(text));
    const search = JSON.parse((await send(service.server, "/api/sites?sort=host")).text);
    const [a, b] = search.data;
    expect(data).toEqual([
      { host: "b.com", listed: true, site: b },
      { host: "a.com", asked: "https://WWW.a.com/about?x", listed: true, site: a },
      { host: "hidden.com", listed: false },
      { host: "nowhere.com", listed: false },
    ]);
  });

  it("answers a POST as it answers a GET, but for no cache, here and at an edge", async () => {
    const got = await send(service.server, `/api/batch?${query(asked)}`);
    const reply = await send(service.server, "/api/batch", posted({ hosts: asked }));
    expect([reply.status, reply.text]).toEqual([200, got.text]);
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(reply.headers).not.toHaveProperty("etag");
    const edge = await wholeHandler({ store: folderStore(service.store) });
    const body = JSON.stringify({ hosts: asked });
    const request = { method: "POST", headers: JSON_HEADERS, body };
    const there = await edge(new Request("https://a.example/api/batch", request));
    expect([there.status, await there.text()]).toEqual([200, got.text]);
  });

  const NO_HOSTS = ['["a.com"]', "no host", "localhost", "127.0.0.1", "a.com\nb.com", "me@a.com"];

  it.each(NO_HOSTS)("refuses %j, which cannot be a host, and names its index", async (text) => {
    const list = ["a.com", "b.com", text];
    for (const [address, sent, path] of [
      [`/api/batch?${query(list)}`, {}, "host[2]"],
      ["/api/batch", posted({ hosts: list }), "hosts[2]"],
    ] as const) {
      const { issues = [] } = expectError(await send(service.server, address, sent), 400);
      expect(issues).toEqual([
        { path, message: expect.stringContaining("must be a host such as example.org") },
      ]);
    }
  });

  it("refuses no host, too many, one twice and other parameters", async () => {
    for (const [text, path] of [
      ["", "host"],
      [query(hosts(BATCH_LIMITS.getMax + 1)), "query"],
      ["host=a.com&x=1", "x"],
      ["host=a.com&host=b.com&host=HTTPS://a.com/", "host[2]"],
    ] as const) {
      const reply = await send(service.server, `/api/batch?${text}`);
      expect(issuePaths(expectError(reply, 400))).toEqual([path]);
    }
    const most = await send(service.server, `/api/batch?${query(hosts(BATCH_LIMITS.getMax))}`);
    expect(JSON.parse(most.text).data).toHaveLength(BATCH_LIMITS.getMax);
  });

  const large = "x".repeat(10_000_000);
  const { postMax } = BATCH_LIMITS;
  it.each<[string, Sent, number, string[]]>([
    ["no JSON", posted("hosts=a.com"), 400, []],
    ["no body", posted(""), 400, []],
    ["bytes that are not UTF-8", posted(Buffer.from('{"hosts":["\xff.com"]}', "latin1")), 400, []],
    ["a list", posted(["a.com"]), 400, ["hosts"]],
    ["another member", posted({ hosts: ["a.com"], x: 1 }), 400, ["hosts"]],
    ["a prototype", posted('{"__proto__":{"hosts":["a.com"]}}'), 400, ["hosts"]],
    ["no hosts", posted({ hosts: [] }), 400, ["hosts"]],
    ["too many hosts", posted({ hosts: hosts(postMax + 1) }), 400, ["hosts"]],
    ["a number as host", posted({ hosts: ["a.com", 1] }), 400, ["hosts[1]"]],
    ["an endless host", posted({ hosts: [`${"a".repeat(500)}.com`] }), 400, ["hosts[0]"]],
    ["a host twice", posted({ hosts: ["a.com", "b.com", "www.a.com"] }), 400, ["hosts[2]"]],
    ["deep JSON", posted(`{"hosts":${"[".repeat(120_000)}${"]".repeat(120_000)}}`), 400, ["body"]],
    ["10 MB", posted({ hosts: [large] }), 413, []],
    ["a form", posted("a", { headers: { "content-type": "text/plain" } }), 415, []],
    ["no type", posted("{}", { headers: {} }), 415, []],
    [
      "another charset",
      posted("{}", { headers: { "content-type": "application/json; charset=utf-16" } }),
      ...([415, []] as const satisfies [number, string[]]),
    ],
    [
      "a compressed body",
      posted("{}", { headers: { ...JSON_HEADERS, "content-encoding": "gzip" } }),
      ...([415, []] as const satisfies [number, string[]]),
    ],
    ["another method", { method: "PUT" }, 405, []],
  ])("refuses %s in a POST, in the contract's error body", async (_, sent, status, paths) => {
    const reply = await send(service.server, "/api/batch", sent);
    expect(issuePaths(expectError(reply, status))).toEqual(paths);
  });

  it("takes as many hosts in a POST as it says, and a charset that is UTF-8", async () => {
    const type = { "content-type": 'application/json;charset="UTF-8"' };
    const sent = (headers: Record<string, string>) =>
      posted({ hosts: hosts(postMax) }, { headers: { ...type, ...headers } });
    const reply = await send(service.server, "/api/batch", sent({}));
    expect(JSON.parse(reply.text).data).toHaveLength(postMax);
    const packed = await send(service.server, "/api/batch", sent({ "accept-encoding": "gzip" }));
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(packed.bytes).toString()).toBe(reply.text);
  });

  it("refuses a body of 10 MB that comes in chunks, and a query beside a body", async () => {
    const headers = { ...JSON_HEADERS, "transfer-encoding": "chunked" };
    expectError(await send(service.server, "/api/batch", posted(large, { headers })), 413);
    const both = await send(service.server, "/api/batch?host=a.com", posted({ hosts: ["a.com"] }));
    expect(issuePaths(expectError(both, 400))).toEqual(["host"]);
  });

  it("lets a browser of another origin post, and other addresses not", async () => {
    const asks = { method: "OPTIONS", headers: { origin: "https://b.example" } };
    const { status, headers } = await send(service.server, "/api/batch", asks);
    expect([status, headers.allow]).toEqual([204, "GET, HEAD, POST, OPTIONS"]);
    expect(headers["access-control-allow-methods"]).toBe("GET, HEAD, POST, OPTIONS");
    expect(headers["access-control-allow-headers"]).toContain("Content-Type");
    expect((await send(service.server, "/api/sites", asks)).headers.allow).not.toContain("POST");
    expectError(await send(service.server, "/api/sites", posted({})), 405);
  });

  it("is no address where the directory has no extensions", async () => {
    for (const sent of [{}, posted({ hosts: ["a.com"] }), { method: "OPTIONS" }]) {
      expectError(await send(plain.server, "/api/batch?host=a.com", sent), 404);
    }
    expect((await send(plain.server, "/api/openapi.json")).text).not.toContain("/api/batch");
    expect((await send(service.server, "/api/openapi.json")).text).toContain("/api/batch");
  });
});

it("a list of texts that are no hosts is read only until an answer can name no more of them", () => {
  const texts = Array.from({ length: 1_000 }, (_, i) => `no host ${i}`);
  expect(askedHosts("hosts", texts).issues).toHaveLength(ISSUES_MAX);
});
