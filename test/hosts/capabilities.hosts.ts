import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "../browser/browsers.js";
import { send } from "../server/http.js";
import { capabilitiesOf, LABELS, pageCapabilitiesOf } from "./capabilities.js";
import { aDirectory, type Directory, startBrowser, treeFor } from "./directory.js";
import { type HostCase, PLAIN_HOSTS, placed, RULED_HOSTS, startHost } from "./hosts.js";

const PAGE = fileURLToPath(new URL("../../docs/deploying.md", import.meta.url));
const BEGIN = "<!-- hosts: measured by npm run test:hosts -->\n";
const END = "<!-- end of hosts -->";

/** Addresses of a report, which is no file in a packed tree. */
const PACKED = ["/api/sites/open.example/report", "/sites/open.example/report.md"];

let directory: Directory;
let browser: Browser | null = null;
beforeAll(async () => {
  directory = await aDirectory();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await directory.close();
});

/** Starts a host with a tree of its own. */
async function started(host: HostCase, isPacked: boolean) {
  const { store, folder } = directory.site;
  const tree = await treeFor(host.for, store, folder, isPacked);
  return startHost(host, await placed(tree, "/"));
}

it("the documentation's table says what each host does", async (context) => {
  if (browser === null) return context.skip("there is no browser");
  const columns: { name: string; shown: boolean[] }[] = [];
  const missing: string[] = [];
  for (const host of [...PLAIN_HOSTS, ...RULED_HOSTS]) {
    const server = await started(host, false);
    const packed = await started(host, true);
    if ("missing" in server || "missing" in packed) {
      missing.push(host.name);
      continue;
    }
    try {
      const shown = await capabilitiesOf(server);
      shown.push(...(await pageCapabilitiesOf(browser, server, packed)));
      columns.push({ name: host.name, shown });
      // Programs are told that there is no file, and never that a listing has no report.
      for (const path of host.for === "plain" ? [] : PACKED) {
        const { status, text } = await send(packed, path);
        expect([host.name, path, status]).toEqual([host.name, path, 404]);
        expect(text).not.toMatch(/no report/i);
      }
    } finally {
      await server.stop();
      await packed.stop();
    }
  }
  if (missing.length > 0) return context.skip(`missing: ${missing.join(", ")}`);
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const table = [
    row(["", ...columns.map(({ name }) => name)]),
    row(["---", ...columns.map(() => "---")]),
    ...LABELS.map((label, at) =>
      row([label, ...columns.map(({ shown }) => (shown[at] ? "yes" : "no"))]),
    ),
  ].join("");
  const page = await readFile(PAGE, "utf8");
  const [before = "", rest = ""] = page.split(BEGIN);
  const [found, after = ""] = rest.split(END);
  // After a change that is meant, HOSTS_TABLE=write brings the page up to date.
  if (process.env.HOSTS_TABLE === "write") {
    await writeFile(PAGE, before + BEGIN + table + END + after);
    return;
  }
  expect(found).toBe(table);
}, 900_000);
