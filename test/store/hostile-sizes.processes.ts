import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inflate } from "../../src/fetch/bytes.js";
import { r2Store } from "../../src/fetch/index.js";
import { treeStore } from "../../src/fetch/store.js";
import { describe as describeFile } from "../../src/publish/segment-writer.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { BadColumnsError } from "../../src/store/columns/columns.js";
import { folderStore } from "../../src/store/folder-source.js";
import type { Manifest } from "../../src/store/format.js";
import { layout } from "../../src/store/layout.js";
import { parseManifest } from "../../src/store/parse-manifest.js";
import { packPieces } from "../../src/store/segments/directory.js";
import { TABLE_BYTES_MAX } from "../../src/store/segments/rows.js";
import { TEXT_END } from "../../src/store/segments/table.js";
import { wholeHandler } from "../fetch/whole.js";
import { manifestOf, publishManifest } from "./forge.js";
import { aLargeFile, MB, smallGrowth } from "./growth.js";
import { directoryOf } from "./rows.js";
import { aStore } from "./stores.js";
import { smallStore } from "./trees.js";

/* Stores whose checksums are all right, and whose numbers or files would take far more memory than they should. */

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
      // An extra may answer without the tables.
      delete one.extras;
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
});
