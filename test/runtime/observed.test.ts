import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ErrorBody } from "../../src/contract/bodies.js";
import type { SeenAnswer } from "../../src/runtime/observe/observer.js";
import { currentId } from "../../src/store/reader.js";
import { aPublishedDirectory } from "../fixtures.js";
import { aService } from "./http.js";
import { aListener, serveOneListing } from "./limited.js";
import { askAll, headerOf, Wire } from "./wire.js";

serveOneListing();

it("the log and the metrics name each request's own target, even for a document that is sent from its file", async () => {
  const seen: SeenAnswer[] = [];
  const place = await aListener({}, (answer) => seen.push(answer));
  const targets = ["/api/tags?u=1", "/api/standards", "/api/t%61gs", "http://b.example/api/tags"];
  const asked = [...targets, ...targets, "/api/tags.json", "/api/sites?limit=1", "/standards?u=2"];
  await askAll(
    place,
    asked.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`),
    1,
  );
  expect(seen.map(({ target }) => target)).toEqual(asked);
  const [tags, standards] = ["tags 200", "standards 200"];
  expect(seen.map(({ route, status }) => `${route} ${status}`)).toEqual([
    ...[tags, standards, tags, tags, tags, standards, tags, tags],
    ...["undefined 404", "search 200", "standardsPage 200"],
  ]);
});

it("a public document that is deleted is a 502 on a connection that stays open, in the log and in the metrics", async () => {
  const service = await aService(aPublishedDirectory(), onTestFinished, { metrics: true });
  const id = (await currentId(service.store)) ?? "";
  await rm(join(service.store, id, "public/api/standards.json"));
  const wire = await Wire.open(service.server);
  onTestFinished(() => wire.end());
  const reply = await wire.get("/api/standards");
  const headers = ["etag", "cache-control"].map((name) => headerOf(reply, name));
  expect([reply.status, ...headers]).toEqual([502, null, "no-store"]);
  ErrorBody.parse(JSON.parse(reply.body.toString()));
  expect((await wire.get("/api/sites")).status).toBe(200);
  expect(service.logged.filter((line) => line.includes("api/standards.json"))).toHaveLength(1);
  const counted = (await wire.get("/metrics")).body.toString();
  expect(counted).toMatch(/route="standards",status="502"\} 1/);
  expect(counted).not.toMatch(/route="standards",status="200"\} [1-9]/);
});
