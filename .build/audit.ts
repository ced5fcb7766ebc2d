/**
 * Measures every kind of page, from a directory that it builds and serves, and prints a table in Markdown, line by
 * line: axe-core's violations, errors of html-validate, requests and bytes of a first visit, and how fast the page
 * shows and how far it jumps on a slow phone (CPU x4, 1.6 Mbit/s, 150 ms). `--rounds 3` prints the medians of three
 * such visits. Needs Chromium.
 *
 *     npm run audit [-- --only report-full,explorer] [-- --rounds 3] [-- --lighthouse]
 *
 * `--lighthouse` adds the scores of Lighthouse, which npx downloads: it takes 176 MB and asks for a newer Node than
 * we do.
 */
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { axeViolations, firstVisit, slowVisit } from "./pages/audits.js";
import { changeShown, writeShown } from "./pages/directory.js";
import { htmlErrors } from "./pages/html-errors.js";
import { type PageKind, pageKinds } from "./pages/kinds.js";
import { LIGHTHOUSE, LIGHTHOUSE_CATEGORIES, lighthouseScores } from "./pages/lighthouse.js";
import { launchChromium, serveDirectory } from "./pages/served.js";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    rounds: { type: "string", default: "1" },
    lighthouse: { type: "boolean", default: false },
  },
});
/** The pages that Lighthouse visits. */
const FOR_LIGHTHOUSE = ["explorer", "standards", "report-full", "report-usual", "report-minimal"];

const directory = await serveDirectory(writeShown, changeShown);
const browser = await launchChromium();
const kinds = await pageKinds(directory.store, directory.url);
const names = values.only?.split(",") ?? kinds.map(({ name }) => name);
const shown = kinds.filter(({ name }) => names.includes(name));
const head = ["page", "axe", "HTML errors", "requests", "kB", "LCP, ms", "TBT, ms", "CLS"];
process.stdout.write(tableOf(head, []));
for (const kind of shown) process.stdout.write(lineOf(await measured(kind, browser)));
await browser.close();
if (values.lighthouse) {
  const scores = shown
    .filter(({ name }) => FOR_LIGHTHOUSE.includes(name))
    .map(({ name, path }) => [name, ...lighthouseScores(directory.url + path)]);
  process.stdout.write(`\nLighthouse ${LIGHTHOUSE}:\n\n`);
  process.stdout.write(tableOf(["page", ...LIGHTHOUSE_CATEGORIES], scores));
}
await directory.stop();

/** A row of the table. */
async function measured({ name, path }: PageKind, browser: Browser): Promise<string[]> {
  const address = directory.url + path;
  const axe = await axeViolations(browser, address);
  const { html, requests, bytes } = await firstVisit(browser, address);
  const errors = html === null ? "—" : String(htmlErrors(html).length);
  const slow = await slowVisit(browser, address, Number(values.rounds));
  return [
    `${name} (\`${path}\`)`,
    String(axe),
    errors,
    String(requests),
    (bytes / 1_000).toFixed(1),
    slow.lcp.toFixed(0),
    slow.tbt.toFixed(0),
    slow.cls.toFixed(3),
  ];
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map(lineOf).join("");
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}
