import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Report } from "../../../src/contract/report.js";
import { accessGist } from "../../../src/extras/access/gist.js";
import { ACCESS, storedAccess } from "../../../src/extras/access/stored-access.js";
import { describe as describeFile } from "../../../src/publish/segment-writer.js";
import { layout } from "../../../src/store/layout.js";
import { rollback } from "../../../src/upkeep/rollback.js";
import { verify } from "../../../src/upkeep/verify.js";
import { aScan } from "../../fixtures.js";
import { answersIn } from "../../store/answers.js";
import { manifestOf, publishManifest } from "../../store/forge.js";
import { runRandomHistory } from "../../store/random-run.js";
import { served } from "../../store/rows.js";
import { REMOVALS, storeWith } from "../../store/stores.js";

const fileOf = async (store: string) => (await manifestOf(store)).extras![ACCESS]!.files[0]!;

async function textIn(store: string): Promise<string> {
  const { file } = await fileOf(store);
  return gunzipSync(await readFile(join(store, file))).toString();
}

/** The index that the served reports of all listings in search give. */
async function expectedText(store: string): Promise<string> {
  const listings = Object.entries(await answersIn(store)).flatMap(([host, { search, report }]) => {
    if (search === null) return [];
    const { data }: { data: Report } = JSON.parse(report);
    return { host, score: data.scan.score, gist: accessGist(data) };
  });
  return new TextDecoder().decode(storedAccess(listings) ?? new Uint8Array());
}

/** A random history; another one with SEED. */
const SEED = Number(process.env.SEED ?? 20_261_130);

it(`after any publication, the index has what the reports in search say, and no more (seed ${SEED})`, async () => {
  let publications = 0;
  const check = async (store: string) => {
    publications += 1;
    expect(await textIn(store)).toBe(await expectedText(store));
  };
  await runRandomHistory(SEED, { published: check, ended: check });
  expect(publications).toBeGreaterThan(5);
});

it("the same listings give the same bytes in any order, and none if one has nothing", () => {
  const listings = ["c.com", "a.com", "b.com"].map((host, at) => ({
    host,
    score: at === 0 ? null : at,
    gist: host === "a.com" ? '{"rows":[1]}' : '{"rows":[]}',
  }));
  const text = new TextDecoder().decode(storedAccess(listings)!);
  expect(JSON.parse(text)).toEqual({
    accesses: [{ rows: [1] }, { rows: [] }],
    hosts: ["a.com", "b.com", "c.com"],
    scores: [1, 2, null],
    indexes: [0, 1, 1],
  });
  expect(storedAccess(listings.toReversed())).toEqual(storedAccess(listings));
  expect(storedAccess([...listings, { host: "d.com", score: 1, gist: null }])).toBeNull();
});

it("an index of too many bytes is left out", () => {
  const gist = JSON.stringify("x".repeat(20 * 2 ** 20));
  const listings = ["a.com", "b.com"].map((host, at) => ({
    host,
    score: 1,
    gist: `${gist}${" ".repeat(at)}`,
  }));
  expect(storedAccess(listings.slice(1))).not.toBeNull();
  expect(storedAccess(listings)).toBeNull();
});

describe("a listing that goes leaves the index", () => {
  it.each(REMOVALS)("%s", async (_, remove) => {
    const made = await storeWith(20);
    expect(await textIn(made.store)).toContain("site-0.example");
    await remove(made);
    expect(await textIn(made.store)).not.toContain("site-0.example");
    expect((await verify(made.store)).bad).toEqual([]);
  });
});

it("a rollback has the index of the former listings", async () => {
  const { store, files, rebuild } = await storeWith(20);
  const before = await textIn(store);
  const scan = aScan({ host: "site-7.example", id: "newer", robotsVerdict: "closed" });
  await rebuild({ ...files, scans: [...files.scans, scan] });
  expect(await textIn(store)).toContain("closed");
  await rollback(store);
  expect(await textIn(store)).toBe(before);
});

describe("an index that is not that of the listings", () => {
  /** Puts another content in the place of the file, with every checksum made right. */
  async function forged(store: string, content: string): Promise<string> {
    const bytes = gzipSync(content);
    const file = describeFile(bytes, (hash) => layout.added(hash, ACCESS));
    await writeFile(join(store, file.file), bytes);
    await publishManifest(store, (manifest) => {
      const { length } = Buffer.from(content);
      manifest.extras![ACCESS] = { facts: {}, files: [{ ...file, length, facts: {} }] };
    });
    return file.file;
  }

  it("is named by verify", async () => {
    const { store } = await storeWith(5);
    const file = await forged(store, (await textIn(store)).replace("site-1.", "site-9."));
    expect((await verify(store)).bad.map((one) => one.file)).toEqual([file]);
  });

  it.each([
    "",
    "null",
    "[]",
    "{}",
    '{"accesses":[],"hosts":["a.com"],"scores":[1],"indexes":[0]}',
    '{"accesses":[{"rows":[]}],"hosts":["b.com","a.com"],"scores":[1,1],"indexes":[0,0]}',
    '{"accesses":[{"rows":[]}],"hosts":["a.com"],"scores":[],"indexes":[0]}',
  ])("gives no answer: %j", async (content) => {
    const { store } = await storeWith(3);
    await forged(store, content);
    const ask = await served(store);
    await expect(ask("/api/access")).rejects.toThrow();
    await expect(ask("/api/preflight?host=site-1.example")).rejects.toThrow();
  });

  it("gives a 503 if there is none, and the dump has no lists for crawlers", async () => {
    const { store } = await storeWith(3);
    await publishManifest(store, (manifest) => {
      delete manifest.extras![ACCESS];
    });
    const ask = await served(store);
    for (const target of ["/api/access", "/api/preflight?host=site-1.example"])
      expect((await ask(target)).status).toBe(503);
    expect((await ask("/api/dump/")).text).not.toContain('"crawler"');
  });
});
