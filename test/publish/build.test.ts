import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hostHash } from "../../src/contract/host.js";
import { BadPublishedError, build, validate } from "../../src/publish/build.js";
import { Manifest, storedFiles } from "../../src/store/format.js";
import { readPointer } from "../../src/store/pointer.js";
import { currentId, StoredSnapshot } from "../../src/store/reader.js";
import { answersOf } from "../../src/store/segments/directory.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  theStandards,
  writeFiles,
  writePublished,
} from "../fixtures.js";
import {
  builtStore,
  copiedStore,
  FOUR,
  manyListings,
  publishedTree,
  sha256,
  treeOf,
} from "../store/trees.js";

describe("the store's layout", () => {
  it("is few files, each described by the manifest, whose digest is the id", async () => {
    const { store, result } = await copiedStore();
    const { id } = readPointer("current.json", await readFile(join(store, "current.json")));
    expect(id).toBe(result.id);
    const manifestBytes = await readFile(join(store, id, "manifest.json"));
    expect(sha256(manifestBytes).slice(0, 32)).toBe(id);
    const manifest = Manifest.parse(JSON.parse(manifestBytes.toString("utf8")));
    expect(manifest.segments).toHaveLength(4);
    expect(manifest.counts).toEqual({ reports: 60, searchable: 60, historical: 30 });
    const files = storedFiles(id, manifest);
    for (const { file, bytes, sha256: hash } of files) {
      const content = await readFile(join(store, file));
      expect([file, content.length, sha256(content)]).toEqual([file, bytes, hash]);
    }
    expect(Object.keys(await treeOf(store))).toEqual(
      [...files.map(({ file }) => file), `${id}/manifest.json`, "current.json", ".notes"].sort(),
    );
    for (const { table, pack } of manifest.segments) {
      expect(table.file).toBe(`segments/${table.sha256.slice(0, 32)}.brief`);
      expect(pack.file).toBe(`segments/${pack.sha256.slice(0, 32)}.pack`);
    }
  });

  it("a directory's listings lead to whole bodies in the pack, one a line", async () => {
    const { store, result } = await copiedStore();
    const snapshot = await StoredSnapshot.openManifest(store, result.id);
    let answers = 0;
    for (const [segment, { pack }] of snapshot.manifest.segments.entries()) {
      const bytes = await readFile(join(store, pack.file));
      const lines = new Set(bytes.toString("utf8").split("\n"));
      const entries = await snapshot.listings.entries(segment);
      for (const [offset, length, hash] of entries.flatMap(answersOf)) {
        const body = bytes.subarray(offset, offset + length);
        expect(sha256(body)).toBe(hash);
        expect(lines.has(body.toString("utf8"))).toBe(true);
        expect(Object.keys(JSON.parse(body.toString("utf8")) as object)).toEqual(["data"]);
        answers += 1;
      }
    }
    snapshot.close();
    expect(answers).toBe(60 * 2 + 30);
  });
});

describe("determinism: same input, same id, same bytes", () => {
  it("whatever the folder, the files, their names and the order of their lines", async () => {
    const files = manyListings();
    const { store, result } = await builtStore(files, FOUR);
    const folder = await temporaryFolder();
    const { listings, scans } = files;
    const byHost = (prefix: string, records: readonly { host: string }[]) =>
      Object.fromEntries(
        records.map((record, i) => [`${prefix}/${i % 7}/${record.host}-${i}.json`, record]),
      );
    const published = await writeFiles(join(folder, "another name"), {
      "directory.json": files.directory,
      "standards.json": files.standards,
      "taxonomy.json": files.taxonomy,
      ...byHost("listings/deep", listings.slice(0, 10)),
      "listings/z.ndjson": `\uFEFF${listings
        .slice(10)
        .reverse()
        .map((record) => JSON.stringify(record))
        .join("\r\n\n")}\n`,
      "scans/a.ndjson": scans
        .filter((_, i) => i % 3 !== 0)
        .reverse()
        .map((record) => JSON.stringify(record))
        .join("\n"),
      ...byHost(
        "scans/b",
        scans.filter((_, i) => i % 3 === 0),
      ),
    });
    const again = await build(published, { store: join(folder, "store"), ...FOUR });
    expect(again.id).toBe(result.id);
    expect(await publishedTree(join(folder, "store"))).toEqual(await publishedTree(store));
  });

  it("however many threads compile it", async () => {
    const { folder, store } = await builtStore(manyListings(), FOUR);
    const threads = join(folder, "threads");
    await build(join(folder, "published"), { ...FOUR, store: threads, jobs: 3 });
    expect(await publishedTree(threads)).toEqual(await publishedTree(store));
  });
});

