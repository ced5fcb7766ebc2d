/**
 * Takes the pictures of the documentation, from the sample directory, as small WebP files. Needs Chromium.
 *
 *     npm run build && tsx .build/pictures.ts
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { build, serve, writeSample } from "../src/index.js";

const PICTURES = [
  { name: "explorer", path: "/?q=books&minScore=50" },
  { name: "report", path: "/sites/pecantea.example" },
];
const SIZE = { width: 1200, height: 800 };
const QUALITY = 0.8;

const folder = mkdtempSync(join(tmpdir(), "crawldex-pictures-"));
await writeSample(join(folder, "published"));
const store = join(folder, "snapshots");
await build(join(folder, "published"), { store });
const server = await serve(store, { port: 0 });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
});
for (const { name, path } of PICTURES) {
  const picture = await pictureOf(browser, `${server.url}${path}`);
  writeFileSync(join(import.meta.dirname, `../docs/pictures/${name}.webp`), picture);
}
await browser.close();
await server.close();
rmSync(folder, { recursive: true });

async function pictureOf(browser: Browser, url: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(url, { waitUntil: "networkidle" });
  const png = await page.screenshot();
  // Playwright writes no WebP; the browser does. An empty page has no policy that forbids it.
  await page.goto("about:blank");
  const webp = await page.evaluate(
    async ({ bytes, quality }) => {
      const source = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const canvas = new OffscreenCanvas(source.width, source.height);
      canvas.getContext("2d")?.drawImage(source, 0, 0);
      const blob = await canvas.convertToBlob({ type: "image/webp", quality });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    { bytes: [...png], quality: QUALITY },
  );
  await page.close();
  return Buffer.from(webp);
}
