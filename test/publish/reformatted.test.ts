import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/publish/build.js";
import { writeFiles } from "../fixtures.js";
import { manifestOf } from "../store/forge.js";
import { storeWith } from "../store/stores.js";
import { FOUR } from "../store/trees.js";

/** The same value with all keys in the opposite order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, turned(one)] as const);
  return Object.fromEntries(entries.reverse());
}

const spaced = (record: unknown) => JSON.stringify(record).replace(/":/g, '" :  ');

describe("records that were only written in another form", () => {
  it.each([
    ["order of keys", (record: unknown) => JSON.stringify(turned(record))],
    ["white space", spaced],
  ])("publish the same snapshot: %s", async (_, text) => {
    const { folder, store, files, first } = await storeWith(60, FOUR);
    const published = join(folder, "published");
    const lines = (records: readonly unknown[]) => `${records.map(text).join("\n")}\n`;
    await writeFiles(published, {
      "listings/all.ndjson": lines(files.listings),
      "scans/all.ndjson": lines(files.scans),
    });
    const again = await build(published, { store, ...FOUR });
    expect(again).toMatchObject({ id: first.id, changed: false, changes: { changed: 0 } });
  });

  it("publish the same content under the same number if only some were", async () => {
    const { folder, store, files } = await storeWith(60, FOUR);
    const { content } = await manifestOf(store);
    const [one, two, ...rest] = files.listings;
    const listings = [...[one, two].map(spaced), ...rest.map((each) => JSON.stringify(each))];
    await writeFiles(join(folder, "published"), { "listings/all.ndjson": listings.join("\n") });
    const again = await build(join(folder, "published"), { store, ...FOUR });
    expect(again).toMatchObject({ generation: 1, changes: { added: 0, changed: 0, gone: 0 } });
    expect((await manifestOf(store)).content).toBe(content);
  });
});
