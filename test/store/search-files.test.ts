import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { writeGroup } from "../../src/build/search-groups.js";
import { describe as describeFile } from "../../src/build/segment-writer.js";
import { LoadedSnapshot } from "../../src/runtime/snapshot/snapshot.js";
import { type AnswerPlace } from "../../src/store/segments/answer-table.js";
import { readColumns } from "../../src/store/columns/columns.js";
import { readAnswersBlock, readSummaryBlock } from "../../src/store/columns/details-file.js";
import { readSearchFile, type SearchRows } from "../../src/store/columns/search-file.js";
import { deflated, inflated } from "../../src/store/compression.js";
import { type Manifest, type StoredFile } from "../../src/store/format.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { detailsFile, readSearch } from "../../src/store/search-files.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { verify } from "../../src/upkeep/verify.js";
import { aListing, aPublishedDirectory, aScan, writePublished } from "../fixtures.js";
import { asked } from "../runtime/asked.js";
import { manifestOf, publishManifest } from "./forge.js";
import { builtStore, FOUR, manyListings, publishedTree, sha256 } from "./trees.js";

/** Inflates as a browser does. */
async function platformInflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The buckets of a search file with their details files. */
async function groupsOf(store: string, { buckets, search }: Manifest) {
  const read = async (file: StoredFile) => Uint8Array.from(await readFile(join(store, file.file)));
  const rows = [];
  for (const file of search) rows.push(...readSearchFile(await platformInflated(await read(file))));
  return Promise.all(
    rows.map(async (row, bucket) => ({ row, details: await read(buckets[bucket]!.details) })),
  );
}

/** Listings of which some are not in search. */
function someWithheld() {
  const files = manyListings();
  const listings = files.listings.map((listing, at) =>
    at % 5 === 0 ? { ...listing, visibility: "blocked" as const } : listing,
  );
  return { ...files, listings };
}

describe("a snapshot's search files", () => {
  it("lead to the summaries of all searchable listings, byte by byte, and to every answer", async () => {
    const { store, result } = await builtStore(someWithheld(), FOUR);
    const manifest = await manifestOf(store);
    const snapshot = await LoadedSnapshot.load(store, result.id);
    const shown: string[] = [];
    for (let page = 1; page <= 5; page += 1) {
      const { bytes } = await asked(snapshot, `/api/sites?sort=host&limit=10&page=${page}`);
      shown.push(bytes.toString("utf8"));
    }
    snapshot.release();
    const groups = await groupsOf(store, manifest);
    let searchable = 0;
    for (const [bucket, { row, details }] of groups.entries()) {
      const { listings, answers: stored } = readColumns(
        Uint8Array.from(await readFile(join(store, manifest.buckets[bucket]!.columns.file))),
      );
      const { units, fields, recents, scores, size } = listings;
      expect(row).toMatchObject({ units, fields, recents, scores, size });
      const blocks = [row.answers, ...row.summaries].map(({ offset, length, digest }) => {
        const bytes = details.slice(offset, offset + length);
        expect(sha256(Buffer.from(bytes)).slice(0, 32)).toBe(digest);
        return platformInflated(bytes);
      });
      const [answers, ...summaries] = await Promise.all(blocks);
      const texts = summaries.flatMap(readSummaryBlock).map((one) => Buffer.from(one).toString());
      expect(texts).toHaveLength(size);
      searchable += size;
      for (const text of texts) {
        expect(shown.some((page) => page.includes(text))).toBe(true);
      }
      const table = readAnswersBlock(answers!);
      expect([...table.hosts()]).toHaveLength(stored.hashes.length);
      for (const host of table.hosts()) {
        const { report, enrichment } = table.get(host)!;
        const kept = (await bodyOf(store, manifest, bucket, report)).toString();
        expect(JSON.parse(kept)).toMatchObject({ data: { site: { host } } });
        expect(await bodyOf(store, manifest, bucket, enrichment)).toHaveLength(enrichment.length);
      }
    }
    expect([searchable, groups.length]).toEqual([48, 4]);
    expect(manifest.search).toHaveLength(1);
  });

  it("are whole where no listing is in search, and where there is no listing at all", async () => {
    const withheld = aPublishedDirectory({
      listings: [aListing({ visibility: "blocked" })],
      scans: [aScan()],
    });
    for (const [files, hosts] of [
      [withheld, ["example.com"]],
      [aPublishedDirectory({ listings: [], scans: [] }), []],
    ] as const) {
      const { store } = await builtStore(files);
      const [group] = await groupsOf(store, await manifestOf(store));
      expect([group?.row.size, group?.row.summaries]).toEqual([0, []]);
      const answers = readAnswersBlock(await platformInflated(Uint8Array.from(group!.details)));
      expect([...answers.hosts()]).toEqual(hosts);
      expect((await verify(store)).bad).toEqual([]);
    }
  });
});

