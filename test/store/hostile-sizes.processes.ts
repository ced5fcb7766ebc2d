import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createGzip, deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inflate } from "../../src/fetch/bytes.js";
import { r2Store } from "../../src/fetch/index.js";
import { treeStore } from "../../src/fetch/store.js";
import { describe as describeFile } from "../../src/publish/segment-writer.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import { CHANGES_MAX } from "../../src/store/change-log.js";
import { BadColumnsError } from "../../src/store/columns/columns.js";
import { folderStore } from "../../src/store/folder-source.js";
import type { ChangesFile, Manifest } from "../../src/store/format.js";
import { layout } from "../../src/store/layout.js";
import { parseManifest } from "../../src/store/parse-manifest.js";
import { packPieces } from "../../src/store/segments/directory.js";
import { TABLE_BYTES_MAX } from "../../src/store/segments/rows.js";
import { TEXT_END } from "../../src/store/segments/table.js";
import { verify } from "../../src/upkeep/verify.js";
import { directoryOf } from "../extras/dumps/rows.js";
import { wholeHandler } from "../fetch/whole.js";
import { asked } from "../server/asked.js";
import { manifestOf, publishManifest } from "./forge.js";
import { aStore } from "./stores.js";
import { smallStore } from "./trees.js";

/* Stores whose checksums are all right, and whose numbers or files would take far more memory than they should. */

const MB = 1024 * 1024;
/** What the large files of these tests inflate to. */
const LARGE = 600 * MB;
/** By how much the process may grow. A file of changes has 4 MB, the largest table 64 MB. */
const GROWTH_MAX = 250 * MB;

/** Runs an action, during which the process may not grow by much. */
async function smallGrowth<T>(action: () => Promise<T>): Promise<T> {
  const before = process.resourceUsage().maxRSS * 1024;
  const result = await action();
  expect(process.resourceUsage().maxRSS * 1024 - before).toBeLessThan(GROWTH_MAX);
  return result;
}

/** The gzip of `LARGE` spaces, made in pieces. */
async function aLargeFile(): Promise<Buffer> {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on("data", (chunk) => chunks.push(chunk));
  const piece = Buffer.alloc(4 * MB, " ");
  for (let at = 0; at < LARGE; at += piece.length) {
    if (!gzip.write(piece)) await new Promise((resolve) => gzip.once("drain", resolve));
  }
  gzip.end();
  await new Promise((resolve) => gzip.once("end", resolve));
  return Buffer.concat(chunks);
}

const LINE = {
  host: "a.example",
  generation: 2,
  publishedAt: "2026-01-01T00:00:00.000Z",
  change: "removed",
  score: null,
  band: null,
  scoreVersion: null,
  checks: null,
  was: null,
};

/** A store with one publication more than its first, whose changes are in a file with other bytes. */
async function withChanges(bytes: Uint8Array, facts: Partial<ChangesFile>) {
  const one = directoryOf({ a: [50, "++"], b: [50, "++"] });
  const { store } = await aStore(one, directoryOf({ b: [60, "++", {}, 2] }));
  const file = describeFile(bytes, layout.changes);
  await writeFile(join(store, file.file), bytes);
  const id = await publishManifest(store, ({ history }) => {
    const [known] = history!.changes;
    history!.changes = [{ ...known!, ...file, ...facts }];
  });
  return { store, id, file: file.file };
}

/** What a handler answers to reads of changes, and how often it has read the file. */
async function changesAtEdge(store: string, name: string) {
  const source = folderStore(store);
  let reads = 0;
  const handler = await wholeHandler({
    store: (path, ...rest) => {
      reads += path === name ? 1 : 0;
      return source(path, ...rest);
    },
  });
  const read = async (path: string) => {
    const response = await handler(new Request(`https://edge.example${path}`));
    await response.arrayBuffer();
    return response.status;
  };
  const path = "/api/changes?since=1";
  const together = await Promise.all([read(path), read(path), read(path)]);
  const statuses = [...together, await read(path), await read("/search-feed.json")];
  return { statuses, reads };
}

/** The same of a server. */
async function changesOfServer(store: string, id: string) {
  const { snapshot, close } = await loadSnapshot(store, id);
  const statuses: (number | string)[] = [];
  for (let times = 0; times < 3; times += 1) {
    const status = await asked(snapshot, "/api/changes?since=1").then(
      (answer) => answer.status,
      (error: Error) => error.name,
    );
    statuses.push(status);
  }
  close();
  return statuses;
}

