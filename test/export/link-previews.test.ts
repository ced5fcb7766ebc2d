import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ExportOptions } from "../../src/export/options.js";
import { requireCurrent } from "../../src/publish/snapshots.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { aPublishedDirectory } from "../fixtures.js";
import { all, attributeOf, headOf, parsedPage, textOf } from "../pages/parsed.js";
import { asked } from "../server/asked.js";
import { treeOf } from "../store/trees.js";
import { builtSite, exportedSite, type Site, variedListings, withListing } from "./sites.js";

const PREVIEWS = { packed: true, previews: true } as const satisfies ExportOptions;
/** Hosts of `variedListings` that have reports. */
const SHOWN = ["open", "locked", "single", "blocked", "opted-out", "moved"].map(
  (name) => `${name}.example`,
);

const namesIn = async (site: Site) => Object.keys(await treeOf(site.site));

it.each([
  ["plain", "sites/{host}/index.html", variedListings(), SHOWN],
  ["nginx", "sites/{host}.html", aPublishedDirectory(), ["example.com"]],
] as const)(
  "a packed tree for %s has a page for each report, whose head is that of the report",
  async (host, path, files, hosts) => {
    const site = await builtSite(files);
    const { written, unchanged } = await site.export({ ...PREVIEWS, for: host });
    const { snapshot, close } = await loadSnapshot(site.store, await requireCurrent(site.store));
    onTestFinished(close);
    const names = await namesIn(site);
    expect([written, unchanged]).toEqual([names.length, 0]);
    for (const shown of hosts) {
      const html = await readFile(join(site.site, path.replace("{host}", shown)), "utf8");
      const served = headOf((await asked(snapshot, `/sites/${shown}`, true)).bytes.toString());
      // An extra may add a picture.
      expect(headOf(html)).toMatchObject({ ...served, "twitter:card": expect.any(String) });
      // No more of the report than its head says.
      expect(textOf(all(parsedPage(html), "main")[0]!)).toContain(served["og:description"]);
      expect(html.length).toBeLessThan(4_096);
      const root = all(parsedPage(html), "html")[0]!;
      expect(attributeOf(root, "data-report")).toBe(`/sites/${shown}`);
      const scripts = all(parsedPage(html), "script").flatMap(
        (one) => attributeOf(one, "src") ?? [],
      );
      expect(scripts.every((src) => names.includes(src.slice(1)))).toBe(true);
    }
    expect(names.filter((name) => name.includes("removed.example"))).toEqual([]);
  },
);

it("pages for previews are written for changed listings alone, and go with their listings", async () => {
  const files = variedListings();
  const site = await exportedSite(files, PREVIEWS);
  const sitesIn = async () => (await namesIn(site)).filter((name) => name.startsWith("sites/"));
  const pages = await sitesIn();
  expect(pages.length).toBeGreaterThanOrEqual(SHOWN.length);
  expect(await site.export(PREVIEWS)).toMatchObject({ written: 0, deleted: 0 });
  const before = await treeOf(site.site);
  const renamed = withListing(files, "open.example", { name: "Another" });
  await site.publish(withListing(renamed, "blocked.example", { visibility: "removed" }));
  await site.export(PREVIEWS);
  const after = await treeOf(site.site);
  const changed = pages.filter((name) => before[name] !== after[name]);
  expect(changed.sort()).toEqual(["sites/blocked.example.html", "sites/open.example.html"]);
  expect(after["sites/blocked.example.html"]).toBeUndefined();
  await site.export({ packed: true });
  expect(await sitesIn()).toEqual([]);
});
