import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { jsonIn } from "../../src/files/lines.js";
import { contentId } from "../../src/publish/manifest.js";
import { contentOf, describe as describeFile } from "../../src/publish/segment-writer.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import { aligned } from "../../src/store/columns/columns.js";
import { FIELDS, type ListingColumns } from "../../src/store/columns/listings.js";
import { type ListingEntry, Manifest } from "../../src/store/format.js";
import { pointerText } from "../../src/store/pointer.js";
import { currentId, segmentsIn } from "../../src/store/reader.js";
import { answerTree } from "../../src/store/segments/answer-tree.js";
import { answersOf, writeDirectory } from "../../src/store/segments/directory.js";
import { writeTable } from "../../src/store/segments/write-table.js";
import { sha256 } from "./trees.js";

/** @param named the snapshot's id. Default: the current one's */
export async function manifestOf(store: string, named?: string): Promise<Manifest> {
  const id = named ?? (await currentId(store)) ?? "";
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
  if (id !== before) await cp(join(store, before), join(store, id), { recursive: true });
  await writeFile(join(store, id, "manifest.json"), bytes);
  await pointTo(store, id);
  return id;
}

/** Makes a snapshot the current one. If its history cannot be read, it counts as a first publication. */
export async function pointTo(store: string, id: string, name = "current.json"): Promise<void> {
  const bytes = await readFile(join(store, id, "manifest.json")).catch(() => Buffer.alloc(0));
  // A manifest of megabytes may be one that takes minutes to parse.
  const json = bytes.length < 2 ** 20 ? jsonIn(bytes.toString()) : undefined;
  const read = Manifest.pick({ history: true }).strip().safeParse(json);
  const { generation, origin } = read.data?.history ?? { generation: 1, origin: "0".repeat(8) };
  await writeFile(join(store, name), pointerText({ id, generation, origin }));
}

/** By host, the checks that do not apply. */
function exemptIn({ size, units, fields, filters }: ListingColumns): Map<string, string[]> {
  const { values, starts, places } = filters.exempt;
  return new Map(
    Array.from({ length: size }, (_, row) => [
      String.fromCharCode(...units.subarray(fields[FIELDS * row], fields[FIELDS * row + 1]! - 1)),
      Array.from(places.subarray(starts[row], starts[row + 1]), (place) => values[place]!),
    ]),
  );
}

/** An entry that a test may change. */
export type ForgedEntry = { -readonly [K in keyof ListingEntry]: ListingEntry[K] };

/**
 * Changes the listings of the first segment and their answers, with every checksum made right again.
 * @param edit gets the entries, in the order of the directory, and the bodies of all answers, in the order of the pack.
 * The locations of an entry are made anew, in the order of the bodies
 */
export async function forge(
  store: string,
  edit: (entries: ForgedEntry[], lines: string[]) => void,
) {
  const { segments, vocabulary, public: documents } = await manifestOf(store);
  const [segment] = segments;
  if (segment === undefined) throw new Error("the store has no segment");
  const set = segmentsIn(store, [segment], vocabulary);
  const stored = await set.entries(0);
  const exempt = exemptIn(await set.rows(0));
  const entries: ForgedEntry[] = stored.map(({ content: _, segment: __, ...entry }) => entry);
  const pack = await readFile(join(store, segment.pack.file));
  const inPack = entries.flatMap(answersOf).sort(([a], [b]) => a - b);
  const lines = inPack.map(([at, length]) => pack.toString("utf8", at, at + length));
  // Where each answer was, so that it is found again after the lines have changed.
  const numbers = new Map(inPack.map(([offset], number) => [offset, number]));
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
  const moved = (location: ListingEntry["report"]) =>
    places[numbers.get(location[0]) ?? -1] ?? location;
  for (const entry of entries) {
    entry.report = moved(entry.report);
    entry.enrichment = moved(entry.enrichment);
    entry.historical = entry.historical.map((one) => ({ ...one, report: moved(one.report) }));
  }
  const directory = writeDirectory(
    entries.map((entry) => ({ ...entry, content: contentOf(entry) })),
  );
  const answers = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  const gap = Buffer.alloc(aligned(answers.length) - answers.length);
  const packBytes = Buffer.concat([answers, gap, directory]);
  const summaries = entries.flatMap(({ host, search }) =>
    search === null ? [] : [{ ...search.summary, exempt: exempt.get(host), gists: search.gists }],
  );
  const tableBytes = writeTable(summaries.sort((a, b) => (a.host < b.host ? -1 : 1)));
  const forged = {
    ...segment,
    pack: describeFile(packBytes, (hash) => `segments/${hash.slice(0, 32)}.pack`),
    table: describeFile(tableBytes, (hash) => `segments/${hash.slice(0, 32)}.brief`),
    directory: { bytes: directory.length, sha256: sha256(directory) },
    answers: await answerTree(entries, (text) => sha256(Buffer.from(text))),
    rows: summaries.length,
    listings: entries.length,
    live: entries.length,
  };
  await writeFile(join(store, forged.pack.file), packBytes);
  await writeFile(join(store, forged.table.file), tableBytes);
  const after = [forged, ...segments.slice(1)];
  const content = await contentId(segmentsIn(store, after, vocabulary), {
    public: documents,
    vocabulary,
  }).catch((error) => {
    // A directory that no reader takes has no content.
    if (!(error instanceof BadSnapshotError)) throw error;
    return null;
  });
  const id = await publishManifest(store, (manifest) => {
    manifest.segments = after;
    manifest.content = content ?? manifest.content;
  });
  return { id, table: forged.table.file, pack: forged.pack.file };
}
