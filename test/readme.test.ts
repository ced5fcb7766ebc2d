import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serveCommand } from "../cli/serve.js";
import { ROUTES } from "../src/contract/routes.js";
import { SERVER_LIMITS } from "../src/runtime/limits.js";
import { Metrics, metricsText } from "../src/runtime/observe/metrics.js";
import { ROOT, sourcesOf } from "./house/sources.js";

const readme = readFileSync(join(ROOT, "README.md"), "utf8");

describe("the README", () => {
  it.each(Object.values(ROUTES).map(({ path }) => path))("shows the read %s", (path) => {
    expect(readme).toContain(path);
  });

  it("has a row for every command, and no other", () => {
    const index = sourcesOf("cli").find(({ path }) => path === "cli/index.ts");
    const commands = [...(index?.text ?? "").matchAll(/addCommand\((\w+)Command\)/g)].map(
      ([, name]) => name,
    );
    const rows = [...readme.matchAll(/^\| `crawldex (\w+)/gm)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(0);
    expect(rows.sort()).toEqual(commands.sort());
  });

  it("names two commands for a fresh machine, and package.json has them", () => {
    expect(readme).toContain("npm ci && npm start");
    expect(readme).toContain("npm ci && npm test");
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["start", "test"]));
  });

  it("names every option of serve", () => {
    const options = serveCommand.options.map(({ long }) => long);
    expect(options).toEqual(
      expect.arrayContaining(["--workers", "--cache-mb", "--metrics", "--log"]),
    );
    for (const option of options) expect(readme).toContain(`${option}`);
  });

  it("has a row with the value of each limit of the server", () => {
    const [, rows = ""] = /\| limit \| value \|[^\n]*\n([\s\S]*?)\n\n/.exec(readme) ?? [];
    const values = [...rows.matchAll(/^\| [^|]+ \| ([0-9,]+)/gm)].map(([, value]) =>
      Number(value?.replaceAll(",", "")),
    );
    const { checkingMs: _, ...limits } = SERVER_LIMITS;
    expect(values.sort((a, b) => a - b)).toEqual(Object.values(limits).sort((a, b) => a - b));
  });

  it("names every metric, and no other", async () => {
    const process = new Metrics(() => ({ cacheBytes: 0, snapshot: null, listings: 0 }));
    const text = await metricsText([await process.counted()]);
    const metrics = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
    const [, rows = ""] = /\| metric \|[^\n]*\n([\s\S]*?)\n\n/.exec(readme) ?? [];
    const named = [...rows.matchAll(/`((?:crawldex|process)_\w+)/g)].map(([, name]) => name);
    expect(metrics.length).toBeGreaterThan(8);
    expect(named.sort()).toEqual(metrics.sort());
  });
});
