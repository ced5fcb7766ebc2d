import { describe, expect, it } from "vitest";
import { AccessBody } from "../../../src/extras/access/bodies.js";
import { DumpBody } from "../../../src/extras/dumps/bodies.js";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { expectError, issuePaths, send, sharedService } from "../../server/http.js";
import { policyOf, type Rule } from "./policies.js";

/** By site: its score, and what its report says. */
const SITES: Readonly<Record<string, readonly [score: number | null, ...Rule[]]>> = {
  "b.com": [50, ["Bot", "allowed"], ["bot", "observed"]],
  "a.com": [50, ["Bot", "allowed"], ["Bot", "observed"], ["Other", "allowed"]],
  "best.com": [90, ["Bot", "allowed"], ["Bot", "observed"]],
  "none.com": [null, ["Bot", "allowed"], ["Bot", "observed"]],
  "open.com": [70, [["Bot", "Other"], "disallowed"], ["Bot", "not-observed"]],
  "both.com": [
    60,
    ["Bot", "allowed"],
    ["Bot", "disallowed"],
    ["Bot", "observed"],
    ["Bot", "not-observed"],
  ],
  "odd.com": [60, ["Bot", "unstated"], ["Bot", "unknown"]],
  // A rule that was observed is no refusal.
  "ruled.com": [60, ["Bot", "observed", "robots.txt"]],
  "silent.com": [60, ["Other", "allowed"]],
  "empty.com": [60],
};
/** Names that are no slug, or nearly those of others. */
const LONG = "x".repeat(5_000);
const HOSTILE = ["../../etc/passwd", "Bot/1.0", "Bot 1.0", "Böt", "机器人", LONG, "constructor"];

const service = sharedService(
  aPublishedDirectory({
    listings: [
      ...Object.keys(SITES).map((host) => aListing({ host })),
      aListing({ host: "out.com", visibility: "opted-out" }),
      aListing({ host: "hostile.com" }),
    ],
    scans: [
      ...Object.entries(SITES).map(([host, [score, ...rules]]) =>
        aScan({ host, id: host.slice(0, -4), score, accessPolicy: policyOf(...rules) }),
      ),
      aScan({ host: "out.com", id: "o", accessPolicy: policyOf(["Bot", "allowed"]) }),
      aScan({ host: "hostile.com", id: "h", accessPolicy: policyOf([HOSTILE, "allowed"]) }),
    ],
  }),
);

const read = async (query: string) => {
  const reply = await send(service.server, `/api/access${query}`);
  expect([query, reply.status]).toEqual([query, 200]);
  return AccessBody.parse(JSON.parse(reply.text));
};
const hostsOf = ({ data }: Awaited<ReturnType<typeof read>>) =>
  data.sites?.map(({ site }) => site.host);

describe("/api/access", () => {
  it("counts for each crawler what sites declare against what their servers do", async () => {
    const { data, pagination } = await read("");
    expect([data.sites, pagination]).toEqual([undefined, undefined]);
    const figures = new Map(data.figures.map((one) => [one.crawler, one]));
    expect(figures.get("Bot")).toEqual({
      crawler: "Bot",
      n: 8,
      allowedButRefused: 4,
      disallowedButAnswered: 1,
      counts: [
        { declared: "allowed", served: "refused", sites: 4 },
        { declared: "disallowed", served: "answered", sites: 1 },
        { declared: "mixed", served: "mixed", sites: 1 },
        { declared: "unstated", served: "unknown", sites: 2 },
      ],
    });
    expect(figures.get("Other")?.n).toBe(3);
    expect([...figures.keys()].filter((name) => HOSTILE.includes(name)).sort()).toEqual(
      [...HOSTILE].sort(),
    );
  });

  it("names the sites of a crawler in the order of a search, page by page", async () => {
    const all = await read("?crawler=BOT&declared=allowed&served=refused");
    expect(hostsOf(all)).toEqual(["best.com", "a.com", "b.com", "none.com"]);
    expect(all.pagination).toEqual({ page: 1, limit: 24, total: 4, totalPages: 1 });
    expect(all.data.figures.map(({ crawler, n }) => [crawler, n])).toEqual([["Bot", 8]]);
    const search = JSON.parse((await send(service.server, "/api/sites?q=best.com")).text);
    expect(all.data.sites?.[0]).toEqual({
      declared: "allowed",
      served: "refused",
      site: search.data[0],
    });
    const second = await read("?crawler=Bot&declared=allowed&served=refused&page=2&limit=3");
    expect(hostsOf(second)).toEqual(["none.com"]);
    expect(hostsOf(await read("?crawler=Bot&page=9"))).toEqual([]);
    expect(hostsOf(await read("?crawler=Bot&served=answered"))).toEqual(["open.com"]);
    expect(hostsOf(await read("?crawler=Bot&declared=mixed"))).toEqual(["both.com"]);
    expect(hostsOf(await read("?crawler=Bot"))?.length).toBe(8);
  });

  it.each([
    ["declared=allowed", "crawler"],
    ["served=refused", "crawler"],
    ["crawler=Nobody", "crawler"],
    ["crawler=Bot&declared=yes", "declared"],
    ["crawler=Bot&limit=101", "limit"],
    ["crawler=", "crawler"],
  ])("refuses ?%s", async (query, path) => {
    const reply = await send(service.server, `/api/access?${query}`);
    expect(issuePaths(expectError(reply, 400))).toEqual([path]);
  });
});

describe("the dump's lists for crawlers", () => {
  const lists = async () => {
    const { text } = await send(service.server, "/api/dump/");
    const { data } = DumpBody.parse(JSON.parse(text));
    return data.lists.filter(({ crawler }) => crawler !== undefined);
  };
  const list = (file: string) => send(service.server, `/api/dump/${file}`);

  it("have the hosts that allow, disallow and refuse each, which are in search", async () => {
    for (const [name, hosts] of [
      ["bot-allowed", ["a.com", "b.com", "best.com", "none.com"]],
      ["bot-disallowed", ["open.com"]],
      ["bot-refused", ["a.com", "b.com", "best.com", "none.com"]],
      ["other-allowed", ["a.com", "silent.com"]],
    ] as const) {
      const { status, headers, text } = await list(`hosts/${name}.txt`);
      expect([name, status, text]).toEqual([name, 200, hosts.map((host) => `${host}\n`).join("")]);
      expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    }
    for (const name of ["other-refused", "nobody-allowed", "bot-mixed", "bot-"])
      expectError(await list(`hosts/${name}.txt`), 404);
    expectError(await list(`hosts/bot-allowed.txt?content=${"0".repeat(32)}`), 410);
  });

  it("are named by the index, each by a name of its own whatever the crawler is called", async () => {
    const named = await lists();
    expect(named.find(({ file }) => file === "hosts/bot-allowed.txt")).toMatchObject({
      hosts: 4,
      crawler: "Bot",
      access: "allowed",
    });
    const hostile = named.filter(({ crawler }) => HOSTILE.includes(crawler ?? ""));
    expect(hostile.map(({ crawler }) => crawler).sort()).toEqual([...HOSTILE].sort());
    expect(new Set(hostile.map(({ file }) => file)).size).toBe(HOSTILE.length);
    for (const { file, url, hosts } of named) {
      expect(file).toMatch(/^hosts\/[a-z0-9]+(?:-[a-z0-9]+)*-(?:allowed|disallowed|refused)\.txt$/);
      expect(file.length).toBeLessThan(100);
      const { pathname, search } = new URL(url);
      const { status, text } = await send(service.server, pathname + search);
      expect([status, text.split("\n").length - 1]).toEqual([200, hosts]);
    }
  });
});
