import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CAPABILITIES, capabilitiesOf } from "./capabilities.js";
import { aDirectory, type Directory } from "./directory.js";
import { PLAIN_HOSTS, placed, RULED_HOSTS, startHost } from "./hosts.js";
import { treeFor } from "./trees.js";

const PAGE = fileURLToPath(new URL("../../docs/deploying.md", import.meta.url));
const [BEGIN, END] = ["<!-- hosts: measured by npm run test:hosts -->\n", "<!-- end of hosts -->"];

let directory: Directory;
beforeAll(async () => {
  directory = await aDirectory();
});
afterAll(() => directory.close());

it("the documentation's table says what each host does", async (context) => {
  const columns: { name: string; shown: boolean[] }[] = [];
  const missing: string[] = [];
  for (const host of [...PLAIN_HOSTS, ...RULED_HOSTS]) {
    const tree = await treeFor(host.for, directory.site.store, directory.site.folder);
    const server = await startHost(host, await placed(tree, "/"));
    if ("missing" in server) {
      missing.push(host.name);
      continue;
    }
    columns.push({ name: host.name, shown: await capabilitiesOf(server) });
    await server.stop();
  }
  if (missing.length > 0) return context.skip(`missing: ${missing.join(", ")}`);
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const table = [
    row(["", ...columns.map(({ name }) => name)]),
    row(["---", ...columns.map(() => "---")]),
    ...CAPABILITIES.map(({ label }, at) =>
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
});
