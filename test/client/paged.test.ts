import { expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import { aPublishedDirectory } from "../fixtures.js";
import { sharedService } from "../server/http.js";
import { manyListings } from "../store/trees.js";
import { answers, aScript, failureOf, refuses } from "./scripted.js";

const COUNT = 130;
const service = sharedService({ ...aPublishedDirectory(), ...manyListings(COUNT) });

async function hostsOf(sites: AsyncIterable<{ readonly host: string }>): Promise<string[]> {
  const hosts: string[] = [];
  for await (const { host } of sites) hosts.push(host);
  return hosts;
}

/** A page of a search. */
const gives = (hosts: readonly string[], totalPages: number) =>
  answers({ data: hosts.map((host) => ({ host })), pagination: { totalPages } });

it("all sites of a directory come once, in the order of the search, from pages of a hundred", async () => {
  const client = createClient({ baseUrl: service.server.url });
  const hosts = await hostsOf(client.allSites({ sort: "host" }));
  expect(hosts).toHaveLength(COUNT);
  expect(hosts).toEqual([...new Set(hosts)].sort());
  const [first] = (await client.sites({ sort: "host", limit: 1 })).data;
  expect(hosts[0]).toBe(first?.host);
  expect(await hostsOf(client.allSites({ q: "nothing matches this" }))).toEqual([]);
});

it("the pages have the filters and the limit of the search, and end with their number", async () => {
  const { client, sent } = aScript([gives(["a", "b"], 2), gives(["c", "d"], 2)]);
  expect(await hostsOf(client.allSites({ q: "x", limit: 2 }))).toEqual(["a", "b", "c", "d"]);
  expect(sent.map(({ url }) => url.split("?")[1])).toEqual([
    "limit=2&page=1&q=x",
    "limit=2&page=2&q=x",
  ]);
});

it(
  "a host that a publication moves to the next page comes once, and a page that has become empty " +
    "ends the search",
  async () => {
    const { client, sent } = aScript([gives(["a", "b"], 9), gives(["b", "c"], 9), gives([], 9)]);
    expect(await hostsOf(client.allSites({ limit: 2 }))).toEqual(["a", "b", "c"]);
    expect(sent).toHaveLength(3);
  },
);

it("a loop that ends early asks for no further page, and one is asked for only when it is needed", async () => {
  const { client, sent } = aScript([gives(["a", "b"], 2)]);
  for await (const { host } of client.allSites({ limit: 2 })) if (host === "b") break;
  expect(sent).toHaveLength(1);
});

it("a failure of a later page rejects after the sites of the earlier ones, and a signal ends it", async () => {
  const { client } = aScript([gives(["a"], 2), refuses(400)]);
  const sites = client.allSites({ limit: 1 });
  expect((await sites.next()).value).toEqual({ host: "a" });
  expect(await failureOf(sites.next())).toMatchObject({ status: 400 });
  const reason = new Error("enough");
  const aborted = aScript([]).client.allSites({}, { signal: AbortSignal.abort(reason) });
  await expect(aborted.next()).rejects.toBe(reason);
});

/** A page of changes. */
const tells = (hosts: readonly string[], cursor: string, isLast = true) =>
  answers({ data: hosts.map((host) => ({ host })), cursor, next: isLast ? null : "/api/changes" });

it("changes come page after page, and the cursor moves on once a page is through", async () => {
  const { client, sent } = aScript([
    tells(["a", "b"], "2~b", false),
    tells(["c"], "3"),
    tells([], "3"),
  ]);
  const changes = client.changes({ since: 1, limit: 2 });
  const seen: (string | undefined)[] = [];
  for await (const { host } of changes) seen.push(`${host} ${changes.cursor}`);
  expect(seen).toEqual(["a 1", "b 1", "c 2~b"]);
  expect(changes.cursor).toBe("3");
  for await (const _ of changes) throw new Error("there is no further change");
  expect(sent.map(({ url }) => url.split("?")[1])).toEqual([
    "limit=2&since=1",
    "limit=2&since=2%7Eb",
    "limit=2&since=3",
  ]);
});

it("a failure leaves the cursor, so that the next loop repeats the page; 410 and a signal end it", async () => {
  const { client } = aScript([
    tells(["a"], "2", false),
    refuses(400),
    tells(["b"], "3"),
    refuses(410),
  ]);
  const changes = client.changes();
  const seen: string[] = [];
  const read = async () => {
    for await (const { host } of changes) seen.push(host ?? "");
  };
  expect(await failureOf(read())).toMatchObject({ status: 400 });
  expect(changes.cursor).toBe("2");
  await read();
  expect([seen, changes.cursor]).toEqual([["a", "b"], "3"]);
  expect(await failureOf(read())).toMatchObject({ status: 410 });
  const reason = new Error("enough");
  const aborted = aScript([]).client.changes({ signal: AbortSignal.abort(reason) });
  await expect(aborted[Symbol.asyncIterator]().next()).rejects.toBe(reason);
});
