import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hostHash } from "../../../src/contract/host.js";
import { SplitRefusedError, splitPublished } from "../../../src/extras/parts/split.js";
import { BadPublishedError } from "../../../src/input/input.js";
import { build } from "../../../src/publish/build.js";
import { temporaryFolder, writeFiles, writePublished } from "../../fixtures.js";
import { manyListings } from "../../store/trees.js";

async function aFolder() {
  const folder = await temporaryFolder();
  const published = await writePublished(join(folder, "published"), manyListings());
  return { folder, published, out: join(folder, "parts") };
}

it("puts each record, byte for byte, into the part of its host, in a file of the same name", async () => {
  const { published, out } = await aFolder();
  const odd =
    '{ "\\u0068ost" : "odd.example",\n  "url": "https://odd.example/", "status": "unclaimed" }\n';
  await writeFiles(published, {
    "listings/deep/odd.json": odd,
    "scans/more.jsonl":
      '\ufeff{"host":"odd.example","id":"1", "x": "\u2028"}\r\n\n{"host":"gone.example"}',
    "listings/notes.txt": "",
  });
  await symlink("deep", join(published, "listings/link"));
  const result = await splitPublished(published, { parts: 3, out });
  expect(result).toMatchObject({ out, parts: 3, listings: 61, scans: 122, warningCount: 1 });
  expect((await readdir(out)).sort()).toEqual(["1-of-3", "2-of-3", "3-of-3"]);
  const found: string[] = [];
  for (const [at, name] of (await readdir(out)).sort().entries()) {
    const files = await readdir(join(out, name), { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile())) {
      const path = join(file.parentPath, file.name);
      const bytes = await readFile(path, "utf8");
      const inside = path.slice(join(out, name).length + 1);
      if (!inside.includes("/")) {
        if (inside === "split.json") continue;
        expect(bytes).toBe(await readFile(join(published, inside), "utf8"));
        continue;
      }
      const records = inside.endsWith(".json")
        ? [bytes.replace(/\n$/, "")]
        : bytes.split("\n").slice(0, -1);
      for (const record of records) {
        const { host } = JSON.parse(record);
        expect(Math.floor((hostHash(host) / 2 ** 32) * 3)).toBe(at);
        found.push(`${inside} ${record}`);
      }
    }
  }
  const lines = async (path: string) =>
    (await readFile(join(published, path), "utf8")).split("\n").map((line) => `${path} ${line}`);
  expect(found.sort()).toEqual(
    [
      ...(await lines("listings/all.ndjson")),
      ...(await lines("scans/all.ndjson")),
      `listings/deep/odd.json ${odd}`,
      'scans/more.jsonl {"host":"odd.example","id":"1", "x": "\u2028"}\r',
      'scans/more.jsonl {"host":"gone.example"}',
    ].sort(),
  );
});

it("leaves nothing behind when a record names no host, or a document is bad", async () => {
  const { folder, published, out } = await aFolder();
  await writeFile(join(published, "scans/lost.ndjson"), '{"host":7}\n');
  await writeFile(join(published, "taxonomy.json"), "[]");
  const refused = await splitPublished(published, { out }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BadPublishedError);
  const { problems } = refused as BadPublishedError;
  expect(problems.map(({ file }) => file)).toEqual(
    expect.arrayContaining(["scans/lost.ndjson", "taxonomy.json"]),
  );
  expect(await readdir(folder)).toEqual(["published"]);
});

it("writes only into a new or empty folder, and only whole", async () => {
  const { folder, published, out } = await aFolder();
  await mkdir(out);
  const stop = new AbortController();
  const stopped = splitPublished(published, {
    out,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await expect(stopped).rejects.toThrow("aborted");
  expect(await readdir(out)).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual(["parts", "published"]);
  await splitPublished(published, { out, parts: 1 });
  for (const wrong of [out, join(out, "1-of-1/split.json"), join(published, "listings/parts")]) {
    await expect(splitPublished(published, { out: wrong })).rejects.toThrow(SplitRefusedError);
  }
});

describe("a part is refused", () => {
  it("from the folder of another part, and from one that is not as it was split", async () => {
    const folder = await temporaryFolder();
    const published = await writePublished(join(folder, "published"), manyListings());
    const store = join(folder, "store");
    const out = join(folder, "parts");
    await splitPublished(published, { parts: 4, out });
    const second = join(out, "2-of-4");
    const part = (name: string) => build(second, { store, jobs: 1, part: name });
    for (const name of ["3/4", "2/8"]) {
      await expect(part(name)).rejects.toThrow(`has part 2/4, not ${name}; name the folder`);
    }
    const scans = join(second, "scans/all.ndjson");
    const lines = await readFile(scans, "utf8");
    await writeFile(scans, lines.slice(0, lines.lastIndexOf("\n", lines.length - 2) + 1));
    await expect(part("2/4")).rejects.toThrow("has other records than crawldex split has written");
    await writeFile(scans, lines);
    expect(await part("2/4")).toMatchObject({ warningCount: 0, changed: true });
    await writeFile(join(second, "split.json"), "{}");
    await expect(part("2/4")).rejects.toThrow("split.json is damaged; split again");
  });
});
