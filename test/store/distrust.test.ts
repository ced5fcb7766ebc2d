import { mkdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { hostHash } from "../../src/contract/host.js";
import { calls } from "../../src/files/calls.js";
import { build } from "../../src/publish/build.js";
import { readNotes } from "../../src/publish/notes.js";
import { verify } from "../../src/upkeep/verify.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  writeFiles,
  writePublished,
} from "../fixtures.js";
import { slowIt, someOf } from "../slow.js";
import { openWhole, servedBy } from "./answers.js";
import { settle, settledStore } from "./edits.js";
import { builtStore, FOUR, manyListings, publishedTree } from "./trees.js";

describe("what the last build left is believed only where something vouches for it", () => {
  const manifests: [string, RegExp, string][] = [
    ["the checksum of a table", /("table":\{[^}]*"sha256":")[0-9a-f]{8}/, "$100000000"],
    ["the content", /("content":")[0-9a-f]{8}/, "$100000000"],
    ["a count", /"reports":60/, '"reports":61'],
  ];
  it.each(someOf(manifests, 1))(
    "a manifest with another value for %s is made good, not passed on",
    async (_, from, to) => {
      const { store, result, again } = await settledStore();
      const served = await servedBy(store);
      const path = join(store, result.id, "manifest.json");
      const text = await readFile(path, "utf8");
      expect(text).toMatch(from);
      await writeFile(path, text.replace(from, to));
      // Nobody knows what was published, so it is another publication.
      expect(await again()).toMatchObject({ changed: true, kept: 0 });
      expect(await servedBy(store)).toEqual(served);
      expect((await verify(store)).bad).toEqual([]);
    },
  );

  const flip = (bytes: Buffer, at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 1);
  const notes: [string, (bytes: Buffer) => Uint8Array][] = [
    ["the length of their object", (bytes) => flip(bytes, 0)],
    ["a word of the object", (bytes) => flip(bytes, bytes.indexOf("publications") + 20)],
    ["a column", (bytes) => flip(bytes, bytes.length - 40)],
    ["the end", (bytes) => bytes.subarray(0, -1)],
    ["what follows the end", (bytes) => Buffer.concat([bytes, bytes.subarray(0, 1)])],
  ];
  it.each(someOf(notes, 2))("notes with another value for %s are none", async (_, edit) => {
    const { store, result, again } = await settledStore();
    const before = await publishedTree(store);
    const path = join(store, ".notes");
    await writeFile(path, edit(await readFile(path)));
    await settle(store);
    expect((await readNotes(store)).built).toBeNull();
    expect(await again()).toMatchObject({ id: result.id, changed: false, kept: 0 });
    expect(await publishedTree(store)).toEqual(before);
    expect((await readNotes(store)).built?.id).toBe(result.id);
  });

  slowIt("notes longer than a string can be hinder no build", async () => {
    const { store, result, again } = await settledStore();
    await writeFile(join(store, ".notes"), "");
    await truncate(join(store, ".notes"), 600 * 1024 * 1024);
    expect(await again()).toMatchObject({ id: result.id, kept: 0 });
    expect((await readNotes(store)).built?.id).toBe(result.id);
  });

  it("a record with $schema that moves from a .json file into a line is an error, as in a full build", async () => {
    const folder = await temporaryFolder();
    const files = aPublishedDirectory({ listings: [], scans: [] });
    const published = await writePublished(join(folder, "published"), files);
    const listing = { $schema: "../listing.schema.json", ...aListing() };
    await writeFiles(published, { "listings/one.json": listing });
    const store = join(folder, "store");
    const again = (options = {}) => build(published, { store, jobs: 1, keep: 3, ...options });
    await again();
    await settle(store);
    expect((await again()).changed).toBe(false);
    await rename(join(published, "listings/one.json"), join(published, "listings/one.ndjson"));
    for (const options of [{}, { full: true }]) {
      await expect(again(options)).rejects.toMatchObject({
        problems: [{ file: "listings/one.ndjson", path: '$["$schema"]' }],
      });
    }
  });
});

describe("scans without a listing", () => {
  it("are warned of in every build, also where another host with the same hash has a listing", async () => {
    const listed = "h84337.example";
    const orphan = "h1340180.example";
    expect(hostHash(listed)).toBe(hostHash(orphan));
    const files = manyListings();
    files.listings.push(aListing({ host: listed }));
    files.scans.push(aScan({ host: listed }), aScan({ host: orphan }));
    const { folder, store, result } = await builtStore(files, FOUR);
    const published = join(folder, "published");
    expect(result.warnings).toHaveLength(1);
    await settle(store);
    const again = await build(published, { store, ...FOUR });
    expect(again).toMatchObject({ kept: result.segments, warnings: result.warnings });
    // Another listing changes: the two are read along, and told of once.
    const listings = files.listings.with(0, { ...files.listings[0]!, name: "Changed" });
    await writePublished(published, { ...files, listings });
    const third = await build(published, { store, ...FOUR });
    expect(third).toMatchObject({ segments: third.kept + 2, warnings: result.warnings });
    await settle(store);
    const fourth = await build(published, { store, ...FOUR });
    expect(fourth).toMatchObject({ kept: third.segments, warnings: result.warnings });
  });
});

describe("what a build that fails takes away", () => {
  it("of a store that it has made: nothing that others have put there meanwhile", async () => {
    const folder = await temporaryFolder();
    const files = manyListings();
    const listings = files.listings.map((one, n) => (n === 59 ? { ...one, score: 1 } : one));
    const bad = { ...files, listings };
    const published = await writePublished(join(folder, "published"), bad);
    const out = join(folder, "store");
    const theirs = join(out, "theirs.txt");
    const onProgress = () => void writeFile(theirs, "theirs").catch(() => {});
    await expect(build(published, { store: out, ...FOUR, onProgress })).rejects.toThrow("1 error");
    expect(Object.keys(await publishedTree(out))).toEqual(["theirs.txt"]);
  });

  it("not the damaged snapshot that it could not replace: readers follow it still", async () => {
    const { store, result, again } = await settledStore();
    await writeFile(join(store, result.id, "public/api/tags.json"), "{}");
    const real = calls.rename;
    vi.spyOn(calls, "rename").mockImplementation((from, to) => {
      if (/\.new-[0-9a-f]{32}-[0-9a-f]{32}$/.test(from)) {
        throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
      }
      real(from, to);
    });
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    await expect(again()).rejects.toThrow("EIO");
    (await openWhole(store, result.id)).close();
    vi.restoreAllMocks();
    await again();
    expect((await verify(store)).bad).toEqual([]);
  });
});

describe("a folder in the place of the notes", () => {
  it("is an error that names it and the remedy", async () => {
    const { store, again } = await settledStore();
    await rm(join(store, ".notes"));
    await mkdir(join(store, ".notes"));
    const failed = again({ full: true });
    await expect(failed).rejects.toThrow(join(store, ".notes"));
    await expect(failed).rejects.toThrow("or delete it");
  });
});
