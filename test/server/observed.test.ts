import { expect, it } from "vitest";
import type { SeenAnswer } from "../../src/server/observer.js";
import { aListener, serveOneListing } from "./limited.js";
import { askAll } from "./wire.js";

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
