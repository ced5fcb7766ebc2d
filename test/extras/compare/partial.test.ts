import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { COMPARE } from "../../../src/extras/compare/gist.js";
import { partialChecks, storedPartial } from "../../../src/extras/compare/partial.js";
import { describe as describeFile } from "../../../src/publish/segment-writer.js";
import { BadColumnsError } from "../../../src/store/columns/columns.js";
import { layout } from "../../../src/store/layout.js";
import { readInflated } from "../../../src/store/reader.js";
import { rollback } from "../../../src/upkeep/rollback.js";
import { verify } from "../../../src/upkeep/verify.js";
import { aScan } from "../../fixtures.js";
import { manifestOf, publishManifest } from "../../store/forge.js";
import { storeWith } from "../../store/stores.js";

const textOf = (bytes: Uint8Array | null) => new TextDecoder().decode(bytes ?? new Uint8Array());
const fileIn = async (store: string) => (await manifestOf(store)).extras![COMPARE]!.files[0]!;
const textIn = async (store: string) => textOf(await readInflated(store, await fileIn(store)));

/** A scan of a site that passes these checks in part. */
function scanInPart(number: number, ids: readonly string[]) {
  const [first] = aScan({}).checks;
  const part = { ...first!, status: "warn" as const, points: 1 };
  const checks = ids.map((checkId) => ({ ...part, checkId }));
  return aScan({ host: `site-${number}.example`, id: `part-${number}-${ids.length}`, checks });
}

describe("a snapshot", () => {
  it("says which checks are passed in part, after each build and a rollback", async () => {
    const { store, files, rebuild } = await storeWith(5);
    expect(await textIn(store)).toBe("[]");
    const third = scanInPart(3, ["sitemap", "https"]);
    const scans = [...files.scans, third];
    await rebuild({ ...files, scans: [...scans, scanInPart(1, ["https", "sitemap"])] });
    const both = '[[["https","sitemap"],["site-1.example","site-3.example"]]]';
    expect(await textIn(store)).toBe(both);
    await rebuild({ ...files, scans: [...scans, scanInPart(1, ["https"])] });
    const apart = '[[["https"],["site-1.example"]],[["https","sitemap"],["site-3.example"]]]';
    expect(await textIn(store)).toBe(apart);
    await rollback(store);
    expect(await textIn(store)).toBe(both);
    expect((await verify(store)).bad).toEqual([]);
  });

  it("whose list is not that of its listings is bad", async () => {
    const { store } = await storeWith(5);
    const content = '[[["https"],["site-1.example"]]]';
    const bytes = gzipSync(content);
    const file = describeFile(bytes, (hash) => layout.added(hash, COMPARE));
    await writeFile(join(store, file.file), bytes);
    await publishManifest(store, (manifest) => {
      const { length } = content;
      manifest.extras![COMPARE] = { facts: {}, files: [{ ...file, length, facts: {} }] };
    });
    expect((await verify(store)).bad.map((one) => one.file)).toEqual([file.file]);
  });
});

const listing = (host: string, gist: string | null) => ({ host, score: 1, gist });

describe("the list of checks that are passed in part", () => {
  it("is the same in any order, has no site without them, and is left out if a row says nothing", () => {
    const some = [listing("c.com", "a b"), listing("a.com", "a b"), listing("b.com", "")];
    const text = textOf(storedPartial(some));
    expect(text).toBe('[[["a","b"],["a.com","c.com"]]]');
    expect(textOf(storedPartial(some.toReversed()))).toBe(text);
    expect(storedPartial([...some, listing("d.com", null)])).toBeNull();
  });

  /** A snapshot that has this text, or no file. */
  const snapshotOf = (text: string | null): Parameters<typeof partialChecks>[1] => ({
    addition: () => ({ facts: {}, files: text === null ? [] : [FILE] }),
    readAdded: async (_, read) => read(new TextEncoder().encode(text ?? "")),
  });
  const FILE = { file: "f", bytes: 1, sha256: "0", length: 1, facts: {} };

  it("is read for some hosts; nothing is known without it", async () => {
    const snapshot = snapshotOf('[[["a","b"],["a.com","c.com"]],[["b"],["d.com"]]]');
    const found = await partialChecks(["c.com", "d.com", "e.com"], snapshot);
    expect([...(found ?? [])]).toEqual([
      ["c.com", ["a", "b"]],
      ["d.com", ["b"]],
    ]);
    expect(await partialChecks(["a.com"], snapshotOf(null))).toBeNull();
  });

  it.each(["", "{}", "[1]", "[[[],[1]]]", "[[[]]]", '[[["a"],"a.com"]]'])(
    "is refused as %j",
    async (text) => {
      await expect(partialChecks([], snapshotOf(text))).rejects.toThrow(BadColumnsError);
    },
  );
});
