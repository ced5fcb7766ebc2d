import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { prepared } from "./machine.js";

/** The milliseconds that pass until a stranger who has the package sees a report. */
const UNTIL_REPORT_MS = 30_000;

/** Starts the command, reads the explorer and a report, and ends it. Prints what it has seen. */
const STRANGER = `
import { spawn } from "node:child_process";
const began = performance.now();
const child = spawn("npx", ["crawldex", "try"], { stdio: ["ignore", "pipe", "inherit"], detached: true });
let printed = "";
for await (const data of child.stdout.setEncoding("utf8")) {
  printed += data;
  if (printed.includes("Ctrl-C")) break;
}
const [explorer, report] = printed.match(/http:\\S+/g);
const pages = [];
for (const url of [explorer, report]) pages.push((await (await fetch(url)).text()).match(/<title>(.*)<\\/title>/)[1]);
const milliseconds = performance.now() - began;
let outside = null;
try { await fetch("http://192.0.2.1"); } catch (error) { outside = error.cause.code; }
process.kill(-child.pid, "SIGINT");
console.log(JSON.stringify({ pages, milliseconds, outside }));
`;

const hasNamespaces = spawnSync("unshare", ["-rn", "ip", "link", "set", "lo", "up"]).status === 0;

it.skipIf(!hasNamespaces)(
  "npx crawldex try shows a report of the sample without a network, in less than half a minute",
  async () => {
    const { machine, cwd, tarball } = await prepared();
    await machine.run(`npm install ./${basename(tarball)}`, cwd);
    writeFileSync(join(cwd, "stranger.mjs"), STRANGER);
    const printed = await machine.run(
      "unshare -rn bash -c 'ip link set lo up && exec node stranger.mjs'",
      cwd,
    );
    const { pages, milliseconds, outside } = JSON.parse(printed);
    expect(outside).toBe("ENETUNREACH");
    expect(pages).toHaveLength(2);
    expect(pages[1]).toMatch(/\w/);
    expect(milliseconds).toBeLessThan(UNTIL_REPORT_MS);
  },
);
