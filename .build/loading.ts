/**
 * Measures the explorer while it loads and while somebody types, on a slow phone (360 x 740, CPU x4, 1.6 Mbit/s,
 * 150 ms), from a server and from a tree of files, and prints a table in Markdown: the milliseconds to the first rows,
 * how far the page jumps (CLS), and how far with the shifts in the half second after a key. Needs Chromium.
 *
 *     npm run loading [-- --listings 20000] [-- --width 1280] [-- --moved]
 *
 * `--moved` also names the elements that move.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import sirv from "sirv";

import { firstRowsAt, PHONE, recordShifts, shiftsOf, slowDown } from "../test/browser/shifts.js";
import { writeSample } from "../test/sample/larger.js";
import { COMMAND, launchChromium, serveDirectory } from "./pages/served.js";

const { values } = parseArgs({
  options: {
    listings: { type: "string", default: "2000" },
    width: { type: "string", default: String(PHONE.width) },
    moved: { type: "boolean", default: false },
  },
});
const CPU_SLOWDOWN = 4;
/** Milliseconds that the page is watched for after its last request. */
const WATCHED_MS = 1_500;
/** A text that the sample has, one that it has not, and a category of it. */
const WORD = "coffee";
const WRONG = "zzgarden";
const CATEGORY = "food-drink";
const CASES: readonly (readonly [path: string, typed: string])[] = [
  ["", ""],
  [`?q=${WORD}`, ""],
  [`?q=${WORD}&category=${CATEGORY}`, ""],
  [`?q=${WRONG}`, ""],
  ["", WORD],
  ["", WRONG],
  [`?q=${WORD.slice(0, 2)}`, WORD.slice(2)],
];

const directory = await serveDirectory((folder) =>
  writeSample(folder, { listings: Number(values.listings) }),
);
const folder = mkdtempSync(join(tmpdir(), "crawldex-loading-"));
const tree = join(folder, "tree");
execFileSync(process.execPath, [COMMAND, "export", tree, "--store", directory.store, "--quiet"]);
const files = sirv(tree, { dev: true });
const server = createServer((request, response) => files(request, response));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await launchChromium();
const places = {
  server: directory.url,
  tree: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
};

process.stdout.write("| | page | typed | first rows, ms | CLS | with shifts after keys |\n");
process.stdout.write("|---|---|---|---:|---:|---:|\n");
for (const [name, url] of Object.entries(places)) {
  for (const [path, typed] of CASES) {
    const { rows, shifts } = await visit(`${url}/${path}`, typed);
    const numbers = [rows?.toFixed(0) ?? "—", shifts.unexpected.toFixed(3), shifts.all.toFixed(3)];
    process.stdout.write(`| ${[name, `/${path}`, typed, ...numbers].join(" | ")} |\n`);
    if (values.moved) process.stdout.write(shifts.moved.map((one) => `  ${one}\n`).join(""));
  }
}
await browser.close();
server.closeAllConnections();
server.close();
rmSync(folder, { recursive: true });
await directory.stop();

/** Opens a page with an empty cache, and types a text into it, letter by letter. */
async function visit(address: string, typed: string) {
  const width = Number(values.width);
  const isMobile = width <= PHONE.width;
  const page = await browser.newPage({ viewport: { ...PHONE, width }, isMobile });
  await slowDown(page, CPU_SLOWDOWN);
  await recordShifts(page);
  await page.goto(address, { waitUntil: "networkidle" });
  await page.waitForFunction("firstRows !== null", undefined, { timeout: 60_000 });
  await page.waitForTimeout(WATCHED_MS);
  if (typed !== "") {
    await page.keyboard.press("/");
    await page.keyboard.press("End");
    await page.keyboard.type(typed, { delay: 300 });
    await page.waitForLoadState("networkidle");
    await page.waitForTimeout(2 * WATCHED_MS);
  }
  const measured = { rows: await firstRowsAt(page), shifts: await shiftsOf(page) };
  await page.close();
  return measured;
}
