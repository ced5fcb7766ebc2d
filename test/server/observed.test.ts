import { expect, it } from "vitest";
import type { SeenAnswer } from "../../src/server/observer.js";
import { aListener, aStubbornClient, serveOneListing } from "./limited.js";
import { askAll, Wire } from "./wire.js";

serveOneListing();

it(
  "the log and the metrics name each request's own target, even for a document that is sent from " +
    "its file",
  async () => {
    const seen: SeenAnswer[] = [];
    const place = await aListener({}, (answer) => seen.push(answer));
    const targets = ["/api/tags?u=1", "/api/standards", "/api/t%61gs", "http://b.example/api/tags"];
    const asked = [
      ...targets,
      ...targets,
      "/api/tags.json",
      "/api/sites?limit=1",
      "/standards?u=2",
    ];
    await askAll(
      place,
      asked.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`),
      1,
    );
    expect(seen.map(({ target }) => target)).toEqual(asked);
    const tags = "tags 200";
    const standards = "standards 200";
    expect(seen.map(({ route, status }) => `${route} ${status}`)).toEqual([
      tags,
      standards,
      tags,
      tags,
      tags,
      standards,
      tags,
      tags,
      "undefined 404",
      "search 200",
      "standardsPage 200",
    ]);
  },
);

it("targets with one canonical form share a cached answer, whatever spelling asks for it first", async () => {
  const seen: SeenAnswer[] = [];
  const place = await aListener({}, (answer) => seen.push(answer));
  const spellings = ["limit=7&minScore=0", "minScore=0&limit=7", "minScore=%30&limit=7"];
  const wire = await Wire.open(place);
  const bodies = new Set<string>();
  for (const query of [...spellings, ...spellings, ...spellings])
    bodies.add((await wire.get(`/api/sites?${query}`)).body.toString("utf8"));
  wire.end();
  expect(bodies.size).toBe(1);
  // An answer is cached at its second request.
  expect(seen.map(({ wasKept }) => wasKept)).toEqual([false, false, ...Array(7).fill(true)]);
});

it("requests of one turn are answered in their order, also on one connection", async () => {
  const place = await aListener({});
  const targets = ["/api/tags", "/api/nothing", "/api/tags", "/api/sites?limit=1"];
  const client = await aStubbornClient(
    place,
    targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""),
  );
  const statuses = () => client.text().match(/(?<=HTTP\/1\.1 )\d+/g);
  await expect.poll(statuses).toEqual(["200", "404", "200", "200"]);
  client.socket.destroy();
});
