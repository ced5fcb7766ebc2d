import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { aListing, aPublishedDirectory, aScan } from "../fixtures.js";
import { builtStore } from "../store/trees.js";
import { crawldex } from "./spawned.js";

describe("crawldex explain", () => {
  it("says in plain words whether a host is published and in search: exit 0", async () => {
    const { store } = await builtStore(aPublishedDirectory());
    const { code, stdout, stderr } = await crawldex(["explain", "example.com", "--store", store]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^example\.com is published and in search\nIt is listed and was scanned: /,
    );
    const none = await crawldex(["explain", "none.example", "--store", store]);
    expect(none.code).toBe(0);
    expect(none.stdout).toMatch(
      /^none\.example is not published and not in search\nIt has no report/,
    );
  });

  it("prints a scan's own words as plain text, whatever they contain", async () => {
    const scans = [aScan({ status: "ok\u001b[31m\nsnapshot deadbeef" })];
    const { store } = await builtStore(aPublishedDirectory({ scans }));
    const { stdout } = await crawldex(["explain", "example.com", "--store", store]);
    expect(stdout).toContain("(ok\\u001b[31m\\u000asnapshot deadbeef, ");
  });

  it("explains a host that is not canonical by its canonical form, which the answer names", async () => {
    const listings = [aListing({ visibility: "blocked" })];
    const { folder, result } = await builtStore(aPublishedDirectory({ listings }));
    await build(join(folder, "published"), { store: join(folder, "snapshots"), jobs: 1, keep: 1 });
    const given = "https://WWW.Example.com:8080/page";
    const plain = await crawldex(["explain", given], folder);
    expect(plain.stdout).toMatch(
      /^https:\/\/WWW\.Example\.com:8080\/page has the canonical form example\.com\nexample\.com is published and not in search\n/,
    );
    const json = await crawldex(["explain", given, "--json"], folder);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      given,
      host: "example.com",
      snapshot: result.id,
      published: true,
      inSearch: false,
      reason: expect.stringContaining("withheld"),
    });
  });
});
