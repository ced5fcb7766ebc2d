import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../../src/contract/routes.js";
import { installedExtras, readsOf } from "../../../src/extra.js";
import { build } from "../../../src/publish/build.js";
import { writeSample } from "../../../src/sample/sample.js";
import { serve } from "../../../src/server/serve.js";
import type { RunningServer } from "../../../src/server/server.js";
import { type Check, compilerOfBothDrafts } from "../../contract/both-drafts.js";
import { at, followed, type Json } from "../../contract/description.js";
import { temporaryFolder } from "../../fixtures.js";
import { NO_PICTURES } from "../../pictures.js";
import { send } from "../../server/http.js";

/* What a server answers about the sample, whose first listings show every state and plan, against what it describes. */

let server: RunningServer;
const cleanUps: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const folder = await temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  const store = join(folder, "store");
  for (const [name, listings] of [
    ["first", 450],
    ["second", 500],
  ] as const) {
    await writeSample(join(folder, name), { listings });
    await build(join(folder, name), { store, keep: 1 });
  }
  server = await serve(store, { port: 0, ...NO_PICTURES });
  return async () => {
    await server.close();
    for (const cleanUp of cleanUps) await cleanUp();
  };
}, 60_000);

async function read(path: string, body?: unknown): Promise<{ status: number; value: unknown }> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const sent = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
  const { status, text } = await send(server, path, sent);
  return { status, value: JSON.parse(text) };
}

/** Requests of each read: the example, and others whose answers have more members. */
function targetsOf(path: string, example: string, hosts: readonly string[]): string[] {
  if (path === ROUTES.facets.path) return [example, `${path}?include=scores`];
  if (path === ROUTES.suggestions.path) return [example, `${path}?q=ex&include=scores`];
  if (path === ROUTES.search.path) return [example, `${path}?limit=100`, `${path}?q=clinc`];
  if (path === "/api/changes") return [example, `${path}?since=0`];
  if (path === "/api/trends") return [example, path];
  return path.includes("{host}") ? hosts.map((host) => path.replace("{host}", host)) : [example];
}

describe("what is answered is what is described, by draft-07 and by draft 2020-12", () => {
  it("every JSON read, its errors, and many reports", async () => {
    const { value } = await read("/api/openapi.json");
    const api = value as Json;
    const compile = compilerOfBothDrafts({ "api:": { components: api.components } });
    const checks = new Map<string, Check>();
    const wrong: string[] = [];
    const compare = async (target: string, operation: Json, body?: unknown) => {
      const { status, value: answer } = await read(target, body);
      const response = followed(api, at(operation, "responses", `${status}`));
      const [{ schema }] = Object.values(response.content as Json) as [{ schema: Json }];
      const absolute = JSON.stringify(schema).replaceAll('"#/', '"api:#/');
      const check = checks.get(absolute) ?? compile(JSON.parse(absolute));
      checks.set(absolute, check);
      wrong.push(...check(answer).map((error) => `${status} ${target}: ${error}`));
      return status;
    };
    const { data } = (await read("/api/sites?limit=40")).value as { data: { host: string }[] };
    const hosts = [...data.map(({ host }) => host), "nowhere.example", "No-Host"];
    const statuses = new Set<number>();
    for (const { path, example, contentType } of [
      ...Object.values(ROUTES),
      ...Object.values(readsOf(installedExtras())),
    ]) {
      const get = (at(api, "paths", path) as { get?: Json }).get;
      if (get === undefined || !contentType.includes("json")) continue;
      for (const target of targetsOf(path, example, hosts)) {
        statuses.add(await compare(target, get));
        if (/[?]/.test(target)) statuses.add(await compare(`${target}&none=1`, get));
      }
    }
    const { batch } = readsOf(installedExtras());
    for (const posted of batch === undefined ? [] : [hosts.slice(0, -1), hosts]) {
      const description = at(api, "paths", batch?.path ?? "", "post");
      statuses.add(await compare(batch?.path ?? "", description, { hosts: posted }));
    }
    expect(wrong).toEqual([]);
    // The changes that are too old are gone: 410.
    expect([...statuses].filter((status) => status !== 410).sort()).toEqual([200, 400, 404]);
    const { value: facets } = await read("/api/sites/facets?include=scores");
    expect(JSON.stringify(facets)).toMatch(/"points":\[\[\d+,\d+\]/);
  }, 60_000);
});