describe("a file of changes", () => {
  it("that says how large it becomes is refused with its manifest; at an edge, nothing of it is inflated", async () => {
    const bytes = await aLargeFile();
    const { store, id, file } = await withChanges(bytes, { length: LARGE, entries: 1 });
    await smallGrowth(async () => {
      await expect(loadSnapshot(store, id)).rejects.toThrow("does not match format");
      const { statuses, reads } = await changesAtEdge(store, file);
      expect([statuses, reads]).toEqual([[502, 502, 502, 502, 502], 0]);
      expect((await verify(store)).bad.map((one) => one.file)).toEqual([`${id}/manifest.json`]);
    });
  });

  it("that becomes larger than it says is inflated once, up to the length that it says", async () => {
    const bytes = await aLargeFile();
    const facts = { length: CHANGES_MAX.bytes, entries: 1 };
    const { store, id, file } = await withChanges(bytes, facts);
    await smallGrowth(async () => {
      expect(await changesOfServer(store, id)).toEqual(Array(3).fill("BadSnapshotError"));
      const { statuses, reads } = await changesAtEdge(store, file);
      expect([statuses, reads]).toEqual([[502, 502, 502, 502, 502], 1]);
      expect((await verify(store)).bad.map((one) => one.file)).toEqual([file]);
    });
  });

  it.each([
    ["another number of lines", [LINE, { ...LINE, host: "b.example" }], { entries: 1 }],
    ["a line without an end", [], { entries: 1 }],
    ["hosts in another order", [{ ...LINE, host: "b.example" }, LINE], { entries: 2 }],
    ["a host twice", [LINE, LINE], { entries: 2 }],
    ["a later publication than the manifest says", [{ ...LINE, generation: 3 }], {}],
    ["a host that is no host", [{ ...LINE, host: "../etc" }], {}],
    ["a score that is no number", [{ ...LINE, score: { from: "1", to: 2 } }], {}],
    ["a member that no change has", [{ ...LINE, more: "x" }], {}],
    ["a value that is no change", [7], {}],
    ["a long line", [{ ...LINE, checks: { gained: Array(40_000).fill("a"), lost: [] } }], {}],
    ["values in values", `${"[".repeat(50_000)}\n`, {}],
  ] as const)("with %s is refused, and is read once", async (_, lines, facts) => {
    const text =
      typeof lines === "string"
        ? lines
        : lines.map((line) => `${JSON.stringify(line)}\n`).join("") || JSON.stringify(LINE);
    const { store, id, file } = await withChanges(gzipSync(text), {
      length: text.length,
      entries: 1,
      until: LINE.publishedAt,
      ...facts,
    });
    expect(await changesOfServer(store, id)).toEqual(Array(3).fill("BadSnapshotError"));
    const { statuses, reads } = await changesAtEdge(store, file);
    expect([statuses, reads]).toEqual([[502, 502, 502, 502, 502], 1]);
    expect((await verify(store)).bad.map((one) => one.file)).toContain(file);
  });

  it("that is not in the order of publications is refused: a request would read all files", async () => {
    const { store } = await aStore(directoryOf({ a: [50, "++"] }), directoryOf({ b: [50, "++"] }));
    const id = await publishManifest(store, ({ history }) => {
      const [file] = history!.changes;
      history!.changes = [{ ...file!, first: 2, last: 5 }, file!];
    });
    await expect(loadSnapshot(store, id)).rejects.toThrow(BadSnapshotError);
    await expect(wholeHandler({ store: folderStore(store) })).resolves.toBeTypeOf("function");
  });
});

describe("a table", () => {
  it("of few rows cannot inflate to much, however often it is named", async () => {
    const { store } = await smallStore();
    const manifest = await manifestOf(store);
    // It is almost as large as a table may be, and has one row.
    const host = "a.example";
    const other = TABLE_BYTES_MAX - 400;
    const full = ["host", "url", "status", "linkRel"];
    const head = JSON.stringify([
      ...full.map((name) => [name, "texts", host.length + 1]),
      ["other", "texts", other + 1],
    ]);
    const ended = (text: Buffer) => Buffer.concat([text, Buffer.of(TEXT_END)]);
    const parts = [...full.map(() => Buffer.from(host)), Buffer.alloc(other, " ")].map(ended);
    const table = Buffer.concat([Buffer.alloc(4), Buffer.from(head), ...parts]);
    table.writeUInt32LE(head.length);
    const bytes = gzipSync(table);
    const file = describeFile(bytes, layout.table);
    await writeFile(join(store, file.file), bytes);
    const id = await publishManifest(store, (one) => {
      one.segments = Array.from({ length: 60 }, () => ({
        ...manifest.segments[0]!,
        table: file,
        rows: 1,
      }));
    });
    await smallGrowth(async () => {
      await expect(loadSnapshot(store, id)).rejects.toThrow("inflates to too much");
      const handler = await wholeHandler({ store: folderStore(store) });
      const { status } = await handler(new Request("https://edge.example/api/sites"));
      expect(status).toBe(503);
    });
  });
});

