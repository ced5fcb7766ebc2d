import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PHASES } from "../../src/lib/options.js";
import { build } from "../../src/publish/build.js";
import { describe as describeFile } from "../../src/publish/segment-writer.js";
import { NoSnapshotError } from "../../src/store/bad-snapshot.js";
import { addedFiles } from "../../src/store/format.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { verify } from "../../src/upkeep/verify.js";
import { aListing, aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { someOf } from "../slow.js";
import { type ForgedEntry, forge, manifestOf, publishManifest } from "../store/forge.js";
import {
  builtInTurn,
  builtStore,
  copiedStore,
  FOUR,
  letPass,
  manyListings,
  smallStore,
  treeOf,
} from "../store/trees.js";

const DEEP = `{"data":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;

/** Flips one bit of a file. */
async function flip(path: string, at: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[at] = bytes[at]! ^ 1;
  await writeFile(path, bytes);
}

describe("a good snapshot", () => {
  it("has no bad files, and every file and answer is counted", async () => {
    const { store, result } = await copiedStore();
    const progress = vi.fn();
    expect(await verify(store, { onProgress: progress })).toEqual({
      id: result.id,
      files: Object.keys(await treeOf(store)).length - 1,
      answers: 60 * 2 + 30,
      bad: [],
    });
    const { segments } = await manifestOf(store);
    const sizes = segments.map(({ pack }) => pack.bytes);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const dones = sizes.map((_, at) => sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0));
    expect(progress.mock.calls).toEqual(dones.map((done) => [done, total, PHASES.verifying]));
  });

  it("may have no listings at all", async () => {
    const { store } = await builtStore(aPublishedDirectory({ listings: [], scans: [] }));
    expect(await verify(store)).toMatchObject({ answers: 0, bad: [] });
  });

  it("includes a forged one with updated checksums, as long as nothing was changed", async () => {
    const { store } = await smallStore();
    const { id } = await forge(store, () => {});
    expect(await verify(store)).toMatchObject({ id, answers: 6, bad: [] });
  });
});

describe("a damaged snapshot", () => {
  it("is found by one flipped bit, a cut or a loss of any file, and only that file is named", async () => {
    const { store, result } = await smallStore();
    const files = Object.keys(await treeOf(store)).filter((file) => file !== ".notes");
    expect(files.length).toBeGreaterThanOrEqual(10);
    const flip = (share: number) => (path: string, good: Buffer) => {
      const flipped = Buffer.from(good);
      const at = Math.floor(share * (good.length - 1));
      flipped[at] = flipped[at]! ^ 1;
      return writeFile(path, flipped);
    };
    const damages = [
      flip(0),
      flip(0.5),
      flip(1),
      (path: string, good: Buffer) => truncate(path, good.length - 2),
      (path: string) => rm(path),
    ];
    const cases = files.flatMap((file) => damages.map((damage) => ({ file, damage })));
    // Each file is damaged in one way or two.
    for (const { file, damage } of someOf(cases, Math.ceil(1.4 * files.length))) {
      const path = join(store, file);
      const good = await readFile(path);
      await damage(path, good);
      const { bad } = await verify(store);
      const named = bad.map((one) => one.file);
      // A pointer whose flipped bit is in its id leads to a manifest that is not there.
      if (file === "current.json") expect(named).toHaveLength(1);
      else expect(named).toEqual([file]);
      expect(bad[0]?.problem).toContain(named[0]);
      await writeFile(path, good);
    }
    expect(await verify(store)).toMatchObject({ id: result.id, bad: [] });
  });

  it("has every bad file named, sorted, with the hosts whose answers are affected", async () => {
    const { store, result } = await smallStore();
    const pack = (await manifestOf(store)).segments[0]?.pack.file ?? "";
    const text = await readFile(join(store, pack), "latin1");
    const damaged = text.replaceAll('"site-1.example"', '"site-9.example"');
    await writeFile(join(store, pack), damaged, "latin1");
    await rm(join(store, result.id, "public/api/tags.json"));
    await writeFile(join(store, result.id, "public/api/standards.json"), "{}");
    const { bad } = await verify(store);
    expect(bad.map(({ file, hosts }) => [file, hosts])).toEqual(
      [
        [`${result.id}/public/api/standards.json`, []],
        [`${result.id}/public/api/tags.json`, []],
        [pack, ["site-1.example"]],
      ].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
    expect(bad.find(({ file }) => file.endsWith("tags.json"))?.problem).toContain("ENOENT");
  });

  it("has every problem reported that a damaged file does not hide", async () => {
    const files = manyListings();
    const [, ...others] = files.listings;
    const changed = aListing({ host: "site-0.example", name: "Next" });
    const next = { ...files, listings: [changed, ...others] };
    const { store } = await builtInTurn({ first: files, next }, FOUR);
    const id = await publishManifest(store, ({ counts }) => {
      counts.reports += 1;
    });
    const { segments, public: documents, extras } = await manifestOf(store);
    const [first, second] = segments;
    const manifest = `${id}/manifest.json`;
    const added = addedFiles({ extras }).map(({ file }) => file);
    const badFiles = async () => (await verify(store)).bad.map(({ file }) => file);
    expect(await badFiles()).toEqual([manifest]);
    const { answers: all } = await verify(store);

    for (const file of added) await flip(join(store, file), 0);
    await flip(join(store, first!.table.file), 0);
    expect(await badFiles()).toEqual([manifest, first!.table.file, ...added].sort());
    expect((await verify(store)).answers).toBe(all);

    // Without a directory, it is unknown which listings count.
    await flip(join(store, first!.pack.file), first!.pack.bytes - 1);
    await flip(join(store, second!.pack.file), 10);
    const damaged = [first!.table, first!.pack, second!.pack].map(({ file }) => file);
    const { bad, answers } = await verify(store);
    expect(bad.map(({ file }) => file)).toEqual([...damaged, ...added].sort());
    expect(bad.find(({ file }) => file === second!.pack.file)?.hosts).toHaveLength(1);
    expect(answers).toBeGreaterThan(100);

    for (const { file } of documents) await flip(join(store, id, "public", file), 0);
    for (const file of segments.flatMap(({ table, pack }) => [table, pack])) {
      if (!damaged.includes(file.file)) await flip(join(store, file.file), 0);
    }
    expect(await badFiles()).toEqual(
      [
        ...documents.map(({ file }) => `${id}/public/${file}`),
        ...segments.flatMap(({ table, pack }) => [table.file, pack.file]),
        ...added,
      ].sort(),
    );
  });

  it("has a lost or malformed current.json, while an empty store has no snapshot", async () => {
    const folder = await temporaryFolder();
    await expect(verify(folder)).rejects.toThrow(NoSnapshotError);
    await writeFile(join(folder, "current.json"), '{"format":3}');
    expect((await verify(folder)).bad).toHaveLength(1);
    const { store, result } = await smallStore();
    const { files, answers } = await verify(store);
    await rm(join(store, "current.json"));
    // The newest snapshot is checked in its place.
    expect(await verify(store)).toEqual({
      id: result.id,
      files,
      answers,
      bad: [{ file: "current.json", problem: expect.stringContaining("is missing"), hosts: [] }],
    });
    await writeFile(join(store, "current.json"), "{");
    await rm(join(store, result.id, "public/api/tags.json"));
    const { id, bad } = await verify(store);
    expect(id).toBe(result.id);
    const tags = `${result.id}/public/api/tags.json`;
    expect(bad.map(({ file }) => file)).toEqual([tags, "current.json"].sort());
  });
});

describe("a snapshot with correct checksums and wrong content", () => {
  type Edit = (entries: ForgedEntry[], lines: string[]) => unknown;
  const SITE_1 = "site-1.example";
  const inLine = (line: number, from: string, to: string): Edit => {
    return (_, lines) => lines.splice(line, 1, lines[line]!.replace(from, to));
  };
  const twice: Edit = (entries) => entries.splice(1, 1, { ...entries[0]!, search: null });
  const enrichmentOf = (scanId: string): Edit => {
    const copy = { state: "ready", nextRetryAt: null };
    const text = JSON.stringify({ data: { scanId, revision: "1", copy, starterFiles: null } });
    return (_, lines) => lines.splice(1, 1, text);
  };
  const answerAt = (offset: number, length: number): Edit => {
    return ([entry]) => Object.assign(entry!, { report: [offset, length, "0".repeat(64)] });
  };
  const changed = (text: string): Edit => {
    return (_, lines) => lines.splice(0, 1, text);
  };

  it.each<[string, Edit]>([
    ["with a value of another type", inLine(0, '"historical":false', '"historical":0')],
    ["with another member", inLine(0, "{", '{"a":1,')],
    ["without its members", changed('{"data":{}}')],
    ["that is no JSON", changed("no JSON")],
    ["that is nested more deeply than any", changed(DEEP)],
    ["of another host", inLine(0, "site-1", "site-2")],
    ["of another scan", inLine(0, '"id":"new"', '"id":"newer"')],
    ["that calls itself historical", inLine(0, '"historical":false', '"historical":true')],
    ["about the enrichment of another scan", enrichmentOf("old")],
  ])("is found by an answer %s, with its host", async (_, edit) => {
    const { store } = await smallStore();
    const { pack } = await forge(store, edit);
    expect((await verify(store)).bad).toEqual([
      { file: pack, problem: expect.stringContaining("answer about site-1"), hosts: [SITE_1] },
    ]);
  });

  const outside = /its directory names an answer that is not in its pack/;
  it.each<[string, Edit, problem: RegExp]>([
    ["a directory that is out of order", (entries) => entries.reverse(), /is not sorted/],
    ["a directory with a host twice", twice, /site-1.example in the wrong place/],
    ["bytes that belong to no listing", (_, lines) => lines.push("of a removed listing"), /./],
    ["an answer of more bytes than there are", answerAt(1, 2 ** 32 - 1), outside],
    ["an answer that node cannot read at once", answerAt(1, 2 ** 31), outside],
    ["an answer behind the end", answerAt(2 ** 40, 10), outside],
  ])("is found by a pack that has %s", async (_, edit, problem) => {
    const { store } = await smallStore();
    const { pack } = await forge(store, edit);
    const [bad] = (await verify(store)).bad.filter(({ file }) => file === pack);
    expect(bad?.problem).toMatch(problem);
  });

  it("has the enrichment of its published scan", async () => {
    const { store } = await smallStore();
    await forge(store, enrichmentOf("new"));
    expect((await verify(store)).bad).toEqual([]);
  });

  it("is found by a table that has a row without a report", async () => {
    const { store } = await smallStore();
    const { table } = await forge(store, ([, entry]) =>
      Object.assign(entry?.search?.summary ?? {}, { host: "a.example" }),
    );
    expect((await verify(store)).bad.map(({ file }) => file)).toContain(table);
  });

  it("is found by a listing beyond the hashes of its segment", async () => {
    const { store } = await builtStore(manyListings(), FOUR);
    await publishManifest(store, ({ segments: [first, second] }) => {
      if (first !== undefined && second !== undefined) first.lastHash = second.lastHash;
      if (second !== undefined) second.firstHash += 1;
    });
    const packs = (await manifestOf(store)).segments.map(({ pack }) => pack.file);
    expect((await verify(store)).bad.map(({ file }) => file)).toEqual([packs[1]]);
  });

  it.each(["reports", "searchable", "historical"] as const)(
    "is found by a manifest that counts the wrong number of %s",
    async (what) => {
      const { store } = await smallStore();
      const id = await publishManifest(store, ({ counts }) => {
        counts[what] += 1;
      });
      const { bad } = await verify(store);
      expect(bad.map(({ file }) => file)).toEqual([`${id}/manifest.json`]);
      expect(bad[0]?.problem).toContain(what);
    },
  );

  it("is found by a document that is missing from the manifest, or malformed", async () => {
    const { store } = await smallStore();
    const lost = await publishManifest(store, (manifest) => {
      manifest.public = manifest.public.filter(({ file }) => file !== "api/tags.json");
    });
    expect((await verify(store)).bad.map(({ file }) => file)).toEqual([`${lost}/manifest.json`]);

    const other = await smallStore();
    const bytes = Buffer.from('{"data":[{"slug":"Bad"}]}');
    const id = await publishManifest(other.store, (manifest) => {
      manifest.public = manifest.public.map((file) =>
        file.file === "api/tags.json" ? describeFile(bytes, () => file.file) : file,
      );
    });
    const file = `${id}/public/api/tags.json`;
    await writeFile(join(other.store, file), bytes);
    expect((await verify(other.store)).bad.map((one) => one.file)).toEqual([
      `${id}/manifest.json`,
      file,
    ]);
  });
});

it("a snapshot that a build replaces and deletes meanwhile is not reported as bad", async () => {
  const { folder, store } = await builtStore(manyListings(3), { keep: 1 });
  const next = aPublishedDirectory({ listings: [aListing({ name: "Next" })] });
  const published = await writePublished(join(folder, "next"), next);
  const open = StoredSnapshot.openManifest;
  let id = "";
  const spy = vi.spyOn(StoredSnapshot, "openManifest");
  spy.mockImplementationOnce(async (...args) => {
    const opened = await open(...args);
    ({ id } = await build(published, { store, jobs: 1, keep: 1, maxRemoved: "100%" }));
    await letPass(store);
    await build(published, { store, jobs: 1, keep: 1, maxRemoved: "100%" });
    return opened;
  });
  onTestFinished(() => {
    spy.mockRestore();
  });
  expect(await verify(store)).toMatchObject({ id, answers: 2, bad: [] });
  // Twice by verify, and at least once by each build, which compares scores.
  expect(spy.mock.calls.length).toBeGreaterThanOrEqual(4);
});
