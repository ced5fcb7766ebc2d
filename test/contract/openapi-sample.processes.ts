import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../src/contract/routes.js";
import { build } from "../../src/publish/build.js";
import { requireCurrent } from "../../src/publish/snapshots.js";
import { writeSample } from "../../src/sample/sample.js";
import { type LoadedSnapshot, loadSnapshot } from "../../src/server/load-snapshot.js";
import { temporaryFolder } from "../fixtures.js";
import { asked } from "../server/asked.js";
import { at, type Json, servedDescription } from "./description.js";

const DOCUMENT = servedDescription();
const cleanUps: (() => Promise<void>)[] = [];
let sample: LoadedSnapshot;

beforeAll(async () => {
  const folder = await temporaryFolder((cleanUp) => cleanUps.unshift(cleanUp));
  const store = join(folder, "store");
  await writeSample(join(folder, "published"));
  await build(join(folder, "published"), { store, keep: 1, jobs: 1 });
  sample = await loadSnapshot(store, await requireCurrent(store));
}, 120_000);
afterAll(async () => {
  sample.close();
  for (const cleanUp of cleanUps) await cleanUp();
});

async function read(target: string): Promise<Json> {
  const { status, bytes } = await asked(sample.snapshot, target);
  expect([target, status]).toEqual([target, 200]);
  return JSON.parse(bytes.toString("utf8")) as Json;
}

describe("the examples of requests in openapi.json work with the sample", () => {
  const reads = Object.entries(ROUTES).filter(([name]) => !["openapi", "catalog"].includes(name));

  it.each(reads)("%s: the example request has an answer with data", async (_, route) => {
    expect(JSON.stringify((await read(route.example)).data).length).toBeGreaterThan(2);
  });

  it.each(["/api/sites", "/api/sites/facets", "/api/sites/suggestions"])(
    "each example of a parameter of %s finds something",
    async (path) => {
      const parameters = at(DOCUMENT, "paths", path, "get", "parameters") as unknown as Json[];
      for (const { name, example } of parameters) {
        const query = [example].flat().map((value) => `${name}=${value}`);
        const others = name === "page" ? "&limit=2" : "";
        const required = path.endsWith("suggestions") && name !== "q" ? "&q=clinic" : "";
        const target = `${path}?${query.join("&")}${others}${required}`;
        const { data } = await read(target);
        const found = Array.isArray(data) ? data.length : (data as Json).total;
        expect([target, Number(found) > 0]).toEqual([target, true]);
      }
    },
  );

  it("the example of a scan is a historical report of the example's host", async () => {
    const parameters = at(DOCUMENT, "paths", ROUTES.report.path, "get", "parameters");
    const [host, scan] = (parameters as unknown as Json[]).map(({ example }) => example);
    const { data } = await read(`/api/sites/${host}/report?scan=${scan}`);
    expect(at(data, "scan")).toMatchObject({ id: scan, historical: true });
  });
});
