/**
 * Takes the picture of the README, as a small WebP file: tables and commands on the left, the pages that they make on
 * the right, from the sample directory. Needs Chromium.
 *
 *     npm run pictures
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { writeSample } from "../src/sample/sample.js";
import { launchChromium, serveDirectory } from "./pages/served.js";

const SHOWN = ["/?q=books&minScore=50", "/sites/pecantea.example"];
const PAGE_SIZE = { width: 1200, height: 800 };
const SIZE = { width: 1480, height: 760 };
const QUALITY = 0.8;

const INPUT = `host,name,category
pecantea.example,Pecan Tea,food
plumbooks.example,Plum Books,arts
…`;
const SCANS = `host,finished_at,score,check.robots
pecantea.example,2026-06-17T14:43:05Z,100,pass
plumbooks.example,2026-06-18T09:12:44Z,,fail
…`;
const COMMANDS = `$ crawldex import *.csv published
$ crawldex build published
$ crawldex serve
$ crawldex export site`;

const root = join(import.meta.dirname, "..");
const { url, stop } = await serveDirectory(writeSample);
const browser = await launchChromium();
const shots: string[] = [];
for (const path of SHOWN) shots.push(await screenshotOf(browser, `${url}${path}`));
await stop();
const page = await browser.newPage({ viewport: SIZE });
await page.setContent(overview(shots));
mkdirSync(join(root, "docs/pictures"), { recursive: true });
writeFileSync(join(root, "docs/pictures/overview.webp"), await pictureOf(page));
await browser.close();

async function screenshotOf(browser: Browser, address: string): Promise<string> {
  const page = await browser.newPage({ viewport: PAGE_SIZE });
  await page.goto(address, { waitUntil: "networkidle" });
  return `data:image/png;base64,${(await page.screenshot()).toString("base64")}`;
}

function overview([explorer = "", report = ""]: readonly string[]): string {
  const box = (title: string, text: string) => `<h2>${title}</h2><pre>${text}</pre>`;
  return `<!doctype html><style>
    body { margin: 0; background: #eef1f4; color: #1b1f24; font: 17px/1.45 sans-serif }
    .input { position: absolute; left: 32px; top: 20px; width: 430px }
    h2 { margin: 16px 0 6px; font-size: 19px }
    pre { margin: 0; padding: 12px 14px; font: 14px/1.5 monospace; background: #fff; border: 1px solid #c3cad2;
      border-radius: 8px; overflow: hidden }
    .commands { color: #f4f6f8; background: #1b1f24 }
    .arrow { position: absolute; left: 468px; top: 330px; font-size: 52px; color: #4a5563 }
    img { position: absolute; border: 1px solid #9aa4af; border-radius: 8px; box-shadow: 0 6px 24px #0003 }
  </style><div class="input">${box("Sites: a table", INPUT)}${box("Scans: a table, or a scanner's files", SCANS)}
  <h2>Four commands</h2><pre class="commands">${COMMANDS}</pre></div><div class="arrow">→</div>
  <img src="${explorer}" style="left: 530px; top: 28px; width: 720px">
  <img src="${report}" style="left: 730px; top: 250px; width: 720px">`;
}

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
