import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { joinParts } from "../../../src/extras/parts/join.js";
import { build } from "../../../src/publish/build.js";
import { writePublished } from "../../fixtures.js";
import { bandsIn, withRubric } from "../../publish/rubrics.js";
import { storeWith } from "../../store/stores.js";
import { FOUR } from "../../store/trees.js";

it("a rubric that the store has published is known to each part of a build", async () => {
  const { folder, store, files } = await storeWith(60, FOUR);
  const next = withRubric(files, "v2", "second");
  const published = await writePublished(join(folder, "published"), next);
  for (const part of ["1/2", "2/2"]) {
    expect((await build(published, { store, jobs: 1, part })).warnings).toEqual([]);
  }
  const joined = await joinParts({ store, maxUnbanded: 0 });
  expect(await bandsIn(store, joined.id)).toEqual(["closed", "open"]);
  await rm(join(store, ".parts"), { recursive: true });
  const whole = await build(published, { store, jobs: 1, full: true });
  expect(whole.generation).toBe(joined.generation);
});
