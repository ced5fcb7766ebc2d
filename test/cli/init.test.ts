import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publishedSchema } from "../../src/input/checking/json-schema.js";
import { PUBLISHED_RECORDS } from "../../src/input/locating/files.js";
import { temporaryFolder } from "../fixtures.js";
import { ROOT } from "../house/sources.js";
import { startServing } from "./served.js";
import { crawldex } from "./spawned.js";

const FILES = [
  ..."README.md directory.json listings/example.com.json listings/more.ndjson".split(" "),
  ..."scans/example.com.json scans/more.ndjson standards.json taxonomy.json".split(" "),
];

const warned = (file: string, key: string, keys: string) => ({
  file,
  path: `$.${key}`,
  message: `is still what crawldex init and import write (${keys}); replace it before you publish`,
});

async function initialised() {
  const folder = await temporaryFolder();
  const ended = await crawldex(["init", "published"], folder);
  return { folder, published: join(folder, "published"), ended };
}

describe("crawldex init", () => {
  it("writes a minimal published directory that builds, with warnings of its placeholders alone", async () => {
    const { folder, published, ended } = await initialised();
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(ended.stdout).toContain("crawldex build published\n");
    const names = await readdir(published, { recursive: true });
    expect(names.filter((name) => name.includes(".")).sort()).toEqual(FILES);
    const built = await crawldex(["build", "published", "--json"], folder);
    expect(JSON.parse(built.stdout)).toMatchObject({
      ok: true,
      counts: { listings: 2, scans: 2, reports: 2, searchable: 2 },
      warnings: [
        warned("directory.json", "name", "name, baseUrl, description"),
        warned("standards.json", "rubric", "rubric, checks"),
      ],
    });
    for (const name of ["LICENSE", "license", "contact", "CC-BY"]) {
      expect(await readFile(join(published, "directory.json"), "utf8")).not.toContain(name);
    }
  });

  it("its warnings go with the placeholders, and the export of what is left is refused", async () => {
    const { folder, published } = await initialised();
    const change = async (name: string, changes: object) => {
      const path = join(published, name);
      const document = JSON.parse(await readFile(path, "utf8")) as object;
      await writeFile(path, JSON.stringify({ ...document, ...changes }));
    };
    await change("directory.json", { name: "Mine", description: null });
    const rubric = { version: "1", block1Points: 60, block2Points: 40 };
    await change("standards.json", {
      rubric: { ...rubric, bands: [{ band: "any", label: "Any", min: 0, max: 100 }] },
      badgeExamples: [],
    });
    const build = () => crawldex(["build", "published", "--json"], folder);
    expect(JSON.parse((await build()).stdout)).toMatchObject({
      warnings: [
        warned("directory.json", "baseUrl", "baseUrl"),
        warned("standards.json", "checks", "checks"),
      ],
    });
    const tree = ["export", "site", "--store", "snapshots", "--jobs", "1", "--for"];
    const refused = await crawldex([...tree, "cloudflare"], folder);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /^error: the links of the tree would lead to this machine \(siteUrl http:\/\/127\.0\.0\.1:3000 and baseUrl .*--allow-loopback\n$/,
    );
    expect(existsSync(join(folder, "site/index.html"))).toBe(false);
    const plain = await crawldex([...tree, "plain"], folder);
    expect([plain.code, plain.stderr]).toEqual([0, expect.stringContaining("to this machine")]);
    const asked = await crawldex([...tree, "cloudflare", "--allow-loopback"], folder);
    expect([asked.code, asked.stderr]).toEqual([0, ""]);
    await change("directory.json", { baseUrl: "https://api.mine.example" });
    const { checks } = JSON.parse(await readFile(join(published, "standards.json"), "utf8")) as {
      checks: object[];
    };
    await change("standards.json", {
      checks: checks.map((check) => ({ ...check, overview: "What we look at." })),
    });
    expect(JSON.parse((await build()).stdout)).toMatchObject({ warnings: [] });
    expect((await crawldex([...tree, "cloudflare"], folder)).code).toBe(0);
  });

  it("writes a README whose commands work as they stand there, and serve the two listings", async () => {
    const { folder, published } = await initialised();
    const readme = await readFile(join(published, "README.md"), "utf8");
    const [, commands = ""] = /```sh\n(crawldex validate[\s\S]*?)```/.exec(readme) ?? [];
    const lines = commands.trim().split("\n");
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const [, ...words] = line.replace(/ *#.*/, "").split(" ");
      if (words[0] === "serve") {
        const { host, port } = await startServing(join(published, words[1] ?? ""), []);
        const search = await fetch(`http://${host}:${port}/api/sites`);
        const { data } = (await search.json()) as { data: { host: string; latestScore: number }[] };
        expect(data.map((site) => [site.host, site.latestScore])).toEqual([
          ["example.com", 60],
          ["example.org", null],
        ]);
        expect((await fetch(`http://${host}:${port}/sites/example.com`)).status).toBe(200);
      } else expect((await crawldex(words, published)).code).toBe(0);
    }
    expect(await readdir(folder)).toContain("snapshots");
  });

  it("refuses a folder that is not empty, and a file: exit 2, and nothing is written", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "full"));
    await writeFile(join(folder, "full/notes.txt"), "mine");
    const full = await crawldex(["init", "full"], folder);
    expect(full.code).toBe(2);
    expect(full.stderr).toMatch(/^error: full is not empty; .* published directory\n$/);
    expect(await readdir(join(folder, "full"))).toEqual(["notes.txt"]);
    const file = await crawldex(["init", "full/notes.txt"], folder);
    expect(file.code).toBe(2);
    expect(file.stderr).toBe("error: full/notes.txt is a file, not a folder\n");
    expect(await readFile(join(folder, "full/notes.txt"), "utf8")).toBe("mine");
  });

  it("its README explains every field of the records, and every key in its files", async () => {
    const { published } = await initialised();
    const readme = await readFile(join(published, "README.md"), "utf8");
    const explained = new Set([...readme.matchAll(/`([\w$-]+)`/g)].map(([, name]) => name));
    for (const name of FILES) {
      if (name.startsWith("listings/") || name.startsWith("scans/")) continue;
      expect(readme).toContain(`\`${name}\``);
    }
    const fields = PUBLISHED_RECORDS.flatMap((record) =>
      Object.keys(publishedSchema(record).properties ?? {}),
    );
    expect(fields.length).toBeGreaterThan(50);
    const texts = await Promise.all(
      FILES.filter((name) => !name.endsWith(".md")).map((name) =>
        readFile(join(published, name), "utf8"),
      ),
    );
    const keys = texts.flatMap((text) => [...text.matchAll(/"(\w+)":/g)].map(([, key]) => key));
    // `details` has any fields.
    const all = new Set([...fields, ...keys].filter((name) => name !== "rules"));
    expect([...all].filter((name) => !explained.has(name))).toEqual([]);
  });

  it("its files are in the package as they are in the repository", async () => {
    const { published } = await initialised();
    const { files } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
      files: string[];
    };
    expect(files).toContain("sample");
    for (const name of FILES) {
      const original = await readFile(join(ROOT, "sample/minimal", name), "utf8");
      expect(await readFile(join(published, name), "utf8")).toBe(original);
    }
  });
});

it.each(PUBLISHED_RECORDS)(
  "crawldex schema %s prints it, with --json in an object on one line",
  async (record) => {
    const { code, stdout, stderr } = await crawldex(["schema", record]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual(publishedSchema(record));
    const json = await crawldex(["schema", record, "--json"]);
    const schema = publishedSchema(record);
    expect(json.stdout).toBe(`${JSON.stringify({ ok: true, record, schema })}\n`);
  },
);