describe("a manifest", () => {
  const edits: Record<string, (manifest: Manifest) => void> = {
    "rows of a table": ({ segments }) => Object.assign(segments[0]!, { rows: 2 ** 32 }),
    "listings of a directory": ({ segments }) => Object.assign(segments[0]!, { listings: 2 ** 32 }),
    "live listings": ({ segments }) => Object.assign(segments[0]!, { live: 2 ** 32 }),
    "bytes of a directory": ({ segments }) =>
      Object.assign(segments[0]!.directory, { bytes: 2 ** 32 }),
    "bytes of a table": ({ segments }) => Object.assign(segments[0]!.table, { bytes: 2 ** 32 }),
    "bytes of a document": ({ public: all }) => Object.assign(all[0]!, { bytes: 2 ** 32 }),
    "bytes of changes": ({ history }) => Object.assign(history!.changes[0]!, { bytes: 2 ** 32 }),
    "inflated bytes of changes": ({ history }) =>
      Object.assign(history!.changes[0]!, { length: 2 ** 32 }),
    "entries of changes": ({ history }) =>
      Object.assign(history!.changes[0]!, { entries: 2 ** 32 }),
  };

  it.each(Object.keys(edits))(
    "with too many %s is refused before anything is read",
    async (what) => {
      const { store } = await aStore(
        directoryOf({ a: [50, "++"] }),
        directoryOf({ b: [50, "++"] }),
      );
      const manifest = await manifestOf(store);
      expect(await parseManifest(Buffer.from(JSON.stringify(manifest)))).not.toBeNull();
      edits[what]!(manifest);
      expect(await parseManifest(Buffer.from(JSON.stringify(manifest)))).toBeNull();
    },
  );

  it("of a packed tree with a pack of any size makes only the pieces that a read needs", async () => {
    const { store } = await smallStore();
    const [segment] = (await manifestOf(store)).segments;
    const pack = { ...segment!.pack, bytes: 2 ** 50 };
    const huge = { ...segment!, pack };
    expect(packPieces(huge, { offset: 3 * MB, length: MB })).toEqual([
      { file: `${pack.file}.1`, offset: 2 * MB, length: 2 * MB },
    ]);
    const ask = treeStore(async (path) => {
      if (path.endsWith("manifest.json")) return Buffer.from(JSON.stringify({ segments: [huge] }));
      return deflateRawSync(Buffer.alloc(40 * MB));
    });
    await ask("0".repeat(32).concat("/manifest.json"));
    await smallGrowth(async () => {
      await expect(ask(pack.file, { offset: 3 * MB, length: MB })).rejects.toThrow(BadColumnsError);
    });
  });
});

describe("at an edge", () => {
  it("inflating stops soon after the bytes that a file may have", async () => {
    const bytes = await aLargeFile();
    await smallGrowth(async () => {
      await expect(inflate(bytes, MB, "gzip")).rejects.toThrow(BadColumnsError);
    });
    const good = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * at) % 251));
    expect(Buffer.from(await inflate(gzipSync(good), good.length, "gzip"))).toEqual(good);
  });

  it("an object of a bucket that is larger than it may be is not read", async () => {
    const read = r2Store({
      get: async () => ({ size: 11, arrayBuffer: () => Promise.reject(new Error("it was read")) }),
    });
    await expect(read("current.json", undefined, 10)).rejects.toThrow("has more than 10 bytes");
  });

  it("trends with too many points are refused once", async () => {
    const { store } = await smallStore();
    const { public: all } = await manifestOf(store);
    const trends = all.find(({ file }) => file === "trends.json")!;
    const points = Array.from({ length: 5_000 }, (_, generation) => ({ generation, set: {} }));
    const bytes = Buffer.from(JSON.stringify({ points }));
    const id = await publishManifest(store, (manifest) => {
      Object.assign(
        manifest.public.find(({ file }) => file === trends.file)!,
        describeFile(bytes, () => trends.file),
      );
    });
    await writeFile(join(store, id, "public", trends.file), bytes);
    const { snapshot, close } = await loadSnapshot(store, id);
    const errors = [];
    for (let times = 0; times < 2; times += 1)
      errors.push(await asked(snapshot, "/api/trends").catch((error: unknown) => error));
    close();
    expect(errors[0]).toBeInstanceOf(BadSnapshotError);
    expect(errors[1]).toBe(errors[0]);
    expect(await readFile(join(store, id, "public", trends.file))).toEqual(bytes);
  });
});
