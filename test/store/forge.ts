import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeGroup } from "../../src/build/search-groups.js";
import { describe as describeFile } from "../../src/build/segment-writer.js";
import { bucketColumns, columnBytes } from "../../src/store/columns/columns.js";
import { BUCKETS_A_GROUP } from "../../src/store/columns/search-file.js";
import { Manifest, Shard } from "../../src/store/format.js";
import { currentId } from "../../src/store/reader.js";
import { bucketDetails, detailsFile } from "../../src/store/search-files.js";
import { columnEntries } from "../../src/store/shard-entries.js";
import { sha256 } from "./trees.js";

export async function manifestOf(store: string): Promise<Manifest> {
  const id = (await currentId(store)) ?? "";
  return Manifest.parse(JSON.parse(await readFile(join(store, id, "manifest.json"), "utf8")));
}

/** Makes a changed manifest current, with its own id, as a faulty builder would. */
export async function publishManifest(
  store: string,
  edit: (manifest: Manifest) => void,
): Promise<string> {
  const manifest = await manifestOf(store);
  edit(manifest);
  return publishBytes(store, Buffer.from(JSON.stringify(manifest)));
}

/** Makes any bytes the current manifest, with their own id. */
export async function publishBytes(store: string, bytes: Uint8Array): Promise<string> {
  const before = (await currentId(store)) ?? "";
  const id = sha256(bytes).slice(0, 32);
  await cp(join(store, before), join(store, id), { recursive: true });
  await writeFile(join(store, id, "manifest.json"), bytes);
  await writeFile(join(store, "current.json"), JSON.stringify({ format: 1, id }));
  return id;
}

/** Changes the first bucket's shard and pack, with all that is made from them and every checksum made right again. */
export async function forge(store: string, edit: (shard: Shard, lines: string[]) => void) {
  const { buckets: former, search: formerSearch } = await manifestOf(store);
  const [{ shard, pack } = { shard: { file: "" }, pack: { file: "" } }] = former;
  const entries = Shard.parse(JSON.parse(await readFile(join(store, shard.file), "utf8")));
  const lines = (await readFile(join(store, pack.file), "utf8")).trimEnd().split("\n");
  edit(entries, lines);
  let offset = 0;
  const places = lines.map((line): [number, number, string] => {
    const place: [number, number, string] = [
      offset,
      Buffer.byteLength(line),
      sha256(Buffer.from(line)),
    ];
    offset += place[1] + 1;
    return place;
  });
  for (const entry of entries.entries) {
    entry.report = places.shift() ?? entry.report;
    entry.enrichment = places.shift() ?? entry.enrichment;
    for (const one of entry.historical) one.report = places.shift() ?? one.report;
  }
  const ofEntries = columnEntries(entries.entries);
  const columns = bucketColumns(ofEntries);
  const bytesOfColumns = columnBytes(columns);
  const content = bucketDetails(ofEntries, columns);
  const { bytes: bytesOfDetails, places: blocks } = detailsFile(content.blocks);
  const packBytes = Buffer.from(`${lines.join("\n")}\n`);
  const shardBytes = Buffer.from(JSON.stringify(entries));
  const packFile = describeFile(packBytes, (hash) => `reports/0-${hash.slice(0, 32)}.ndjson`);
  const shardFile = describeFile(shardBytes, (hash) => `index/0-${hash.slice(0, 32)}.json`);
  await writeFile(join(store, packFile.file), packBytes);
  const columnsFile = describeFile(bytesOfColumns, (hash) => `index/0-${hash.slice(0, 32)}.bin`);
  const details = describeFile(bytesOfDetails, (hash) => `index/0-${hash.slice(0, 32)}.details`);
  await writeFile(join(store, shardFile.file), shardBytes);
  await writeFile(join(store, columnsFile.file), bytesOfColumns);
  await writeFile(join(store, details.file), bytesOfDetails);
  const others = former.slice(1, BUCKETS_A_GROUP).map(() => null);
  const rows = [content.rows(blocks), ...others];
  const searchFile = await writeGroup(store, 0, rows, formerSearch[0] ?? null);
  const id = await publishManifest(store, ({ buckets, search }) => {
    buckets[0] = { shard: shardFile, columns: columnsFile, pack: packFile, details };
    search[0] = searchFile;
  });
  return { id, shard: shardFile.file, pack: packFile.file };
}
