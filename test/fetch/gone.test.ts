import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { requireCurrent } from "../../src/build/snapshots.js";
import { createFetchHandler } from "../../src/fetch/index.js";
import { folderStore } from "../../src/store/packs/folder-source.js";
import { temporaryFolder } from "../fixtures.js";
import { writeSample } from "../sample/larger.js";

it("a handler whose snapshot has lost its files answers from the next one at once, with one look for all reads", async () => {
  const folder = await temporaryFolder();
  const [first, second] = ["first", "second"].map((name) => join(folder, name));
  if (first === undefined || second === undefined) throw new Error("there are two stores");
  for (const [store, listings] of [
    [first, 40],
    [second, 44],
  ] as const) {
    const published = `${store}-published`;
    await writeSample(published, { listings, seed: listings });
    await build(published, { store, jobs: 1, keep: 1 });
  }
  let current = first;
  let looks = 0;
  const errors: string[] = [];
  const handler = await createFetchHandler({
    store: async (path, range) => {
      if (path === "current.json") looks += 1;
      return folderStore(current)(path, range);
    },
    onError: ({ message }) => errors.push(message),
  });
  const ask = async (target: string) => {
    const response = await handler(new Request(`https://any.example${target}`));
    const body = (await response.json()) as { pagination?: { total: number } };
    return [response.status, body.pagination?.total];
  };
  const [status, total = 0] = await ask("/api/sites?limit=1");
  expect([status, looks, errors]).toEqual([200, 1, []]);

  // Without a newer snapshot, the answer is an error, and each read looks once.
  // What is searched stays in memory, documents do not.
  await rm(join(first, await requireCurrent(first)), { recursive: true });
  const documents = ["/api/tags", "/api/categories", "/api/openapi.json"];
  current = join(folder, "nowhere");
  expect((await ask(documents[0] ?? ""))[0]).toBe(502);
  expect(looks).toBe(2);

  current = second;
  looks = 0;
  const answers = await Promise.all(documents.map(ask));
  expect(answers.map(([each]) => each)).toEqual([200, 200, 200]);
  expect(looks).toBe(1);
  expect((await ask("/api/sites?limit=1"))[1]).not.toBe(total);
  expect(errors.length).toBeGreaterThan(0);
});
