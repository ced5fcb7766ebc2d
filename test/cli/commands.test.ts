import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockStore } from "../../src/files/lock.js";
import { aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { crawldex } from "./spawned.js";

async function aPublished(): Promise<{ folder: string; published: string; store: string }> {
  const folder = await temporaryFolder();
  const published = await writePublished(join(folder, "published"), aPublishedDirectory());
  return { folder, published, store: join(folder, "store") };
}

describe("exit codes and output", () => {
  it.each<[string[], string | RegExp]>([
    [["unknown"], "unknown command 'unknown'"],
    [["build"], "missing required argument 'published'"],
    [["build", "a", "b"], "too many arguments for 'build'"],
    [["build", "a", "--keep", "0"], /It must be a whole number from 1 to/],
    [["build", ""], "an argument is empty"],
    [["build", "a", "--out", ""], "It is empty."],
    [["build", "a", "--max-unscored", "many"], /whole percentage/],
    [["verify", "a", "--what"], "unknown option '--what'"],
    [["diff", "abc"], /value 'abc' is invalid .* at least 4 characters of an id\.$/],
    [["sample", "x", "--listings", "501"], /from 0 to 500/],
    [["explain", "example.com", "--reason", "removed"], "leave out the host"],
    [["explain", "localhost"], /^value 'localhost' is invalid .* It is neither a host nor an/],
    [["schema", "report"], "Allowed choices are directory"],
  ])("wrong usage exits 2 and says how, with --json in one object: %j", async (args, said) => {
    const plain = await crawldex(args);
    expect([plain.code, plain.stdout]).toEqual([2, ""]);
    expect(plain.stderr).toMatch(/^error: /);
    const json = await crawldex([...args, "--json"]);
    const { ok, error } = JSON.parse(json.stdout) as { ok: boolean; error: string };
    expect([json.code, ok]).toEqual([2, false]);
    expect(error).toMatch(said);
  });

  it("build prints what it published, with --json as one object", async () => {
    const { published, store } = await aPublished();
    const plain = await crawldex(["build", published, "--out", store]);
    expect(plain.code).toBe(0);
    expect(plain.stdout).toMatch(
      /^snapshot [0-9a-f]{32} is current\n\+1 listing, 0 changed, 0 gone; [\d.]+ kB written in [\d.]+ m?s\ngeneration 1\n1 listing, 1 scan read\n1 report \(1 in search\), 0 historical\n/,
    );
    const valid = await crawldex(["validate", published]);
    expect(valid.stdout).toBe("1 listing and 1 scan, no errors\n");
    const json = await crawldex(["build", published, "--out", store, "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      changed: false,
      counts: { listings: 1, scans: 1, reports: 1, searchable: 1, historical: 0 },
      warnings: [],
    });
    const quiet = await crawldex(["build", published, "--out", store, "--quiet"]);
    expect([quiet.code, quiet.stdout, quiet.stderr]).toEqual([0, "", ""]);
  });

  it("another build that holds the lock: exit 5 at once", async () => {
    const { published, store } = await aPublished();
    await crawldex(["build", published, "--out", store]);
    const lock = await lockStore(store);
    const { code, stderr } = await crawldex(["build", published, "--out", store]);
    await lock.free();
    expect(code).toBe(5);
    expect(stderr).toContain("another build is writing");
  });

  it("a store that cannot be written exits 1 and names it", async () => {
    const { folder, published } = await aPublished();
    const file = join(folder, "file");
    await writeFile(file, "");
    const { code, stderr } = await crawldex(["build", published, "--out", join(file, "store")]);
    expect(code).toBe(1);
    expect(stderr).toContain(file);
    expect(stderr).not.toContain("    at ");
  });

  it("builder's notes that cannot be opened exit 1 and are named, because no snapshot is bad", async () => {
    const { published, store } = await aPublished();
    await crawldex(["build", published, "--out", store]);
    const notes = join(store, ".notes");
    await rm(notes);
    await symlink(".notes", notes);
    const { code, stderr } = await crawldex(["build", published, "--out", store]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${notes} cannot be read: ELOOP`);
  });
});
