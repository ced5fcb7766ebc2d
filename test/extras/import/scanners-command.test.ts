import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectDescribed } from "../../cli/described.js";
import { crawldex } from "../../cli/spawned.js";
import { temporaryFolder } from "../../fixtures.js";

/** A folder with what scanners printed. */
async function aFolder(): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of ["lighthouse.json", "afdocs.json"]) {
    await cp(join(import.meta.dirname, name), join(folder, name));
  }
  return folder;
}

describe("crawldex import --from", () => {
  it("prints what became of listings and scans", async () => {
    const folder = await aFolder();
    const args = ["import", "--from", "lighthouse", "lighthouse.json", "published"];
    expect(await crawldex(args, folder)).toEqual({
      code: 0,
      stdout: [
        "lighthouse: 1 record (listings; 1 added, 0 updated, 0 unchanged) in published/listings/lighthouse.ndjson",
        "lighthouse: 1 record (scans; 1 added, 0 updated, 0 unchanged) in published/scans/lighthouse-2026-06-14.ndjson",
        "next:",
        "  crawldex build published",
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  it("exits 2 until --counts says which of two scanners counts", async () => {
    const folder = await aFolder();
    await crawldex(["import", "--from", "lighthouse", "lighthouse.json", "published"], folder);
    const afdocs = ["import", "--from", "afdocs", "afdocs.json", "published"];
    const undecided = await crawldex(afdocs, folder);
    expect(undecided.code).toBe(2);
    expect(undecided.stderr).toContain("--counts yes for those of afdocs");
    expect((await crawldex([...afdocs, "--counts", "maybe"], folder)).code).toBe(2);
    const decided = await crawldex([...afdocs, "--counts", "no", "--json"], folder);
    expect(decided.code).toBe(0);
    expect(expectDescribed("import", decided.stdout).drafted).toHaveLength(28);
  });

  it("exits 3 with the places of all mistakes", async () => {
    const folder = await aFolder();
    await writeFile(join(folder, "bad.json"), '{\n  "lighthouseVersion": 13\n}');
    const args = ["import", "--from", "lighthouse", "bad.json", "published"];
    const { code, stderr } = await crawldex(args, folder);
    expect(code).toBe(3);
    expect(stderr).toContain("bad.json:2:24  $.lighthouseVersion  found 13, expected a string");
  });

  it.each([
    [["--counts", "yes"], "--counts needs --from"],
    [["--from", "lighthouse", "--as", "scans"], "--as is for tables"],
    [["--from", "lighthouse", "--null", "NULL"], "--null is for tables"],
  ])("exits 2 for options that do not go together: %j", async (options, message) => {
    const folder = await aFolder();
    const { code, stderr } = await crawldex(
      ["import", ...options, "lighthouse.json", "published"],
      folder,
    );
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
