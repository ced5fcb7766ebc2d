import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { requireCurrent } from "../../src/publish/snapshots.js";
import { folderStore } from "../../src/store/folder-source.js";
import { temporaryFolder } from "../fixtures.js";
import { buildSample } from "./directory.js";
import { wholeHandler } from "./whole.js";

it(
  "a handler whose snapshot has lost its files answers from the next one at once, with one look " +
    "for all reads",
  async () => {
    const folder = await temporaryFolder();
    const { store: first } = await buildSample(join(folder, "first"), 20);
    const { store: second } = await buildSample(join(folder, "second"), 24);
    let current = first;
    let looks = 0;
    const errors: string[] = [];
    const handler = await wholeHandler({
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
  },
);
