import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtSite } from "../../export/sites.js";
import { aPublishedDirectory } from "../../fixtures.js";
import { headOf } from "../../pages/parsed.js";
import { treeOf } from "../../store/trees.js";

it.each([
  ["the directory", {}, "card.png"],
  ["its report, with cards", { cards: true }, "sites/example.com/card.png"],
] as const)("a page for link previews names the card of %s", async (_, options, card) => {
  const site = await builtSite(aPublishedDirectory());
  await site.export({ for: "nginx", packed: true, previews: true, ...options });
  const html = await readFile(join(site.site, "sites/example.com.html"), "utf8");
  expect(headOf(html)).toMatchObject({
    "og:image": `https://directory.example/${card}`,
    "og:image:width": "1200",
    "twitter:card": "summary_large_image",
  });
  expect(Object.keys(await treeOf(site.site))).toContain(card);
});
