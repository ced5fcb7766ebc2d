import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Listing, Scan } from "../../src/published/schemas.js";
import { build } from "../../src/store/build.js";
import { currentId } from "../../src/store/reader.js";
import { rollback } from "../../src/store/rollback.js";
import { verify } from "../../src/store/verify.js";
import { aListing, aScan, temporaryFolder, writePublished } from "../fixtures.js";
import { hybrid, type Records } from "../hybrid.js";
import { seeded } from "../oracle/random.js";
import { type Answers, answersIn } from "./answers.js";
import { EditedDirectory } from "./edits.js";

/** Random sequences of edits; other ones with SEED. */
const SEED = Number(process.env.SEED ?? 20_261_121);
const SEQUENCES = Number(process.env.SEQUENCES ?? 2);
const EDITS = 60;

/** An edited directory's records as they are now, by host. */
function recordsOf(directory: EditedDirectory): Map<string, Records> {
  const records = new Map<string, { listing: Listing; scans: Scan[] }>();
  const files = (kind: string) =>
    [...directory.files].filter(([name]) => name.startsWith(kind)).flatMap(([, found]) => found);
  for (const given of files("listings")) {
    records.set(given.host, { listing: aListing(given), scans: [] });
  }
  for (const given of files("scans")) records.get(given.host)?.scans.push(aScan(given));
  return records;
}

/** What a rollback is to show: records to be built, and the hosts of those that are answered as today. */
function hybridOf(
  former: ReadonlyMap<string, Records>,
  today: ReadonlyMap<string, Records>,
  todays: Readonly<Record<string, Answers>>,
) {
  const withheld: string[] = [];
  const expected: Records[] = [];
  for (const [host, before] of former) {
    const after = today.get(host);
    if (before.scans.length === 0 || after === undefined || todays[host] === undefined) continue;
    if (/removed|deleted/.test(before.listing.visibility)) continue;
    const isListed = after.listing.visibility === "listed";
    if (!isListed) withheld.push(host);
    const records = isListed ? hybrid(before, after) : before;
    if (records !== null) expected.push(records);
  }
  return { expected, withheld };
}

const vocabularyOf = async (store: string) => {
  const file = join(store, (await currentId(store)) ?? "", "manifest.json");
  const manifest = JSON.parse(await readFile(file, "utf8")) as Record<string, object>;
  return [manifest.vocabulary, manifest.public, manifest.counts];
};

describe(`a rollback answers as a build of the former records under today's visibilities and plans, SEED=${SEED}`, () => {
  it.each(Array.from({ length: SEQUENCES }, (_, n) => n))("sequence %i", async (sequence) => {
    const random = seeded(SEED + sequence);
    const pick = (count: number) => Math.floor(random() * count);
    const folder = await temporaryFolder();
    const directory = new EditedDirectory(join(folder, "published"), pick, 40 + 240 * pick(2));
    await directory.writeAll();
    const [store, oracle] = [join(folder, "store"), join(folder, "oracle")];
    for (let edit = 0; edit < EDITS; edit += 1) await directory.edit();
    await build(directory.folder, { out: store, keep: 3 });
    const former = recordsOf(directory);
    const documents = structuredClone(directory.documents);
    for (let edit = 0; edit < EDITS; edit += 1) await directory.edit();
    await build(directory.folder, { out: store, keep: 3 });
    const today = recordsOf(directory);
    const todays = await answersIn(store);
    const { expected, withheld } = hybridOf(former, today, todays);
    await writePublished(join(folder, "hybrid"), {
      ...documents,
      listings: expected.map(({ listing }) => listing),
      scans: expected.flatMap(({ scans }) => scans),
    });
    await rollback(store);
    await build(join(folder, "hybrid"), { out: oracle, keep: 1 });
    const answers = await answersIn(oracle);
    for (const host of withheld) answers[host] = todays[host]!;
    expect(await answersIn(store)).toEqual(answers);
    if (withheld.length === 0)
      expect(await vocabularyOf(store)).toEqual(await vocabularyOf(oracle));
    expect((await verify(store)).bad).toEqual([]);
    await build(directory.folder, { out: store, keep: 1 });
    expect(await answersIn(store)).toEqual(todays);
  });
});
