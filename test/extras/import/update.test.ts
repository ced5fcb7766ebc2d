import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { importTables } from "../../../src/extras/import/import.js";
import { calls } from "../../../src/files/calls.js";
import { withHook } from "../../crash/faults.js";
import { aScan } from "../../fixtures.js";
import { treeOf } from "../../store/trees.js";
import { aFolder, refusal } from "./tables.js";

/** A published directory whose records are in files of all kinds. */
async function aFilledFolder() {
  const folder = await aFolder();
  const { published } = folder;
  const line = (record: object) => JSON.stringify(record);
  for (const name of ["listings/deep", "scans"])
    await mkdir(join(published, name), { recursive: true });
  const listings = ["a.example", "b.example", "c.example"].map((host) => ({
    host,
    url: `https://${host}/`,
    name: host,
    status: "claimed",
    entitlements: { history: true, fixPrompts: 3 },
  }));
  const [a, b, c] = listings.map(line);
  await writeFile(join(published, "listings/all.ndjson"), `\ufeff${a}\r\n\r\n  ${b}  \r\n`);
  await writeFile(join(published, "listings/deep/c.json"), `\n${c}`);
  const { checks: _, ...scan } = aScan({ host: "a.example", id: "one" });
  await writeFile(
    join(published, "scans/all.jsonl"),
    `${line(scan)}\n${line({ ...scan, id: "two" })}`,
  );
  return { ...folder, listings };
}

describe("a record that the directory has", () => {
  it("is refused, with its place and the remedy, whatever file has it", async () => {
    const { given } = await aFilledFolder();
    const table = "host\nnew.example\nwww.b.example\nc.example\n";
    expect(await refusal(given("more.csv", table))).toEqual([
      "more.csv:3 $ b.example is in listings/all.ndjson:3 already; --update changes the record there",
      "more.csv:4 $ c.example is in listings/deep/c.json:1 already; --update changes the record there",
    ]);
    const scans = "host,id,finishedAt\na.example,two,2026-01-01\nb.example,two,2026-01-01\n";
    expect(await refusal(given("more.csv", scans))).toEqual([
      "more.csv:2 $ scan two of a.example is in scans/all.jsonl:2 already; --update changes the record there",
    ]);
    expect(await refusal(given("all.csv", "host\nx.example\n"))).toEqual([
      "all.csv:1 $ listings/all.ndjson exists already; --update changes its records, --replace replaces them",
    ]);
  });

  it("is replaced as a part of the file of a table of the same name, and no other", async () => {
    const { given, recordsIn } = await aFilledFolder();
    await given("all.csv", "host,name\na.example,New\nx.example,X\n", { replace: true });
    expect(await recordsIn("listings/all.ndjson")).toMatchObject([{ name: "New" }, { name: "X" }]);
    const [problem] = await refusal(given("all.csv", "host\nc.example\n", { replace: true }));
    expect(problem).toContain("c.example is in listings/deep/c.json:1 already");
  });
});

describe("an import with --update", () => {
  it("changes the fields that the table has, clears empty ones, and keeps all other bytes", async () => {
    const { published, given, listings } = await aFilledFolder();
    const table = [
      "host,name,entitlements.history,tags",
      "b.example,B,no,\\N",
      "c.example,,yes,News",
      "new.example,N,,",
    ];
    const { files } = await given("more.csv", table.join("\n"), { update: true });
    const paths = ["listings/all.ndjson", "listings/deep/c.json", "listings/more.ndjson"];
    expect(files).toMatchObject([{ paths, added: 1, updated: 2, unchanged: 0 }]);
    const [a, b, c] = listings;
    const changed = JSON.stringify({
      ...b,
      name: "B",
      entitlements: { history: false, fixPrompts: 3 },
    });
    expect(await readFile(join(published, "listings/all.ndjson"), "utf8")).toBe(
      `\ufeff${JSON.stringify(a)}\r\n\r\n${changed}\r\n`,
    );
    const { name: _, ...rest } = { ...c, tags: ["news"] };
    const text = await readFile(join(published, "listings/deep/c.json"), "utf8");
    expect(JSON.parse(text)).toEqual(rest);
    expect(await readFile(join(published, "listings/more.ndjson"), "utf8")).toBe(
      '{"host":"new.example","name":"N","url":"https://new.example/","status":"unclaimed"}\n',
    );
  });

  it("counts and leaves what is the same, and files without a change", async () => {
    const { published, given } = await aFilledFolder();
    const before = await treeOf(published);
    const table = "host,name\na.example,a.example\nc.example,c.example\n";
    const { files } = await given("more.csv", table, { update: true });
    const paths = ["listings/all.ndjson", "listings/deep/c.json"];
    expect(files).toMatchObject([{ paths, added: 0, updated: 0, unchanged: 2 }]);
    expect(await treeOf(published)).toEqual(before);
  });

  it("matches scans by host and id, and adds new ones after a last line without an end", async () => {
    const { given, recordsIn } = await aFilledFolder();
    const table =
      "host,id,finishedAt,score\na.example,two,2026-08-02,50\na.example,three,2026-08-03,\n";
    const { files } = await given("all.csv", table, { update: true });
    expect(files).toMatchObject([
      { paths: ["scans/all.jsonl", "scans/all.ndjson"], added: 1, updated: 1 },
    ]);
    expect(await recordsIn("scans/all.jsonl")).toMatchObject([
      { id: "one", score: 60 },
      { id: "two", score: 50, block1: 60, finishedAt: "2026-08-02T00:00:00Z" },
    ]);
    await given("all.csv", "host,id,finishedAt\na.example,four,2026-08-04\n", { update: true });
    expect(await recordsIn("scans/all.ndjson")).toMatchObject([{ id: "three" }, { id: "four" }]);
  });

  it("replaces results of the checks that have a column", async () => {
    const { given, recordsIn } = await aFolder();
    const head = "host,id,finishedAt,check.https,check.sitemap,check.mcp\n";
    await given("a.csv", `${head}a.example,1,2026-05-01,pass,pass,pass\n`);
    const table = "host,id,check.https,check.mcp,finishedAt\na.example,1,fail,,2026-05-01\n";
    await given("b.csv", table, { update: true });
    expect(await recordsIn("scans/a.ndjson")).toMatchObject([
      {
        checks: [
          { checkId: "https", status: "fail" },
          { checkId: "sitemap", status: "pass" },
        ],
      },
    ]);
  });
});

