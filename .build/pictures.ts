/**
 * Takes the pictures of the documentation, from the sample directory, as small WebP files. Needs Chromium.
 *
 *     npm run pictures
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { writeSample } from "../src/sample/sample.js";
import { launchChromium, serveDirectory } from "./pages/served.js";

const PICTURES = [
  { name: "explorer", path: "/?q=books&minScore=50" },
  { name: "report", path: "/sites/pecantea.example" },
];
const SIZE = { width: 1200, height: 800 };
const QUALITY = 0.8;

const root = join(import.meta.dirname, "..");
const { url, stop } = await serveDirectory(writeSample);
const browser = await launchChromium();
mkdirSync(join(root, "docs/pictures"), { recursive: true });
for (const { name, path } of PICTURES) {
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
  writeFileSync(join(root, `docs/pictures/${name}.webp`), await pictureOf(page));
}
await browser.close();
await stop();

async function pictureOf(page: Page): Promise<Buffer> {
  const png = await page.screenshot();
  // Playwright writes no WebP, but the browser does. An empty page has no policy that forbids it.
  await page.goto("about:blank");
  const webp = await page.evaluate(
    async ({ bytes, quality }) => {
      const source = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const canvas = document.createElement("canvas");
      canvas.width = source.width;
      canvas.height = source.height;
      canvas.getContext("2d")?.drawImage(source, 0, 0);
      return canvas.toDataURL("image/webp", quality);
    },
    { bytes: [...png], quality: QUALITY },
  );
  return Buffer.from(webp.replace(/^.*,/, ""), "base64");
}
