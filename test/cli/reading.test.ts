import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { build } from "../../src/publish/build.js";
import { addedFiles } from "../../src/store/format.js";
import { aListing, aPublishedDirectory, aScan, writePublished } from "../fixtures.js";
import { manifestOf } from "../store/forge.js";
import { builtStore, manyListings } from "../store/trees.js";
import { crawldex } from "./spawned.js";

/* Commands that read a store. All but the last tests read the same one, which has two snapshots. */

let folder: string;
let former: string;
let current: string;
beforeAll(async () => {
  const hosts = ["example.com", "old.example"];
  const before = aPublishedDirectory({
    listings: hosts.map((host) => aListing({ host })),
    scans: hosts.map((host) => aScan({ host })),
  });
  // It goes with the folder of all temporary files.
  const { result, ...made } = await builtStore(before, { keep: 2 }, () => {});
  folder = made.folder;
  former = result.id;
  const listings = [
    aListing({ name: "Next" }),
    aListing({ host: "gone.example", visibility: "removed" }),
    aListing({ host: "blocked.example", visibility: "blocked" }),
    ...["odd.example", "b.example", "a.example"].map((host) => aListing({ host })),
  ];
  const odd = { host: "odd.example", status: "ok\u001b[31m\nsnapshot deadbeef" };
  const scans = [aScan(), aScan({ host: "blocked.example" }), aScan(odd)];
  const published = join(folder, "published");
  await writePublished(published, aPublishedDirectory({ listings, scans }));
  current = (await build(published, { store: join(folder, "store"), jobs: 1, keep: 2 })).id;
});

/** Runs a command that must succeed and say nothing on stderr. @returns what it prints */
async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await crawldex([...args, "--store", "store"], folder);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

const NONE = {
  blocked: 0,
  "opted-out": 0,
  redirected: 0,
  removed: 0,
  deleted: 0,
  unscanned: 0,
  withdrawn: 0,
  moved: 0,
};

it("build says how many listings are not in search for each reason, and how many have no report", async () => {
  const said =
    "4 listings not in search: 1 blocked, 1 removed, 2 unscanned; 3 of them without a report";
  expect((await printed("build", "published")).split("\n")).toContain(said);
  expect(JSON.parse(await printed("build", "published", "--json"))).toMatchObject({
    notInSearch: { ...NONE, blocked: 1, removed: 1, unscanned: 2 },
  });
});

it("diff prints a line for each host, and with --json one object of three sorted lists", async () => {
  expect(await printed("diff", former.slice(0, 6))).toBe(
    "+ blocked.example\n+ odd.example\n~ example.com\n- old.example\n2 added, 1 changed, 1 removed\n",
  );
  expect(JSON.parse(await printed("diff", current, former.slice(0, 6), "--json"))).toEqual({
    ok: true,
    added: ["old.example"],
    changed: ["example.com"],
    removed: ["blocked.example", "odd.example"],
  });
});