describe("files with unfinished names", () => {
  const digits = "0123456789abcdef".repeat(2);

  it("that a killed import left are removed by the next one, and no others", async () => {
    const { folder, published, given } = await aFilledFolder();
    const left = [
      `published/.new-${digits}-old-taxonomy.json`,
      `published/listings/deep/.new-${digits}-c.json`,
      `.new-${digits}-published/listings/a.ndjson`,
    ];
    const others = [
      `published/listings/.new-notes.json`,
      `.new-${digits}-published-elsewhere/a`,
      `.new-${digits}-other`,
    ];
    for (const path of [...left, ...others]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), "x");
    }
    await given("more.csv", "host\nnew.example\n");
    const names = await readdir(folder, { recursive: true });
    expect(left.filter((path) => names.includes(path))).toEqual([]);
    expect(names).not.toContain(`.new-${digits}-published`);
    expect(others.filter((path) => !names.includes(path))).toEqual([]);
    expect(await readdir(join(published, "listings/deep"))).toEqual(["c.json"]);
  });

  it("leave room for the longest name of a table", async () => {
    const { given, recordsIn } = await aFolder();
    const stem = "x".repeat(200);
    await given(`${stem}.csv`, "host\na.example\n");
    await given(`${stem}.csv`, "host,name\na.example,A\nb.example,B\n", { update: true });
    expect(await recordsIn(`listings/${stem}.ndjson`)).toMatchObject([
      { name: "A" },
      { name: "B" },
    ]);
  });
});

describe("an import that fails", () => {
  it("leaves no new directory if a row does not fit", async () => {
    const { folder } = await aFolder();
    await writeFile(join(folder, "a.csv"), "host,category\na.example,News\nlocalhost,x\n");
    const published = join(folder, "deep/new");
    await refusal(importTables([join(folder, "a.csv")], { published }));
    expect(await readdir(folder)).not.toContain("deep");
  });

  it.each(["new", "filled"])(
    "leaves a %s directory as it was, whichever call fails",
    async (what) => {
      const start = async () => {
        const { folder, published, given } = await aFilledFolder();
        await given("t.csv", "host,tags\nt.example,Old\n");
        await writeFile(
          join(folder, "u.csv"),
          "host,name,tags\na.example,A,News\nu.example,,Tea\n",
        );
        await writeFile(
          join(folder, "v.csv"),
          "host,finishedAt,check.https\nu.example,2026-01-01,pass\n",
        );
        const tables = [join(folder, "u.csv"), join(folder, "v.csv")];
        const target = what === "new" ? join(folder, "deep/new") : published;
        return { folder, work: () => importTables(tables, { published: target, update: true }) };
      };
      const { work } = await start();
      let total = 0;
      const commit: number[] = [];
      await withHook(
        { calls } as Parameters<typeof withHook>[0],
        ({ number, name }, real) => {
          total = number;
          if (name === "rename") commit.push(number);
          return real();
        },
        work,
      );
      // After the last file has its name, only second names and leftovers are removed.
      const last = (commit.at(-1) ?? 0) + 2;
      expect(last).toBeGreaterThan(10);
      for (let failing = 1; failing <= Math.min(last, total); failing += 1) {
        const one = await start();
        const before = await treeOf(one.folder);
        const full = Object.assign(new Error("full"), { code: "ENOSPC" });
        const failed = withHook(
          { calls } as Parameters<typeof withHook>[0],
          ({ number }, real) => {
            if (number === failing) throw full;
            return real();
          },
          one.work,
        );
        const ended = await failed.then(
          () => null,
          (error: Error) => error,
        );
        // A link that fails is replaced by a copy.
        if (ended === null) continue;
        expect(ended.message).toContain("cannot be written: ENOSPC");
        expect(await treeOf(one.folder), `call ${failing}`).toEqual(before);
      }
    },
  );
});
