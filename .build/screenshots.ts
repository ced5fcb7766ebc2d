/**
 * Takes screenshots of every kind of page, from a directory that it builds and serves: at four widths, light and dark,
 * the first screen and the whole page. Needs Chromium.
 *
 *     npm run screenshots [-- folder] [-- --only report-full,explorer] [-- --widths 320,360,768,1440]
 *
 * Without a folder it writes them to a new temporary one, and prints its name.
 */
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { changeShown, writeShown } from "./pages/directory.js";
import { type PageKind, pageKinds } from "./pages/kinds.js";
import { launchChromium, serveDirectory } from "./pages/served.js";

const SCHEMES = ["light", "dark"] as const;
/** The height of the first screen by its width, as on common devices; other widths get the last. */
const HEIGHTS: Readonly<Record<number, number>> = { 320: 640, 360: 740, 768: 1_024, 1440: 900 };
const HEIGHT = 900;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, widths: { type: "string", default: "320,360,768,1440" } },
});
const widths = values.widths.split(",").map(Number);
const folder = positionals[0] ?? mkdtempSync(join(tmpdir(), "crawldex-screenshots-"));
mkdirSync(folder, { recursive: true });

const directory = await serveDirectory(writeShown, changeShown);
const browser = await launchChromium();
const kinds = await pageKinds(directory.store, directory.url);
const names = values.only?.split(",") ?? kinds.map(({ name }) => name);
for (const kind of kinds.filter(({ name }) => names.includes(name))) {
  for (const width of widths) await shoot(kind, width, browser, directory.url);
}
await browser.close();
await directory.stop();
process.stdout.write(`${folder}\n`);

/** Takes a page's pictures at one width: `<kind>-<width>-<scheme>.png` and, of the whole page, `…-full.png`. */
async function shoot(
  { name, path }: PageKind,
  width: number,
  browser: Browser,
  url: string,
): Promise<void> {
  const viewport = { width, height: HEIGHTS[width] ?? HEIGHT };
  const page = await browser.newPage({ viewport });
  await page.goto(url + path, { waitUntil: "networkidle" });
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const file = join(folder, `${name}-${width}-${colorScheme}`);
    await page.screenshot({ path: `${file}.png` });
    await page.screenshot({ path: `${file}-full.png`, fullPage: true });
  }
  await page.close();
}
