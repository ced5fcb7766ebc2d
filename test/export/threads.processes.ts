import { join } from "node:path";
import { expect, it } from "vitest";
import { exportSite } from "../../src/export/export.js";
import { manyListings, treeOf } from "../store/trees.js";
import { aSite } from "./sites.js";

it("a tree is the same if each thread writes several parts of its listings", async () => {
  // Four parts.
  const site = await aSite(manyListings(600), { keep: 1 });
  await site.export({ jobs: 2 });
  const alone = join(site.folder, "alone");
  await exportSite(alone, { store: site.store, for: "nginx", jobs: 1 });
  expect(await treeOf(site.site)).toEqual(await treeOf(alone));
});
