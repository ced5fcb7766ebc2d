import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { schemaFiles, withCommands } from "../../.build/command-line.js";
import { withTables } from "../../.build/field-tables.js";
import { program } from "../../cli/program.js";
import { SERVER_LIMITS } from "../../src/answer/limits.js";
import { ROUTES } from "../../src/contract/routes.js";
import { installedExtras } from "../../src/extra.js";
import { Metrics } from "../../src/server/metrics.js";
import { STORE_FORMAT } from "../../src/store/names.js";
import { at, servedDescription } from "../contract/description.js";
import { ROOT } from "../house/sources.js";
import { commandLines, wrongWords } from "./command-lines.js";
import { anchorOf, PAGES } from "./pages.js";

function page(path: string): string {
  return PAGES.find((each) => each.path === path)?.text ?? "";
}

describe.each(PAGES)("$path", ({ path, text }) => {
  it("links to files and headings that exist", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : join(dirname(path), file);
      if (!existsSync(join(ROOT, target))) return true;
      const headings = [...page(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
      return anchor !== undefined && !headings.map(anchorOf).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it("names only commands and options that exist", () => {
    expect(commandLines(text).flatMap(wrongWords)).toEqual([]);
  });

  it("has the fields that the schemas have; `npm run docs` writes them", () => {
    expect(withTables(text) === text).toBe(true);
  });

  it("has the commands, options and exit codes of the program; `npm run docs` writes them", () => {
    expect(withCommands(text) === text).toBe(true);
  });

  it("cites no document that readers do not have", () => {
    expect(text).not.toMatch(/\.\.\/shared|contract section|decisions\.md|read-api\.md/);
  });
});

describe("the documentation", () => {
  it("has a README of less than 150 lines, with a picture that is small", () => {
    const readme = page("README.md");
    expect(readme.split("\n").length).toBeLessThan(150);
    const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, file = ""]) => file);
    expect(pictures.length).toBe(1);
    for (const picture of pictures) {
      expect(statSync(join(ROOT, picture)).size).toBeLessThan(100_000);
    }
    expect(readme).toContain("npm ci && npm start");
    expect(readme).toContain("npm ci && npm test");
  });

  it("has an index of all pages, and a glossary in alphabetical order", () => {
    const index = page("docs/README.md");
    const others = PAGES.filter(({ path }) => !path.endsWith("README.md"));
    for (const { path } of others) {
      expect(index).toContain(`](${path.replace(/^(docs\/)?/, (docs) => (docs ? "" : "../"))})`);
    }
    const [, glossary = ""] = index.split("## Glossary");
    const words = [...glossary.matchAll(/^\| ([a-z ,]+) \|/gm)].map(([, word]) => word);
    expect(words.length).toBeGreaterThan(25);
    expect(words.slice(1)).toEqual(words.slice(1).sort());
  });

  it("says which versions the formats have", () => {
    const upgrading = page("docs/operations.md");
    expect(upgrading).toContain(`| the store | format ${STORE_FORMAT} |`);
    const record = readFileSync(join(ROOT, "src/export/record.ts"), "utf8");
    const [, format = "none"] = /RECORD_FORMAT = (\d+);/.exec(record) ?? [];
    expect(upgrading).toContain(`| the record of an exported tree | format ${format} |`);
    const { version } = at(servedDescription(), "info");
    expect(upgrading).toContain(`| the API | ${version} `);
    const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(upgrading).toContain(`Node ${engines.node.replace(">=", "")} or newer`);
  });

  it("begins the page about publishing with the listing and the scan that init writes", () => {
    const { blocks = [] } = PAGES.find(({ path }) => path === "docs/publishing.md") ?? {};
    const records = blocks.filter(({ language }) => language === "json").map(({ text }) => text);
    const files = ["listings/example.com.json", "scans/example.com.json"];
    expect(records).toEqual(
      files.map((file) => readFileSync(join(ROOT, "sample/minimal", file), "utf8")),
    );
  });

  it("names every variable that an option follows", () => {
    const variables = program.commands.flatMap(({ options }) =>
      options.flatMap(({ envVar }) => envVar ?? []),
    );
    expect(new Set(variables).size).toBe(5);
    const [, table = ""] =
      /## The environment\n([\s\S]*?)\n## /.exec(page("docs/command-line.md")) ?? [];
    for (const variable of variables) expect(table).toContain(`\`${variable}\``);
  });

  it("has the schemas of results in docs/json; `npm run docs` writes them", () => {
    const files = schemaFiles();
    for (const [path, text] of files) expect(readFileSync(path, "utf8") === text).toBe(true);
    expect(readdirSync(join(ROOT, "docs/json"))).toHaveLength(files.size);
  });

  it("has a row for every extra in ARCHITECTURE.md, and no other", () => {
    const architecture = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
    const [, table = ""] = /^\| extra \|.*\n([\s\S]*?)\n\n/m.exec(architecture) ?? [];
    const rows = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name);
    expect(rows.sort()).toEqual(
      installedExtras()
        .map(({ name }) => name)
        .sort(),
    );
  });

  it("has a row for every command, and no other", () => {
    const rows = [...page("README.md").matchAll(/^\| `crawldex (\w+)/gm)].map(([, name]) => name);
    expect(rows.sort()).toEqual(program.commands.map((command) => command.name()).sort());
  });

  it.each(Object.values(ROUTES).map(({ path }) => path))("describes the read %s", (path) => {
    expect(page("README.md")).toContain(path);
    expect(page("docs/api.md")).toContain(path);
  });

  it("has a row with the value of each limit of the server", () => {
    const [, rows = ""] =
      /\| limit \| value \|[^\n]*\n([\s\S]*?)\n\n/.exec(page("docs/serving.md")) ?? [];
    const values = [...rows.matchAll(/^\| [^|]+ \| ([0-9,]+)/gm)].map(([, value]) =>
      Number(value?.replaceAll(",", "")),
    );
    const { checkingMs: _, ...limits } = SERVER_LIMITS;
    expect(values.sort((a, b) => a - b)).toEqual(Object.values(limits).sort((a, b) => a - b));
  });

  it("names every metric, and no other", async () => {
    const pulls = { ageSeconds: 0, succeeded: 1, failed: 0 };
    const state = {
      cacheBytes: 0,
      snapshot: null,
      generation: null,
      listings: 0,
      isRefused: false,
    };
    const text = await new Metrics({
      state: () => state,
      readiness: async () => ({}),
      pulls: () => pulls,
    }).text();
    const metrics = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
    const [, rows = ""] = /\| metric \|[^\n]*\n([\s\S]*?)\n\n/.exec(page("docs/serving.md")) ?? [];
    const named = [...rows.matchAll(/`((?:crawldex|process)_\w+)/g)].map(([, name]) => name);
    expect(metrics.length).toBeGreaterThan(8);
    expect(named.sort()).toEqual(metrics.sort());
  });
});
