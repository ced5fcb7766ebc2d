import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describe as describeFile } from "../../src/build/segment-writer.js";
import { FIGURES_DOCUMENT } from "../../src/contract/figures.js";
import type { SiteSummary } from "../../src/contract/listing.js";
import type { Shard } from "../../src/store/format.js";
import { verify } from "../../src/upkeep/verify.js";
import { forge, manifestOf, publishManifest } from "./forge.js";
import { builtStore, manyListings } from "./trees.js";

describe("what is no regular file", () => {
  it.each([
    "current.json",
    "manifest",
    "document",
    "shard",
    "columns",
    "pack",
    "details",
    "search",
  ])("a pipe in the place of %s is told, and nothing waits for it", async (what) => {
    const { store, result } = await builtStore(manyListings(3));
    const { buckets, search } = await manifestOf(store);
    const [bucket] = buckets;
    const files: Record<string, string | undefined> = {
      "current.json": "current.json",
      manifest: `${result.id}/manifest.json`,
      document: `${result.id}/public/api/tags.json`,
      shard: bucket?.shard.file,
      columns: bucket?.columns.file,
      pack: bucket?.pack.file,
      details: bucket?.details.file,
      search: search[0]?.file,
    };
    const file = files[what] ?? "";
    await rm(join(store, file));
    execFileSync("mkfifo", [join(store, file)]);
    const { bad } = await verify(store);
    expect(bad.map((one) => [one.file, one.problem])).toEqual([
      [file, `${file} cannot be read: it is not a regular file`],
    ]);
  });
});

describe("a hostile snapshot whose checksums are right", () => {
  it.each([
    ["latestScore", (summary: SiteSummary) => Object.assign(summary, { latestScore: 7 })],
    ["name", (summary: SiteSummary) => Object.assign(summary, { name: "Another" })],
    ["url", (summary: SiteSummary) => Object.assign(summary, { url: "https://x.example/" })],
    ["status", (summary: SiteSummary) => Object.assign(summary, { status: "other" })],
    ["capabilities", ({ capabilities }: SiteSummary) => capabilities.push("zzz")],
    ["highlighted", (summary: SiteSummary) => Object.assign(summary, { highlighted: true })],
  ])(
    "a summary whose %s differs from its report is found, though every checksum is right",
    async (field, edit) => {
      const { store } = await builtStore(withoutHistory(manyListings(3)));
      let host = "";
      const { shard } = await forge(store, ({ entries: [entry] }) => {
        host = entry?.host ?? "";
        if (entry?.search) edit(entry.search.summary);
      });
      const problem = `${shard} has a summary of ${host} whose ${field} differs from its report`;
      expect((await verify(store)).bad).toEqual([{ file: shard, problem, hosts: [host] }]);
    },
  );

  it("a sort key that is not the instant of the report's scan is found", async () => {
    const { store } = await builtStore(withoutHistory(manyListings(3)));
    const { shard } = await forge(store, ({ entries: [entry] }) => {
      if (entry?.search) Object.assign(entry.search, { recent: "000000000001." });
    });
    expect((await verify(store)).bad.map(({ file }) => file)).toEqual([shard]);
  });

  it("figures that count one site too many are found, though every checksum is right", async () => {
    const { store, result } = await builtStore(manyListings(3));
    const path = join(store, result.id, "public", FIGURES_DOCUMENT);
    const bytes = Buffer.from((await readFile(path, "utf8")).replace('"listed":3', '"listed":4'));
    await writeFile(path, bytes);
    const id = await publishManifest(store, (manifest) => {
      const place = manifest.public.findIndex(({ file }) => file === FIGURES_DOCUMENT);
      manifest.public[place] = describeFile(bytes, () => FIGURES_DOCUMENT);
    });
    const file = `${id}/public/${FIGURES_DOCUMENT}`;
    expect((await verify(store)).bad).toEqual([
      { file, problem: `${file} does not match its shards`, hosts: [] },
    ]);
  });

  it("a host that a terminal could act upon is found and not repeated", async () => {
    const { store } = await builtStore(withoutHistory(manyListings(3)));
    const host = "\u001b[31m\u202e.example";
    const { shard } = await forge(store, ({ entries }) => {
      Object.assign(entries[0] ?? {}, { host });
    });
    const { bad } = await verify(store);
    expect(bad).toContainEqual({
      file: shard,
      problem: `${shard} has a host that is not canonical`,
      hosts: [],
    });
    expect(JSON.stringify(bad)).not.toMatch(/u001b|\u202e/);
  });

  it.each([
    ["a document above its folder", { public: "../../../etc/passwd" }],
    ["a document below the root", { public: "/etc/passwd" }],
    ["a document beside its folder", { public: "api/../../manifest.json" }],
    ["a shard above the store", { shard: "index/../../0-00000000000000000000000000000000.json" }],
    ["a pack below the root", { pack: "/dev/zero" }],
    ["columns of another name", { columns: "index/columns.bin" }],
  ])("a manifest that names %s is refused, and nothing there is read", async (_, names) => {
    const { store } = await builtStore(manyListings(3));
    const id = await publishManifest(store, ({ buckets, public: [document] }) => {
      for (const [kind, file] of Object.entries(names)) {
        if (kind === "public") Object.assign(document ?? {}, { file });
        else Object.assign(buckets[0]?.[kind as "shard"] ?? {}, { file });
      }
    });
    const { bad } = await verify(store);
    expect(bad.map(({ file }) => file)).toEqual([`${id}/manifest.json`]);
    expect(bad[0]?.problem).toContain("does not match any format");
  });

  it("a store with no buckets is a bad manifest, and nothing else", async () => {
    const { store } = await builtStore(manyListings(3));
    const id = await publishManifest(store, (manifest) => {
      manifest.buckets = [];
    });
    expect((await verify(store)).bad.map(({ file }) => file)).toEqual([`${id}/manifest.json`]);
  });

  it.each([
    ["an answer of more bytes than there are", [0, 2 ** 53 - 1]],
    ["an answer that node cannot read at once", [0, 2 ** 31]],
    ["an answer behind the end", [2 ** 40, 10]],
  ])("a shard with %s is told, and ends no process", async (_, [offset = 0, length = 0]) => {
    const { store } = await builtStore(withoutHistory(manyListings(3)));
    const [{ shard } = { shard: { file: "" } }] = (await manifestOf(store)).buckets;
    const entries = JSON.parse(await readFile(join(store, shard.file), "utf8")) as Shard;
    entries.entries[0]?.report.splice(0, 2, offset, length);
    const bytes = Buffer.from(JSON.stringify(entries));
    const file = describeFile(bytes, (hash) => `index/0-${hash.slice(0, 32)}.json`);
    await writeFile(join(store, file.file), bytes);
    await publishManifest(store, ({ buckets }) => Object.assign(buckets[0] ?? {}, { shard: file }));
    const { bad } = await verify(store);
    expect(bad.map(({ problem }) => problem).join()).toContain(`cannot have ${length} bytes`);
  });

  it("an answer that is nested more deeply than any answer is told", async () => {
    const { store } = await builtStore(withoutHistory(manyListings(3)));
    const deep = `{"data":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const { pack } = await forge(store, (_, lines) => lines.splice(0, 1, deep));
    expect((await verify(store)).bad.map(({ file }) => file)).toEqual([pack]);
  });
});

/** Without historical reports: two answers a listing. */
function withoutHistory(files: ReturnType<typeof manyListings>): ReturnType<typeof manyListings> {
  return { ...files, listings: files.listings.map((one) => ({ ...one, entitlements: {} })) };
}
