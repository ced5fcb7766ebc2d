import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  CHANGES_EXTRA,
  type ChangesFile,
  writtenAddition,
} from "../../../src/extras/changes/addition.js";
import { CHANGES_MAX } from "../../../src/extras/changes/stored-changes.js";
import { describe as describeFile } from "../../../src/publish/segment-writer.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { folderStore } from "../../../src/store/folder-source.js";
import { layout } from "../../../src/store/layout.js";
import { verify } from "../../../src/upkeep/verify.js";
import { wholeHandler } from "../../fetch/whole.js";
import { asked } from "../../server/asked.js";
import { publishManifest } from "../../store/forge.js";
import { aLargeFile, LARGE, smallGrowth } from "../../store/growth.js";
import { directoryOf } from "../../store/rows.js";
import { aStore } from "../../store/stores.js";
import { changesAdded } from "./added.js";

/* Stores whose checksums are all right, and whose numbers or files would take far more memory than they should. */

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
  const file = describeFile(bytes, (hash) => layout.added(hash, CHANGES_EXTRA));
  await writeFile(join(store, file.file), bytes);
  const id = await publishChanges(store, (known) => [{ ...known, ...file, ...facts }]);
  return { store, id, file: file.file };
}

/** Makes a manifest current that has other files of changes. @param edit gets the first of them */
function publishChanges(store: string, edit: (known: ChangesFile) => ChangesFile[]) {
  return publishManifest(store, (manifest) => {
    const known = changesAdded(manifest);
    const changes = edit(known.changes[0]!);
    manifest.extras = { [CHANGES_EXTRA]: writtenAddition({ ...known, changes }) };
  });
}

/** What a handler answers to reads of changes, and how often it has read the file. */
async function changesAtEdge(store: string, name: string) {
  const source = folderStore(store);
  let reads = 0;
  const handler = await wholeHandler({
    store: (path, ...rest) => {
      reads += path === name || (name === "" && path.endsWith(".changes.gz")) ? 1 : 0;
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

/** The changes of a store cannot be read, and no file of theirs is; all else can be. */
async function expectRefused(store: string, id: string): Promise<void> {
  expect(await changesOfServer(store, id)).toEqual(Array(3).fill("BadSnapshotError"));
  const { statuses, reads } = await changesAtEdge(store, "");
  expect([statuses, reads]).toEqual([[502, 502, 502, 502, 502], 0]);
  expect((await verify(store)).bad.map((one) => one.file)).toContain(`${id}/manifest.json`);
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
    const id = await publishChanges(store, (file) => [{ ...file, first: 2, last: 5 }, file]);
    await expectRefused(store, id);
  });

  it.each([
    ["too many bytes", { bytes: CHANGES_MAX.bytes + 1 }],
    ["too many inflated bytes", { length: CHANGES_MAX.bytes + 1 }],
    ["too many entries", { entries: 2 ** 32 }],
    ["no whole number of entries", { entries: 1.5 }],
    ["a publication without a number", { first: 0 }],
    ["no time", { until: "2026-01-01" }],
  ])("with %s is refused before it is read", async (_, facts) => {
    const { store } = await aStore(directoryOf({ a: [50, "++"] }), directoryOf({ b: [50, "++"] }));
    await expectRefused(store, await publishChanges(store, (file) => [{ ...file, ...facts }]));
  });
});
