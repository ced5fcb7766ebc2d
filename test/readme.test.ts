import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROUTES } from "../src/contract/routes.js";
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

  it("names two commands for a fresh machine, and they are there", () => {
    expect(readme).toContain("npm ci && npm start");
    expect(readme).toContain("npm ci && npm test");
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["start", "test"]));
  });
});
