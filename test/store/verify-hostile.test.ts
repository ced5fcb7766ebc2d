import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FIGURES_DOCUMENT } from "../../src/contract/figures.js";
import type { SiteSummary } from "../../src/contract/listing.js";
import { describe as describeFile } from "../../src/publish/segment-writer.js";
import { byHash } from "../../src/store/segments/directory.js";
import { verify } from "../../src/upkeep/verify.js";
import { forge, manifestOf, publishManifest } from "./forge.js";
import { smallStore } from "./trees.js";

describe("what is no regular file", () => {
  it.each(["current.json", "manifest", "document", "table", "pack"])(
    "a pipe in the place of %s is told, and nothing waits for it",
    async (what) => {
      const { store, result } = await smallStore();
      const [segment] = (await manifestOf(store)).segments;
      const files: Record<string, string | undefined> = {
        "current.json": "current.json",
        manifest: `${result.id}/manifest.json`,
        document: `${result.id}/public/api/tags.json`,
        table: segment?.table.file,
        pack: segment?.pack.file,
      };
      const file = files[what] ?? "";
      await rm(join(store, file));
      execFileSync("mkfifo", [join(store, file)]);
      const { bad } = await verify(store);
      expect(bad.map((one) => [one.file, one.problem])).toEqual([
        [file, `${file} cannot be read: it is not a regular file`],
      ]);
    },
  );
});

describe("a hostile snapshot whose checksums are right", () => {
  it.each([
    ["latestScore", (summary: SiteSummary) => Object.assign(summary, { latestScore: 7 })],
    ["name", (summary: SiteSummary) => Object.assign(summary, { name: "Another" })],
    ["capabilities", ({ capabilities }: SiteSummary) => capabilities.push("zzz")],
  ])(
    "a summary whose %s differs from its report is found, though every checksum is right",
    async (field, edit) => {
      const { store } = await smallStore();
      let host = "";
      const { table } = await forge(store, ([entry]) => {
        host = entry?.host ?? "";
        if (entry?.search) edit(entry.search.summary);
      });
      const problem = `${table} has a summary of ${host} whose ${field} differs from its report`;
      // The figures, and what extras added, may tell something else, too.
      const bad = (await verify(store)).bad.filter(
        ({ file }) => !file.endsWith(FIGURES_DOCUMENT) && !file.endsWith(".gz"),
      );
      expect(bad).toEqual([{ file: table, problem, hosts: [host] }]);
    },
  );

  it("figures that count one site too many are found, though every checksum is right", async () => {
    const { store, result } = await smallStore();
    const path = join(store, result.id, "public", FIGURES_DOCUMENT);
    const bytes = Buffer.from((await readFile(path, "utf8")).replace('"listed":3', '"listed":4'));
    await writeFile(path, bytes);
    const id = await publishManifest(store, (manifest) => {
      const place = manifest.public.findIndex(({ file }) => file === FIGURES_DOCUMENT);
      manifest.public[place] = describeFile(bytes, () => FIGURES_DOCUMENT);
    });
    const file = `${id}/public/${FIGURES_DOCUMENT}`;
    expect((await verify(store)).bad).toEqual([
      {
        file: `${id}/manifest.json`,
        problem: `${id}/manifest.json does not name the content of its listings and documents`,
        hosts: [],
      },
      { file, problem: `${file} does not match its tables`, hosts: [] },
    ]);
  });

  it("a host that a terminal could act upon is found and not repeated", async () => {
    const { store } = await smallStore();
    const host = "\u001b[31m\u202e.example";
    const { pack } = await forge(store, (entries) => {
      Object.assign(entries[0] ?? {}, { host, search: null });
      entries.sort(byHash);
    });
    const { bad } = await verify(store);
    expect(bad).toContainEqual({
      file: pack,
      problem: `${pack} has a host that is not canonical`,
      hosts: [],
    });
    expect(JSON.stringify(bad)).not.toMatch(/u001b|\u202e/);
  });

  it.each([
    ["a document above its folder", { public: "../../../etc/passwd" }],
    ["a document beside its folder", { public: "api/../../manifest.json" }],
    ["a table above the store", { table: "segments/../../00000000000000000000000000000000.brief" }],
    ["a pack below the root", { pack: "/dev/zero" }],
  ])("a manifest that names %s is refused, and nothing there is read", async (_, names) => {
    const { store } = await smallStore();
    const id = await publishManifest(store, ({ segments, public: [document] }) => {
      for (const [kind, file] of Object.entries(names)) {
        if (kind === "public") Object.assign(document ?? {}, { file });
        else Object.assign(segments[0]?.[kind as "table"] ?? {}, { file });
      }
    });
    const { bad } = await verify(store);
    expect(bad.map(({ file }) => file)).toEqual([`${id}/manifest.json`]);
    expect(bad[0]?.problem).toContain("does not match format");
  });

  it("a store that lacks its segments has a bad manifest and wrong figures", async () => {
    const { store } = await smallStore();
    const id = await publishManifest(store, (manifest) => {
      manifest.segments = [];
    });
    const bad = (await verify(store)).bad.map(({ file }) => file);
    expect(bad.filter((file) => !file.endsWith(".gz"))).toEqual([
      `${id}/manifest.json`,
      `${id}/public/${FIGURES_DOCUMENT}`,
    ]);
  });
});
