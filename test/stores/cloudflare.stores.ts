import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Origin, publishedOrigin } from "../fetch/generations.js";
import { temporaryFolder } from "../fixtures.js";
import { healthAt, publishTo, startWorker, untilGeneration } from "./recipe.js";

let origin: Origin;
let cleanUp = async () => {};

beforeAll(async () => {
  const folder = await temporaryFolder((remove) => {
    cleanUp = remove;
  });
  origin = await publishedOrigin(folder, 2);
});

afterAll(() => cleanUp());

describe("the worker of the Cloudflare recipe", () => {
  it("answers 503 while its bucket is empty, then from what is pushed, and follows the next push", async (context) => {
    const worker = await startWorker(context);
    expect((await fetch(`${worker.url}/api/sites`)).status).toBe(503);
    await publishTo(worker, origin, 1);
    expect(await untilGeneration(worker, 1)).toEqual(healthAt(origin, 1));
    await publishTo(worker, origin, 2);
    expect(await untilGeneration(worker, 2)).toEqual(healthAt(origin, 2));
    expect((await fetch(`${worker.url}/api/sites`)).status).toBe(200);
  });

  it("gives clients bodies in a coding that they take, behind Cloudflare's own compression", async (context) => {
    const worker = await startWorker(context);
    await publishTo(worker, origin, 1);
    const bodies = new Set<string>();
    for (const coding of ["identity", "gzip", "br", "gzip, br"]) {
      const response = await fetch(`${worker.url}/api/standards`, {
        headers: { "accept-encoding": coding },
      });
      bodies.add(await response.text());
      expect(response.status).toBe(200);
    }
    expect(bodies.size).toBe(1);
  });
});
