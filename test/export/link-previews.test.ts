import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ExportOptions } from "../../src/export/options.js";
import { requireCurrent } from "../../src/publish/snapshots.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { aPublishedDirectory } from "../fixtures.js";
import { all, attributeOf, parsedPage, textOf } from "../pages/parsed.js";
import { asked } from "../server/asked.js";
import { treeOf } from "../store/trees.js";
import { builtSite, exportedSite, type Site, variedListings, withListing } from "./sites.js";

const PREVIEWS = { packed: true, previews: true } as const satisfies ExportOptions;
/** Hosts of `variedListings` that have reports. */
const SHOWN = ["open", "locked", "single", "blocked", "opted-out", "moved"].map(
  (name) => `${name}.example`,
);

/** What programs read from the head of a page, by the name of the element or property. */
function headOf(html: string) {
  const page = parsedPage(html);
  const metas = all(page, "meta").flatMap((one) => {
    const name = attributeOf(one, "property") ?? attributeOf(one, "name");
    return name ? [[name, attributeOf(one, "content")]] : [];
  });
  const canonical = all(page, "link").find((one) => attributeOf(one, "rel") === "canonical");
  const head = {
    ...Object.fromEntries(metas),
    canonical: canonical && attributeOf(canonical, "href"),
  };
  return { ...head, title: textOf(all(page, "title")[0]!) };
}

const namesIn = async (site: Site) => Object.keys(await treeOf(site.site));

it.each([
  ["plain", "sites/{host}/index.html", "card.png", variedListings(), SHOWN],
  // Each card takes a while to draw.
  ["nginx", "sites/{host}.html", "sites/{host}/card.png", aPublishedDirectory(), ["example.com"]],
] as const)(
  "a packed tree for %s has a page for each report, whose head is that of the report",
  async (host, path, card, files, hosts) => {
    const site = await builtSite(files);
    const { written, unchanged } = await site.export({
      ...PREVIEWS,
      for: host,
      cards: card !== "card.png",
    });
    const { snapshot, close } = await loadSnapshot(site.store, await requireCurrent(site.store));
    onTestFinished(close);
    const names = await namesIn(site);
    expect([written, unchanged]).toEqual([names.length, 0]);
    for (const shown of hosts) {
      const html = await readFile(join(site.site, path.replace("{host}", shown)), "utf8");
      const served = headOf((await asked(snapshot, `/sites/${shown}`, true)).bytes.toString());
      const { "og:image": image = "", ...head } = headOf(html);
      const drawn = card.replace("{host}", shown);
      expect(names).toContain(drawn);
      expect(image).toBe(`https://directory.example/${drawn}`);
      expect(head).toMatchObject({ ...served, "twitter:card": "summary_large_image" });
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
