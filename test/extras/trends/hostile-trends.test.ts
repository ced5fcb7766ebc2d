import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { TRENDS_EXTRA } from "../../../src/extras/trends/stored-trends.js";
import { describe as describeFile } from "../../../src/publish/segment-writer.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { BadSnapshotError } from "../../../src/store/bad-snapshot.js";
import { layout } from "../../../src/store/layout.js";
import { asked } from "../../server/asked.js";
import { publishManifest } from "../../store/forge.js";
import { smallStore } from "../../store/trees.js";

it("trends with too many points are refused once", async () => {
  const { store } = await smallStore();
  const points = Array.from({ length: 5_000 }, (_, generation) => ({ generation, set: {} }));
  const text = Buffer.from(JSON.stringify({ points }));
  const bytes = gzipSync(text);
  const file = describeFile(bytes, (hash) => layout.added(hash, TRENDS_EXTRA));
  await writeFile(join(store, file.file), bytes);
  const id = await publishManifest(store, (manifest) => {
    const trends = { ...file, length: text.length, facts: {} };
    manifest.extras = { [TRENDS_EXTRA]: { facts: {}, files: [trends] } };
  });
  const { snapshot, close } = await loadSnapshot(store, id);
  const errors = [];
  for (let times = 0; times < 2; times += 1)
    errors.push(await asked(snapshot, "/api/trends").catch((error: unknown) => error));
  close();
  expect(errors[0]).toBeInstanceOf(BadSnapshotError);
  expect(errors[1]).toBe(errors[0]);
  expect(await readFile(join(store, file.file))).toEqual(bytes);
});
