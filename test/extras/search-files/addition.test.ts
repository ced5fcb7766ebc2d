import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { SEARCH_FILES } from "../../../src/extras/search-files/format.js";
import { describe as describeFile } from "../../../src/publish/segment-writer.js";
import type { AddedFile, Facts } from "../../../src/store/format.js";
import { layout } from "../../../src/store/layout.js";
import { rollback } from "../../../src/upkeep/rollback.js";
import { verify } from "../../../src/upkeep/verify.js";
import { aScan, type PublishedFiles } from "../../fixtures.js";
import { manifestOf, publishManifest } from "../../store/forge.js";
import { REMOVALS, storeWith } from "../../store/stores.js";

async function filesIn(store: string): Promise<readonly AddedFile[]> {
  return (await manifestOf(store)).extras![SEARCH_FILES]!.files;
}

const kindOf = ({ facts }: { readonly facts: Facts }) => facts.kind;
const namesOf = (files: readonly AddedFile[], ...kinds: string[]) =>
  files.filter((file) => kinds.includes(`${kindOf(file)}`)).map(({ file }) => file);

async function bad(store: string) {
  return (await verify(store)).bad.map(({ file }) => file);
}

/** Everything that the files of the current snapshot inflate to. */
async function textIn(store: string): Promise<string> {
  const files = await filesIn(store);
  const inflated = files.map(async ({ file }) => gunzipSync(await readFile(join(store, file))));
  return Buffer.concat(await Promise.all(inflated)).toString();
}

/** The same directory after another scan of a site. */
const rescanned = (files: PublishedFiles): PublishedFiles => ({
  ...files,
  scans: [...files.scans, aScan({ host: "site-7.example", id: "newer", score: 99 })],
});

const KINDS = "maps rows head delta scores recent column words sums base".split(" ");

it("a build adds the files of all kinds, of which the next one writes what has changed", async () => {
  const { store, files, rebuild } = await storeWith(60);
  const first = await filesIn(store);
  expect(new Set(first.map(kindOf))).toEqual(new Set(KINDS));
  await rebuild(rescanned(files));
  const second = await filesIn(store);
  expect(namesOf(second, "maps", "rows", "base")).toEqual(namesOf(first, "maps", "rows", "base"));
  expect(namesOf(second, "scores")).not.toEqual(namesOf(first, "scores"));
  expect(namesOf(second, "news")).toHaveLength(1);
  expect(await bad(store)).toEqual([]);
});

it("a former answer that may not stay is in no row either", async () => {
  const { store, files, rebuild } = await storeWith(20);
  const first = await filesIn(store);
  const scans = files.scans.map((scan) =>
    scan.host === "site-7.example" && scan.id === "new" ? { ...scan, score: 99 } : scan,
  );
  await rebuild({ ...files, scans });
  const second = await filesIn(store);
  expect(namesOf(second, "maps")).toEqual(namesOf(first, "maps"));
  expect(namesOf(second, "rows")).not.toEqual(namesOf(first, "rows"));
  expect(namesOf(second, "news")).toEqual([]);
  expect(await bad(store)).toEqual([]);
});

it("full builds of the same records write the same files", async () => {
  const one = await storeWith(20);
  const other = await storeWith(20);
  await one.rebuild(one.files, { full: true });
  expect(await filesIn(one.store)).toEqual(await filesIn(other.store));
});

describe("nothing of a removed listing stays", () => {
  const tagline = "Nobody may read this any more";

  it.each(REMOVALS)("%s", async (_, remove) => {
    const made = await storeWith(20);
    const { store, files, rebuild } = made;
    const listings = files.listings.map((one, at) => (at === 0 ? { ...one, tagline } : one));
    const named = { ...files, listings };
    await rebuild(named);
    expect(await textIn(store)).toContain(tagline);
    await remove({ ...made, files: named });
    expect(await textIn(store)).not.toContain(tagline);
    expect(await bad(store)).toEqual([]);
  });
});

describe("all files are made anew", () => {
  it.each(["maps", "rows", "base", "sums", "head"])("after %s are damaged", async (kind) => {
    const { store, files, rebuild } = await storeWith(20);
    const before = await filesIn(store);
    for (const name of namesOf(before, kind)) await truncate(join(store, name), 30);
    await rebuild(rescanned(files));
    expect(namesOf(await filesIn(store), "news")).toEqual([]);
    expect(await bad(store)).toEqual([]);
  });
});

it("a rollback has the files of the former listings", async () => {
  const { store, files, rebuild } = await storeWith(20);
  await rebuild(rescanned(files));
  await rollback(store);
  expect(await bad(store)).toEqual([]);
});

describe("verify names the files that do not match the listings", () => {
  /** Puts another content in the place of a file, with every checksum made right. */
  async function forged(store: string, kind: string, edit: (content: Buffer) => Uint8Array) {
    const former = (await filesIn(store)).find((file) => kindOf(file) === kind)!;
    const content = edit(gunzipSync(await readFile(join(store, former.file))));
    const bytes = gzipSync(content);
    const described = describeFile(bytes, (hash) => layout.added(hash, kind));
    await writeFile(join(store, described.file), bytes);
    await publishManifest(store, (manifest) => {
      const { files } = manifest.extras![SEARCH_FILES]!;
      const file = { ...described, length: content.length, facts: former.facts };
      manifest.extras![SEARCH_FILES]!.files = files.map((one) =>
        JSON.stringify(one) === JSON.stringify(former) ? file : one,
      );
    });
    return described.file;
  }

  const bumped = (content: Buffer) => {
    const bytes = Buffer.from(content);
    bytes[bytes.length - 1]! ^= 1;
    return bytes;
  };

  it.each(["scores", "recent", "column", "sums"])("%s", async (kind) => {
    const { store } = await storeWith(20);
    expect(await bad(store)).toEqual([]);
    const file = await forged(store, kind, bumped);
    expect(await bad(store)).toContain(file);
  });

  it.each([
    ["words", "example", "exemple"],
    ["delta", '"changed":[]', '"changed":[3]'],
    ["head", '"slots":20', '"slots":19'],
  ])("%s", async (kind, from, to) => {
    const { store } = await storeWith(20);
    const file = await forged(store, kind, (content) => {
      expect(`${content}`).toContain(from);
      return Buffer.from(`${content}`.replace(from, to));
    });
    expect(await bad(store)).toContain(file);
  });

  it("base, or the rows that it is not of", async () => {
    const { store } = await storeWith(20);
    await forged(store, "base", bumped);
    expect(await bad(store)).not.toEqual([]);
  });

  it.each(["maps", "rows"])("%s, in one piece", async (kind) => {
    const { store } = await storeWith(20);
    // Their sizes are not those of the head.
    const file = await forged(store, kind, bumped);
    expect(await bad(store)).toEqual([file]);
  });
});
