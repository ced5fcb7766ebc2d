import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describe as describeFile } from "../../src/build/writer.js";
import { LoadedSnapshot } from "../../src/runtime/snapshot/snapshot.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import { rebuildColumns } from "../../src/store/column-rebuild.js";
import { otherVersion, readColumns } from "../../src/store/columns/columns.js";
import { BadColumnsError } from "../../src/store/columns/file.js";
import { type Manifest, Shard } from "../../src/store/format.js";
import { verify } from "../../src/upkeep/verify.js";
import { asked } from "../runtime/asked.js";
import { someOf } from "../slow.js";
import { manifestOf, publishManifest } from "./forge.js";
import { builtStore, copiedStore, manyListings } from "./trees.js";

/** Puts another file in the place of one of a bucket's, with checksums that are right. */
async function replaceFile(
  store: string,
  bucket: number,
  kind: keyof Manifest["buckets"][number],
  edit: (bytes: Buffer) => Buffer,
): Promise<string> {
  const { file } = (await manifestOf(store)).buckets[bucket]![kind];
  const bytes = edit(await readFile(join(store, file)));
  const name = (hash: string) => file.replace(/[0-9a-f]{32}/, hash.slice(0, 32));
  const described = describeFile(bytes, name);
  await writeFile(join(store, described.file), bytes);
  return publishManifest(store, ({ buckets }) => {
    buckets[bucket]![kind] = described;
  });
}

/** An edit that puts a text in the place of another one of the same length. */
function replaced(from: string, to: string) {
  return (bytes: Buffer) => {
    const at = bytes.indexOf(from);
    expect([at >= 0, to.length]).toEqual([true, from.length]);
    const edited = Buffer.from(bytes);
    edited.write(to, at);
    return edited;
  };
}

const OTHER_HEADS = [
  ["another version", '"version":3', '"version":7', 7],
  ["another name", '"hashes"', '"hoshes"', 3],
] as const;

describe("other columns than this program's", () => {
  it.each(someOf(OTHER_HEADS, 1))(
    "of %s are rebuilt, and answer as they did",
    async (_, from, to, version) => {
      const { store, result } = await copiedStore();
      const targets = ["/api/sites?limit=100", "/api/sites?q=site-59", "/api/sites/facets"];
      const answersOf = async (id: string) => {
        const snapshot = await LoadedSnapshot.load(store, id);
        const answers: string[] = [];
        for (const target of targets) answers.push(`${(await asked(snapshot, target)).bytes}`);
        for (let at = 0; at < 600; at += 7) {
          const { status, bytes } = await asked(snapshot, `/api/sites/site-${at}.example/report`);
          answers.push(`${status} ${bytes}`);
        }
        snapshot.release();
        return { answers, rebuilt: snapshot.rebuilt };
      };
      const before = await answersOf(result.id);
      expect(before.rebuilt).toBeNull();
      const id = await replaceFile(store, 1, "columns", replaced(from, to));
      const after = await answersOf(id);
      expect(after.answers).toEqual(before.answers);
      expect(after.rebuilt).toEqual({ version, seconds: expect.any(Number) });
      expect(await verify(store)).toMatchObject({ otherColumns: version, bad: [] });
    },
  );

  it("are read by nobody else, and no file of columns is none of any version", async () => {
    const { store } = await builtStore(manyListings(2));
    const { columns } = (await manifestOf(store)).buckets[0]!;
    const good = new Uint8Array(await readFile(join(store, columns.file)));
    expect(otherVersion(good)).toBeNull();
    for (const [, from, to, version] of OTHER_HEADS) {
      const other = new Uint8Array(replaced(from, to)(Buffer.from(good)));
      expect(otherVersion(other)).toBe(version);
      expect(() => readColumns(other)).toThrow(BadColumnsError);
    }
    for (const [from, to] of [
      ["cdx1", "cdx2"],
      ['{"version"', '["version"'],
      ['"version":3', '"version":x'],
    ] as const) {
      const bad = new Uint8Array(replaced(from, to)(Buffer.from(good)));
      expect(otherVersion(bad)).toBeNull();
      expect(() => readColumns(bad)).toThrow(BadColumnsError);
    }
  });
});

it("a shard is refused at its first bad entry", () => {
  const entries = Array.from({ length: 1_000 }, () => ({}));
  const { error } = Shard.safeParse({ format: 1, entries });
  expect(error?.issues.map(({ message }) => message)).toEqual(["entry 0 is malformed"]);
});

describe("rebuilding a bucket's columns", () => {
  it("gives the bytes that the build wrote", async () => {
    const { store } = await copiedStore();
    for (const bucket of (await manifestOf(store)).buckets) {
      const written = await readFile(join(store, bucket.columns.file));
      expect(written.equals(rebuildColumns(store, bucket))).toBe(true);
    }
  });

  it.each([
    ["an answer behind the pack's end", /"report":\[\d+/, '"report":[9999999'],
    ["an answer with another digest", /"report":\[(\d+),(\d+),"./, '"report":[$1,$2,"x'],
    ["a listing without a summary", /"summary":\{/, '"summery":{'],
    ["no JSON", /^\{/, "("],
  ] as const)("refuses a shard that has %s", async (_, from, to) => {
    const { store } = await builtStore(manyListings(3));
    await replaceFile(store, 0, "columns", replaced('"version":3', '"version":7'));
    const id = await replaceFile(store, 0, "shard", (bytes) => {
      const text = bytes.toString("utf8");
      expect(text).toMatch(from);
      return Buffer.from(text.replace(from, to));
    });
    await expect(LoadedSnapshot.load(store, id)).rejects.toThrow(BadSnapshotError);
  });
});