async function bodyOf(
  store: string,
  { buckets }: Manifest,
  bucket: number,
  { offset, length, sha256: digest }: AnswerPlace,
): Promise<Buffer> {
  const pack = await readFile(join(store, buckets[bucket]!.pack.file));
  const body = pack.subarray(offset, offset + length);
  expect(sha256(body)).toBe(digest);
  return body;
}

/** More than sixteen buckets. */
const MANY = { files: manyListings(80), options: { jobs: 1, keep: 3, bucketSize: 4 } };

describe("a store of several groups of buckets", () => {
  it("gets one new search file for one changed listing, and the id of a build from nothing", async () => {
    const { files, options } = MANY;
    const { folder, store, result } = await builtStore(files, options);
    const before = await manifestOf(store);
    expect([before.buckets.length, before.search.length]).toEqual([32, 2]);
    const listings = files.listings.with(7, aListing({ host: "site-7.example", name: "Changed" }));
    const published = await writePublished(join(folder, "next"), { ...files, listings });
    const inodes = () =>
      Promise.all(before.search.map(async ({ file }) => (await stat(join(store, file))).ino));
    const old = await inodes();
    const next = await build(published, { store, ...options });
    expect(next).toMatchObject({ kept: 31, changed: true });
    const after = await manifestOf(store);
    const changed = after.buckets.findIndex(
      ({ details }, at) => details.file !== before.buckets[at]?.details.file,
    );
    const group = changed < 16 ? 0 : 1;
    expect(after.search[1 - group]).toEqual(before.search[1 - group]);
    expect(after.search[group]).not.toEqual(before.search[group]);
    expect(await inodes()).toEqual(old);
    const fresh = join(folder, "fresh");
    expect((await build(published, { store: fresh, ...options, jobs: 2 })).id).toBe(next.id);
    const [one, other] = [await publishedTree(store), await publishedTree(fresh)];
    for (const [file, digest] of Object.entries(other))
      expect([file, one[file]]).toEqual([file, digest]);
    expect((await verify(store)).bad).toEqual([]);
    // Nothing was withheld, so the rollback is to the former snapshot itself.
    expect(await rollback(store)).toMatchObject({ id: result.id, kept: 32 });
    expect((await verify(store)).bad).toEqual([]);
  });

  it("makes the search file of a group anew if a rollback changes some of its buckets", async () => {
    const { files, options } = MANY;
    const { folder, store, result } = await builtStore(files, options);
    const before = await manifestOf(store);
    const without = files.listings.filter((_, at) => at !== 7);
    const published = await writePublished(join(folder, "next"), { ...files, listings: without });
    await build(published, { store, ...options });
    const gone = await manifestOf(store);
    const { id, kept } = await rollback(store);
    expect([id === result.id, kept]).toEqual([false, 31]);
    const after = await manifestOf(store);
    // The listing stays away, so its group is as in the snapshot that was built last.
    expect(after.search).toEqual(gone.search);
    expect(after.search).not.toEqual(before.search);
    expect((await verify(store)).bad).toEqual([]);
  });
});

type EditBlocks = (blocks: Uint8Array[]) => void;
type EditRows = (rows: SearchRows[]) => void;

/** Publishes other details of the first bucket and another search file of the only group, with right checksums. */
async function forgeSearch(store: string, editBlocks: EditBlocks, editRows: EditRows = () => {}) {
  const { buckets, search } = await manifestOf(store);
  const rows: SearchRows[] = [...(await readSearch(store, search[0]!)).buckets];
  const stored = new Uint8Array(await readFile(join(store, buckets[0]!.details.file)));
  const blocks = [rows[0]!.answers, ...rows[0]!.summaries].map(
    ({ offset, length }) => inflated(stored.subarray(offset, offset + length), 2 ** 24)!,
  );
  editBlocks(blocks);
  const { bytes, places } = detailsFile(blocks);
  const details = describeFile(bytes, (hash) => `index/0-${hash.slice(0, 32)}.details`);
  await writeFile(join(store, details.file), bytes);
  const [answers, ...summaries] = places;
  rows[0] = { ...rows[0]!, answers: answers!, summaries };
  editRows(rows);
  const group = await writeGroup(store, 0, rows, null);
  await publishManifest(store, (manifest) => {
    manifest.buckets[0]!.details = details;
    manifest.search[0] = group;
  });
  return { details: details.file, search: group.file };
}