describe("bad input (exit 3: nothing is written)", () => {
  const bad = aPublishedDirectory({
    listings: [aListing(), { ...aListing({ host: "b.example" }), category: "wether" }],
    scans: [{ ...aScan(), score: 101 }],
  });

  it("every error is collected, and the current snapshot stays", async () => {
    const { folder, store, result } = await builtStore(manyListings(), FOUR);
    const before = await treeOf(store);
    const published = await writePublished(join(folder, "bad"), bad);
    const failed = build(published, { store, jobs: 1, keep: 1 });
    await expect(failed).rejects.toBeInstanceOf(BadPublishedError);
    await failed.catch(({ problems }: BadPublishedError) =>
      expect(problems.map(({ file, path }) => `${file} ${path}`)).toEqual([
        "listings/all.ndjson $.category",
        "scans/all.ndjson $.score",
      ]),
    );
    expect(await treeOf(store)).toEqual(before);
    expect(await currentId(store)).toBe(result.id);
    await expect(validate(published)).rejects.toBeInstanceOf(BadPublishedError);
  });

  it("a store among the records is refused, as the next build would read it", async () => {
    const published = await writePublished(await temporaryFolder(), aPublishedDirectory());
    const before = await treeOf(published);
    for (const store of [join(published, "listings/snapshots"), join(published, "scans")]) {
      await expect(build(published, { store })).rejects.toThrow("choose another store");
    }
    expect(await treeOf(published)).toEqual(before);
    await build(published, { store: join(published, "snapshots") });
  });

  it("what was written before the first error is found is taken away again", async () => {
    const folder = await temporaryFolder();
    const files = manyListings();
    const inLastPart = files.listings.findLast(({ host }) => hostHash(host) >>> 30 === 3);
    const listings = files.listings.map((listing) =>
      listing === inLastPart ? { ...listing, publishedScan: "lost" } : listing,
    );
    const published = await writePublished(join(folder, "published"), { ...files, listings });
    const out = join(folder, "store");
    await expect(build(published, { store: out, ...FOUR })).rejects.toBeInstanceOf(
      BadPublishedError,
    );
    expect(existsSync(out)).toBe(false);
    await mkdir(out);
    await expect(build(published, { store: out, ...FOUR })).rejects.toBeInstanceOf(
      BadPublishedError,
    );
    expect(await treeOf(out)).toEqual({});
  });
});

it("a manifest that no reader would accept is not published, and the current snapshot stays", async () => {
  const { folder, store, result } = await builtStore(manyListings(3), FOUR);
  const before = await publishedTree(store);
  const { tags = [], ...taxonomy } = manyListings(3).taxonomy;
  const standards = theStandards();
  const [check, ...checks] = standards.checks;
  const long = "x".repeat(9 * 1024 * 1024);
  const vast = {
    ...manyListings(3),
    taxonomy: { ...taxonomy, tags: [...tags, { slug: "long", name: long, group: "a", order: 9 }] },
    standards: { ...standards, checks: [{ ...check!, overview: long }, ...checks] },
  };
  const published = await writePublished(join(folder, "vast"), vast);
  await expect(build(published, { store, ...FOUR })).rejects.toThrow(
    /^the manifest of 1 segments would have \d+ bytes, more than the 16777216 that readers accept/,
  );
  expect(await currentId(store)).toBe(result.id);
  expect(await publishedTree(store)).toEqual(before);
});
