import { describe, expect, it } from "vitest";
import { PreflightBody } from "../../../src/extras/access/bodies.js";
import { access as atEdge } from "../../../src/extras/access/edge.js";
import { PREFLIGHT_LIMITS } from "../../../src/extras/access/reads.js";
import { createFetchHandler } from "../../../src/fetch/index.js";
import { folderStore } from "../../../src/index.js";
import { aCheck, aListing, aPublishedDirectory, aScan, theStandards } from "../../fixtures.js";
import { expectError, issuePaths, type Sent, send, sharedService } from "../../server/http.js";
import { policyOf } from "./policies.js";

const accessPolicy = policyOf(
  ["SearchBot", "allowed"],
  ["TrainBot", "disallowed"],
  ["SearchBot", "observed"],
);
const achievements = theStandards().checks.filter(({ kind }) => kind === "achievement");
const redirect = { host: "new.com", status: 301 };
const service = sharedService(
  aPublishedDirectory({
    listings: [
      ...["rules.com", "silent.com", "moved.com"].map((host) => aListing({ host })),
      aListing({ host: "out.com", visibility: "opted-out" }),
      aListing({ host: "gone.com", visibility: "removed" }),
    ],
    scans: [
      aScan({
        host: "rules.com",
        robotsVerdict: "open",
        accessPolicy,
        checks: achievements.map(({ id }, at) =>
          aCheck({ checkId: id, status: at === 0 ? "pass" : at === 1 ? "na" : "fail" }),
        ),
      }),
      aScan({ host: "silent.com", id: "s", score: null, band: null }),
      aScan({ host: "moved.com", id: "m", status: "moved", score: null, band: null, redirect }),
      aScan({ host: "out.com", id: "o", robotsVerdict: "open", accessPolicy }),
      aScan({ host: "gone.com", id: "g", robotsVerdict: "open", accessPolicy }),
    ],
  }),
);

const HOSTS = ["https://WWW.rules.com/a", "silent.com", "moved.com", "out.com", "gone.com"];
const queryOf = (hosts: readonly string[], crawler?: string) =>
  [
    ...hosts.map((host) => `host=${encodeURIComponent(host)}`),
    ...(crawler === undefined ? [] : [`crawler=${encodeURIComponent(crawler)}`]),
  ].join("&");
const posted = (body: unknown): Sent => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

async function told(hosts: readonly string[], crawler?: string) {
  const reply = await send(service.server, `/api/preflight?${queryOf(hosts, crawler)}`);
  expect(reply.status).toBe(200);
  return PreflightBody.parse(JSON.parse(reply.text)).data;
}

describe("/api/preflight", () => {
  it("tells of each host what its latest report says, in the order asked", async () => {
    const [rules, silent, ...others] = await told(HOSTS);
    expect(rules).toEqual({
      host: "rules.com",
      asked: HOSTS[0],
      known: "listed",
      mayRead: "partly",
      robotsVerdict: "open",
      access: [
        { title: "For 0", states: ["allowed"] },
        { title: "For 1", states: ["disallowed"] },
        { title: "For 2", states: ["observed"] },
      ],
      movedTo: null,
      latestScore: 60,
      latestBand: "open",
      latestScoreVersion: "2026.1",
      latestScannedAt: "2026-08-01T00:00:00Z",
      offers: [achievements[0]!.id],
      lacks: achievements.slice(2).map(({ id }) => id),
    });
    expect(silent).toMatchObject({ known: "listed", mayRead: "unstated", latestScore: null });
    expect(others).toMatchObject([
      { host: "moved.com", known: "withheld", movedTo: "new.com", latestScore: null },
      {
        host: "out.com",
        known: "withheld",
        robotsVerdict: null,
        access: [],
        offers: [],
        lacks: [],
      },
      { host: "gone.com", known: "unknown", robotsVerdict: null, access: [], lacks: [] },
    ]);
  });

  it.each([
    ["searchbot", "yes", ["For 0", "For 2"]],
    [" TrainBot ", "no", ["For 1"]],
  ])("tells of the crawler %j alone", async (crawler, mayRead, titles) => {
    const [rules, silent] = await told(HOSTS, crawler);
    expect([rules?.mayRead, rules?.access.map(({ title }) => title)]).toEqual([mayRead, titles]);
    expect([silent?.mayRead, silent?.access]).toEqual(["unstated", []]);
  });

  it("refuses a crawler that nobody knows, and names near ones", async () => {
    for (const sent of [
      await send(service.server, `/api/preflight?${queryOf(["rules.com"], "SaerchBot")}`),
      await send(service.server, "/api/preflight", posted({ hosts: HOSTS, crawler: "SaerchBot" })),
    ]) {
      const { issues = [] } = expectError(sent, 400);
      expect(issues.map(({ path }) => path)).toEqual(["crawler"]);
      expect(issues[0]?.message).toContain('did you mean "SearchBot"');
    }
  });

  it("answers a POST as it answers a GET, here and at an edge", async () => {
    const got = await send(service.server, `/api/preflight?${queryOf(HOSTS, "SearchBot")}`);
    const body = { hosts: HOSTS, crawler: "SearchBot" };
    const reply = await send(service.server, "/api/preflight", posted(body));
    expect([reply.status, reply.text]).toEqual([200, got.text]);
    expect(reply.headers["cache-control"]).toBe("no-store");
    const store = folderStore(service.store);
    const edge = await createFetchHandler({ store, extras: [atEdge()] });
    const there = await edge(
      new Request(`https://a.example/api/preflight?${queryOf(HOSTS, "SearchBot")}`),
    );
    expect([there.status, await there.text()]).toEqual([200, got.text]);
  });

  const many = Array.from({ length: PREFLIGHT_LIMITS.postMax + 1 }, (_, n) => `h${n}.com`);

  it.each([
    ["a text that is no host", { hosts: ["a.com", "no host"] }, "hosts[1]"],
    ["a host twice", { hosts: ["a.com", "www.a.com"] }, "hosts[1]"],
    ["no host", { hosts: [] }, "hosts"],
    ["too many hosts", { hosts: many }, "hosts"],
    ["another member", { hosts: ["a.com"], bot: "x" }, "body"],
    ["a list", ["a.com"], "hosts"],
    ["a crawler of another type", { hosts: ["a.com"], crawler: 1 }, "crawler"],
    ["a blank crawler", { hosts: ["a.com"], crawler: " " }, "crawler"],
    ["a crawler that is too long", { hosts: ["a.com"], crawler: "x".repeat(101) }, "crawler"],
  ])("refuses %s in a POST", async (_, body, path) => {
    const reply = await send(service.server, "/api/preflight", posted(body));
    expect(issuePaths(expectError(reply, 400))).toEqual([path]);
  });

  it("refuses the same in a query, and takes as many hosts as it says", async () => {
    for (const [query, path] of [
      [queryOf(["a.com", "localhost"]), "host[1]"],
      ["crawler=SearchBot", "host"],
      [queryOf(many.slice(0, PREFLIGHT_LIMITS.getMax + 1)), "host"],
      [`${queryOf(["a.com"])}&crawler=a&crawler=b`, "crawler"],
    ] as const) {
      const reply = await send(service.server, `/api/preflight?${query}`);
      expect(issuePaths(expectError(reply, 400))).toEqual([path]);
    }
    expect(await told(many.slice(0, PREFLIGHT_LIMITS.getMax))).toHaveLength(100);
    const most = posted({ hosts: many.slice(1), crawler: null });
    const reply = await send(service.server, "/api/preflight", most);
    expect(JSON.parse(reply.text).data).toHaveLength(PREFLIGHT_LIMITS.postMax);
  });
});