describe("verify", () => {
  const anEdit =
    (edit: (text: string) => string): EditBlocks =>
    (blocks) => {
      blocks[1] = new TextEncoder().encode(edit(new TextDecoder().decode(blocks[1])));
    };

  it("finds nothing in files that are written again as they are", async () => {
    const { store } = await builtStore(manyListings(), FOUR);
    await forgeSearch(store, () => {});
    expect((await verify(store)).bad).toEqual([]);
  });

  it.each<[string, EditBlocks]>([
    ["another score in a summary", anEdit((text) => text.replace(/"latestScore":\d/, "$&7"))],
    ["summaries in another order", anEdit((text) => text.split("\n").reverse().join("\n"))],
    ["a summary more", anEdit((text) => `${text}\n{}`)],
    ["a longer block of answers", (blocks) => blocks.splice(0, 1, new Uint8Array(100_000))],
  ])("names a details file with %s, though every checksum is right", async (_, edit) => {
    const { store } = await builtStore(manyListings(), FOUR);
    const { details } = await forgeSearch(store, edit);
    const problem = `${details} does not match its shard`;
    expect((await verify(store)).bad).toEqual([{ file: details, problem, hosts: [] }]);
  });

  it.each<[string, EditRows]>([
    ["another score", ([one]) => one!.scores.fill(3, 0, 1)],
    ["another text", ([one]) => one!.units.fill(0x7a, 0, 1)],
    ["a listing without its instant", ([one]) => one!.scannedAt.bytes.fill(0x31, 3, 4)],
    ["the digest of another block", (rows) => rows.splice(0, 1, withOtherBlock(rows[0]!))],
    ["a bucket less", (rows) => rows.pop()],
    ["a bucket more", (rows) => rows.push(rows[0]!)],
  ])("names a search file with %s, though every checksum is right", async (_, edit) => {
    const { store } = await builtStore(manyListings(), FOUR);
    const { search } = await forgeSearch(store, () => {}, edit);
    const problem = `${search} does not match its shards`;
    expect((await verify(store)).bad).toEqual([{ file: search, problem, hosts: [] }]);
  });

  it("names a search file that is none, with the reason", async () => {
    const { store } = await builtStore(manyListings(), FOUR);
    for (const [bytes, reason] of [
      [Buffer.from("no such file"), "it cannot be inflated"],
      [deflated(new Uint8Array(64)), "it is not a file of columns"],
    ] as const) {
      const file = describeFile(bytes, (hash) => `search/0-${hash.slice(0, 32)}.bin`);
      await writeFile(join(store, file.file), bytes);
      await publishManifest(store, ({ search }) => search.splice(0, 1, file));
      const bad = [{ file: file.file, problem: `${file.file}: ${reason}`, hosts: [] }];
      expect((await verify(store)).bad).toEqual(bad);
    }
  });
});

function withOtherBlock({ answers, ...rows }: SearchRows): SearchRows {
  return { ...rows, answers: { ...answers, digest: "0".repeat(32) } };
}

it("a manifest without a search file for each group is refused", async () => {
  const { store } = await builtStore(manyListings(3));
  const id = await publishManifest(store, ({ search }) => search.pop());
  await expect(StoredSnapshot.openManifest(store, id)).rejects.toThrow("does not match any format");
});

describe("the compression of stored files", () => {
  const words = Array.from({ length: 20_000 }, (_, at) => `site-${(at * 7_919) % 1_009}`);
  const text = new TextEncoder().encode(words.join(" "));

  it("gives these very bytes on every machine, which every platform inflates", async () => {
    const bytes = deflated(text);
    // Other bytes here would give every snapshot another id than before.
    expect(sha256(Buffer.from(bytes))).toBe(
      "645043a53f0c63ecd666f6b2af5fb5305b2162f78376c31142451127c8ef73d5",
    );
    expect(await platformInflated(Uint8Array.from(bytes))).toEqual(text);
    expect(inflated(bytes, text.length)).toEqual(text);
    expect(inflated(deflated(new Uint8Array(0)), 0)).toEqual(new Uint8Array(0));
  });

  it("is inflated to no more than the reader allows, and only if it is whole", () => {
    const bytes = deflated(text);
    expect(inflated(bytes, text.length - 1)).toBeNull();
    expect(inflated(deflated(new Uint8Array(5_000_000)), 1_000_000)).toBeNull();
    for (const bad of [new Uint8Array(0), bytes.subarray(0, -1), Uint8Array.of(7, 7, 7)]) {
      expect(inflated(bad, text.length)).toBeNull();
    }
  });
});
