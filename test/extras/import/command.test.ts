import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectDescribed } from "../../cli/described.js";
import { crawldex } from "../../cli/spawned.js";
import { temporaryFolder } from "../../fixtures.js";

describe("crawldex import", () => {
  it("leads from two tables to a directory that builds", async () => {
    const folder = await temporaryFolder();
    await writeFile(
      join(folder, "sites.csv"),
      "host,name,tags,colour\nexample.com,Example,News,x\n",
    );
    const scans = [{ host: "example.com", finishedAt: "2026-05-01 10:00:00", score: 70 }];
    await writeFile(join(folder, "scans.json"), JSON.stringify(scans));
    expect(await crawldex(["import", "sites.csv", "published"], folder)).toEqual({
      code: 0,
      stdout: [
        "1 record written to published/listings/sites.ndjson",
        "filled in: url, status",
        "added to taxonomy.json (tags: 1)",
        "next: import their scans, then",
        "  crawldex build published",
        "",
      ].join("\n"),
      stderr: "warning: column colour is no field of listings\n",
    });
    expect((await crawldex(["import", "scans.json", "published"], folder)).code).toBe(0);
    const built = await crawldex(["build", "published", "--json"], folder);
    const replace = "; replace it before you publish";
    expect(JSON.parse(built.stdout)).toMatchObject({
      counts: { searchable: 1 },
      warnings: [
        { message: `is still what crawldex init and import write (name, baseUrl)${replace}` },
        { message: `is still what crawldex init and import write (rubric)${replace}` },
      ],
    });
    const [directory, standards] = await Promise.all(
      ["directory.json", "standards.json"].map(async (name): Promise<object> => {
        return JSON.parse(await readFile(join(folder, "published", name), "utf8")) as object;
      }),
    );
    expect(Object.keys(directory ?? {})).toEqual(["format", "name", "baseUrl", "description"]);
    expect(directory).toMatchObject({ description: null });
    expect(standards).toMatchObject({ checks: [], aiCrawlers: [], badgeExamples: [] });
  });

  it("exits 3 with the mistakes of all rows if one does not fit", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "sites.csv"), "host\nlocalhost\n127.0.0.1\n");
    const { code, stderr } = await crawldex(["import", "sites.csv", "published"], folder);
    expect(code).toBe(3);
    expect(stderr).toContain("error: 2 x sites.csv $.host: ");
    expect(stderr).toContain("2 errors, 0 warnings; no record was written");
  });

  it("prints with --json what docs/json describes", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "sites.csv"), "host\nexample.com\n");
    for (const [table, expected] of [
      ["sites.csv", 0],
      ["none.csv", 3],
    ] as const) {
      const { code, stdout } = await crawldex(["import", table, "imported", "--json"], folder);
      expect(code).toBe(expected);
      expect(expectDescribed("import", stdout).ok).toBe(expected === 0);
    }
  });
});
