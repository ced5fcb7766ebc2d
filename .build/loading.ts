/**
 * Measures the explorer while it loads and while somebody types, and a report while its fixes are ticked, on a slow
 * phone (360 x 740, CPU x4, 1.6 Mbit/s, 150 ms), from a server and from a tree of files. Prints a table in Markdown:
 * the milliseconds to the first rows, the kilobytes of the whole visit, the milliseconds to the largest text (LCP) and
 * of the slowest answer to a key or a press (INP), how far the page jumps (CLS), and how far with the shifts in the
 * half second after a key. Needs Chromium.
 *
 *     npm run loading [-- --listings 20000] [-- --width 1280] [-- --only tree] [-- --moved]
 *
 * `--only` measures one of both, and `--moved` also names the elements that move.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import sirv from "sirv";

import {
  firstRowsAt,
  PHONE,
  paintsOf,
  recordShifts,
  shiftsOf,
  slowDown,
} from "../test/browser/shifts.js";
import { slowNetwork } from "../test/browser/slow-network.js";
import { writeSample } from "../test/sample/larger.js";
import { COMMAND, launchChromium, serveDirectory } from "./pages/served.js";

const { values } = parseArgs({
  options: {
    listings: { type: "string", default: "2000" },
    width: { type: "string", default: String(PHONE.width) },
    only: { type: "string", default: "" },
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

/** The boxes of a report that tick its fixes. */
const FIXES = ".tick input";

const TEXTS: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

const directory = await serveDirectory((folder) =>
  writeSample(folder, { listings: Number(values.listings) }),
);
const folder = mkdtempSync(join(tmpdir(), "crawldex-loading-"));
const tree = join(folder, "tree");
execFileSync(process.execPath, [COMMAND, "export", tree, "--store", directory.store, "--quiet"]);
const files = sirv(tree, { dev: true });
/** As hosts do: what is text is compressed, unless a part of it is asked for. */
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://tree.invalid");
  const file = join(tree, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
  const type = TEXTS[extname(file)];
  if (type === undefined || request.headers.range !== undefined || !existsSync(file))
    return files(request, response);
  response.setHeader("Content-Type", type).setHeader("Content-Encoding", "gzip");
  return response.end(gzipSync(readFileSync(file)));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await launchChromium();
const places = {
  server: await slowNetwork(directory.url),
  tree: await slowNetwork(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
};

const report = `sites/${await hostWithFixes()}`;

process.stdout.write(
  "| | page | typed | first rows, ms | kB | LCP, ms | INP, ms | CLS | with shifts after keys |\n",
);
process.stdout.write("|---|---|---|---:|---:|---:|---:|---:|---:|\n");
for (const [name, { url, bytes }] of Object.entries(places)) {
  if (!name.includes(values.only)) continue;
  const ending = name === "tree" ? ".html" : "";
  for (const [path, typed] of [...CASES, [report + ending, ""] as const]) {
    const before = bytes();
    const { rows, paints, shifts } = await visit(`${url}/${path}`, typed);
    const numbers = [
      rows?.toFixed(0) ?? "—",
      ((bytes() - before) / 1_000).toFixed(0),
      paints.largest.toFixed(0),
      paints.slowest.toFixed(0),
      shifts.unexpected.toFixed(3),
      shifts.all.toFixed(3),
    ];
    process.stdout.write(`| ${[name, `/${path}`, typed, ...numbers].join(" | ")} |\n`);
    if (values.moved) process.stdout.write(shifts.moved.map((one) => `  ${one}\n`).join(""));
  }
}
await browser.close();
for (const place of Object.values(places)) await place.close();
server.closeAllConnections();
server.close();
rmSync(folder, { recursive: true });
await directory.stop();

/** A site whose report has fixes to tick. */
async function hostWithFixes(): Promise<string> {
  const answer = await fetch(`${directory.url}/api/sites?sort=score-asc&limit=50`);
  const { data } = (await answer.json()) as { readonly data: readonly { readonly host: string }[] };
  for (const { host } of data) {
    const page = await (await fetch(`${directory.url}/sites/${host}`)).text();
    if (page.includes("data-points=")) return host;
  }
  throw new Error("no report has fixes to tick");
}

/** Opens a page with an empty cache, and types a text into it, letter by letter. */
async function visit(address: string, typed: string) {
  const width = Number(values.width);
  const isMobile = width <= PHONE.width;
  const page = await browser.newPage({ viewport: { ...PHONE, width }, isMobile });
  await slowDown(page, CPU_SLOWDOWN);
  await recordShifts(page);
  await page.goto(address, { waitUntil: "networkidle" });
  const isReport = address.includes("/sites/");
  if (!isReport) await page.waitForFunction("firstRows !== null", undefined, { timeout: 60_000 });
  await page.waitForTimeout(WATCHED_MS);
  const boxes = isReport ? await page.locator(FIXES).all() : [];
  for (const box of boxes) {
    await box.check();
    await page.waitForTimeout(WATCHED_MS);
  }
  if (typed !== "") {
    await page.keyboard.press("/");
    await page.keyboard.press("End");
    await page.keyboard.type(typed, { delay: 300 });
    await page.waitForLoadState("networkidle");
    await page.waitForTimeout(2 * WATCHED_MS);
  }
  const measured = {
    rows: await firstRowsAt(page),
    paints: await paintsOf(page),
    shifts: await shiftsOf(page),
  };
  await page.close();
  return measured;
}
