import { expect, it } from "vitest";
import { explain } from "../../src/upkeep/explain.js";
import { nearHosts } from "../../src/upkeep/near-hosts.js";
import { aListing, aPublishedDirectory, aScan } from "../fixtures.js";
import { builtStore } from "../store/trees.js";

const HOSTS = [
  "pecantea.example",
  "pecantea.org",
  "shop.pecantea.example",
  "acorn.example",
  "a.de",
];

it.each([
  ["pecantae.example", ["pecantea.example"]],
  ["pecantea.example.org", []],
  ["pecantea.com", ["pecantea.example", "pecantea.org"]],
  ["blog.acorn.example", ["acorn.example"]],
  ["pecantea.example", ["shop.pecantea.example", "pecantea.org"]],
  ["birch.example", []],
  ["b.de", []],
  ["localhost", []],
])("near %s are %j", (host, near) => {
  const others = HOSTS.filter((other) => other !== host);
  expect(nearHosts(host, others)).toEqual(near);
});

it("no more than three hosts are near", () => {
  expect(nearHosts("tea.com", ["tea.org", "tea.net", "tea.de", "tea.fr"])).toEqual([
    ...["tea.de", "tea.fr", "tea.net"],
  ]);
});

it("explain proposes published hosts for an absent one, and none for one that was removed", async () => {
  const [gone, there] = ["pecantea.example", "pecantea.org"];
  const { store } = await builtStore(
    aPublishedDirectory({
      listings: [aListing({ host: gone, visibility: "removed" }), aListing({ host: there })],
      scans: [aScan({ host: gone }), aScan({ host: there })],
    }),
  );
  expect(await explain("pecantea.net", { store })).toMatchObject({ why: "absent", near: [there] });
  expect(await explain(gone, { store })).toMatchObject({ why: "removed", near: [] });
});
