import { expect, it } from "vitest";
import { createClient } from "../../../src/client/index.js";
import { failureOf } from "../../client/scripted.js";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { sharedService } from "../../server/http.js";

const HOSTS = ["paid.com", "free.com", "owned.com"];
const service = sharedService(
  aPublishedDirectory({
    listings: HOSTS.map((host) => aListing({ host, name: host.replace(".com", "") })),
    scans: HOSTS.map((host) => aScan({ host })),
  }),
);

it("the client reads many hosts in one request: few with a GET, which may be cached, many with a POST", async () => {
  const sent: string[] = [];
  const noting: typeof fetch = (input, init) => {
    sent.push(init?.method ?? "GET");
    return fetch(input, init);
  };
  const c = createClient({ baseUrl: service.server.url, fetch: noting });
  const few = await c.batch(["owned.com", "https://www.Free.com/a b?c", "nowhere.com"]);
  expect(few.data.map(({ host, listed }) => [host, listed])).toEqual([
    ["owned.com", true] as const,
    ["free.com", true] as const,
    ["nowhere.com", false],
  ]);
  expect(few.data[0]?.site).toEqual((await c.sites({ q: "owned" })).data[0]);
  const hosts = Array.from({ length: 999 }, (_, n) => `site-${n}.example`);
  const many = await c.batch([...hosts, "paid.com"]);
  expect(many.data.map(({ host }) => host)).toEqual([...hosts, "paid.com"]);
  const long = hosts.slice(0, 90).map((host) => `https://${host}/${"x".repeat(100)}`);
  expect((await c.batch(long)).data).toHaveLength(90);
  expect(sent).toEqual(["GET", "GET", "POST", "POST"]);
  expect((await failureOf(c.batch([...hosts, "a.com", "b.com"]))).status).toBe(400);
  const noHost = await failureOf(c.batch(["owned.com", '["free.com"]']));
  expect([noHost.status, noHost.issues.map(({ path }) => path)]).toEqual([400, ["host[1]"]]);
  expect((await failureOf(c.batch([]))).issues.map(({ path }) => path)).toEqual(["host"]);
});
