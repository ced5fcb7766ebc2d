import { readdir, writeFile } from "node:fs/promises";
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
      "host,name,tags,colour\nexample.com,Example,News;NEWS,x\n",
    );
    const scans = [{ host: "example.com", finishedAt: "2026-05-01 10:00:00", score: 70 }];
    await writeFile(join(folder, "scans.json"), JSON.stringify(scans));
    expect(await crawldex(["import", "sites.csv", "published"], folder)).toEqual({
      code: 0,
      stdout: [
        "sites.csv: 1 record (listings; 1 added, 0 updated, 0 unchanged) in published/listings/sites.ndjson",
        "filled in url: from the host column",
        'filled in status: "unclaimed"',
        'new in tags: news ("News", sites.csv:2)',
        'in tags, "NEWS" is "News" (news, sites.csv:2)',
        "next: import their scans, then",
        "  crawldex build published",
        "",
      ].join("\n"),
      stderr: "warning: column colour is no field of listings\n",
    });
    const scanned = await crawldex(["import", "scans.json", "published"], folder);
    expect(scanned).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("write standards.json first"),
    });
    const built = await crawldex(["build", "published", "--json"], folder);
    expect(JSON.parse(built.stdout)).toMatchObject({ counts: { searchable: 1 } });
  });

  it("takes several tables, --map and --null more than once, and names with commas", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "a.csv"), '"Domain, full",Kategorie,Note\na.example,nichts,x\n');
    await writeFile(join(folder, "b.csv"), "host,name\nb.example,leer\n");
    const maps = ["--map", "Domain\\, full=host,Kategorie=category", "--map", "Note="];
    const words = ["--null", "nichts", "--null", "leer"];
    const { code, stdout, stderr } = await crawldex(
      ["import", "a.csv", "b.csv", "published", ...maps, ...words, "--json"],
      folder,
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ files: [{ unused: [] }, { added: 1 }], terms: [] });
  });

  it("exits 3 with the mistakes of all rows if one does not fit", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "sites.csv"), "host\nlocalhost\n127.0.0.1\n");
    const { code, stderr } = await crawldex(["import", "sites.csv", "published"], folder);
    expect(code).toBe(3);
    expect(stderr).toContain("error: 2 x sites.csv $.host: ");
    expect(stderr).toContain("2 errors, 0 warnings; no record was written");
  });

  it.each([
    [["sites.csv"], "name a table and, after it, the published directory's folder"],
    [
      ["sites.csv", "p", "--map", "hots=host"],
      '--map: there is no column "hots"; did you mean "host"?',
    ],
    [["sites.csv", "p", "--map", "host"], "It must be pairs such as Domain=host"],
    [["sites.csv", "p", "--encoding", "x"], "It must be the name of an encoding"],
    [["sites.csv", "p", "--as", "things"], "Allowed choices are listings, scans, categories"],
    [["sites.csv", "p", "--from", "nothing"], '--from: "nothing" is neither a scanner'],
    [["sites.csv", "p", "--update", "--replace"], "--update and --replace exclude each other"],
  ])("exits 2 for wrong usage: %j", async (words, message) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "sites.csv"), "host\na.example\n");
    const { code, stderr } = await crawldex(["import", ...words], folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(await readdir(folder)).toEqual(["sites.csv"]);
  });

  it("prints with --json what docs/json describes", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "sites.csv"), "host,tags\nexample.com,a-b; A B;x\n");
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