describe("explain", () => {
  it("says in plain words whether a host is published and in search, whatever its scan's words are", async () => {
    expect(await printed("explain", "example.com")).toMatch(
      /^example\.com is published and in search\nIt is listed and was scanned: /,
    );
    expect(await printed("explain", "none.example")).toMatch(
      /^none\.example is not published and not in search\nIt has no report/,
    );
    expect(await printed("explain", "odd.example")).toContain(
      "(ok\\u001b[31m\\u000asnapshot deadbeef, ",
    );
  });

  it("explains a host that is not canonical by its canonical form, which the answer names", async () => {
    const given = "https://WWW.Blocked.example:8080/page";
    const host = "blocked.example";
    expect((await printed("explain", given)).split("\n").slice(0, 2)).toEqual([
      `${given} has the canonical form ${host}`,
      `${host} is published and not in search`,
    ]);
    expect(JSON.parse(await printed("explain", given, "--json"))).toMatchObject({
      ok: true,
      given,
      host,
      snapshot: current,
      published: true,
      inSearch: false,
      reason: expect.stringContaining("withheld"),
    });
  });

  it("without a host lists the listings that are not in search, sorted by host, and counts them", async () => {
    expect((await printed("explain")).split("\n")).toEqual([
      "a.example        unscanned, no report",
      "b.example        unscanned, no report",
      "blocked.example  blocked, report withheld",
      "gone.example     removed, no report",
      "4 listings not in search: 1 blocked, 1 removed, 2 unscanned",
      `snapshot ${current}`,
      "",
    ]);
  });

  it("with --reason lists those of these reasons alone; --json has the reasons in full", async () => {
    const one = await printed("explain", "--json", "--reason", "removed");
    const reason = 'It has no report: its visibility is "removed".';
    expect(JSON.parse(one)).toEqual({
      ok: true,
      snapshot: current,
      rolledBackTo: null,
      complete: true,
      notInSearch: { ...NONE, removed: 1, former: 0, restored: 0, unknown: 0 },
      listings: [{ host: "gone.example", published: false, why: "removed", reason }],
    });
    const args = ["--reason", "removed", "--reason", "unscanned"];
    const { listings } = JSON.parse(await printed("explain", "--json", ...args)) as {
      listings: { host: string }[];
    };
    expect(listings.map(({ host }) => host)).toEqual(["a.example", "b.example", "gone.example"]);
    const none = await printed("explain", "--reason", "moved");
    expect(none).toBe(`0 listings not in search\nsnapshot ${current}\n`);
  });

  it("warns that listings are missing from the list when the builder's notes are lost", async () => {
    const notes = join(folder, "store/.notes");
    const bytes = await readFile(notes);
    await rm(notes);
    const { code, stdout, stderr } = await crawldex(["explain", "--store", "store"], folder);
    await writeFile(notes, bytes);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: the builder's notes are lost .*without a report/);
    expect(stdout).toContain("1 listing not in search: 1 unknown\n");
  });
});

describe("verify", () => {
  it("exits 0 for a good snapshot, and says what it checked", async () => {
    const files = 10 + addedFiles(await manifestOf(join(folder, "store"))).length;
    const counts = { files, answers: 6 };
    expect(await printed("verify")).toBe(
      `snapshot ${current} is good: ${files} files, 6 answers\n`,
    );
    expect(JSON.parse(await printed("verify", "--json"))).toEqual({
      ok: true,
      id: current,
      ...counts,
      bad: [],
    });
    expect(await printed("verify", "--quiet")).toBe("");
  });

  it("exits 4 for bad files, with a line on stderr for each that names the first hosts", async () => {
    const { store, result } = await builtStore(manyListings(5));
    const manifest = await manifestOf(store);
    const files = 10 + addedFiles(manifest).length;
    const [segment] = manifest.segments;
    const pack = segment!.pack.file;
    const bytes = await readFile(join(store, pack));
    // The directory after the answers stays good.
    await writeFile(join(store, pack), bytes.fill(0, 0, bytes.length - segment!.directory.bytes));
    const tags = `${result.id}/public/api/tags.json`;
    await rm(join(store, tags));
    const { code, stdout, stderr } = await crawldex(["verify", store, "--quiet"]);
    expect([code, stdout]).toEqual([4, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      ...[
        `${tags} cannot be read: ENOENT`,
        `${pack} does not match the manifest (site-0.example, site-1.example, site-2.example and 2 more hosts)`,
      ].sort(),
      `2 of ${files} files in ${store} are bad; crawldex build <published> --store ${store} --full repairs the store`,
    ]);
    const json = await crawldex(["verify", store, "--json"]);
    const { ok, bad } = JSON.parse(json.stdout) as { ok: boolean; bad: { file: string }[] };
    expect([json.code, ok]).toEqual([4, false]);
    expect(bad.map(({ file }) => file)).toEqual([tags, pack].sort());
    expect(bad.find(({ file }) => file === pack)).toMatchObject({
      hosts: [0, 1, 2, 3, 4].map((i) => `site-${i}.example`),
    });
  });
});
