import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { schemaFiles } from "../../.build/command-line.js";
import { program } from "../../cli/program.js";
import { ROOT } from "../house/sources.js";
import { PAGES } from "./pages.js";

const page = PAGES.find(({ path }) => path === "docs/command-line.md")?.text ?? "";

describe("the page about the command line", () => {
  it("names every variable that an option follows", () => {
    const variables = program.commands.flatMap(({ options }) =>
      options.flatMap(({ envVar }) => envVar ?? []),
    );
    expect([...new Set(variables)].sort()).toEqual([
      "CRAWLDEX_PUBLIC_KEY",
      "CRAWLDEX_STORE",
      "HOST",
      "PORT",
    ]);
    const [, table = ""] = /## The environment\n([\s\S]*?)\n## /.exec(page) ?? [];
    for (const variable of variables) expect(table).toContain(`\`${variable}\``);
  });

  it("has the schemas of the results beside it; `npm run docs` writes them", () => {
    const files = schemaFiles();
    for (const [path, text] of files) expect(readFileSync(path, "utf8") === text).toBe(true);
    expect(readdirSync(join(ROOT, "docs/json"))).toHaveLength(files.size);
  });
});
