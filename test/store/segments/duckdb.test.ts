import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { SiteSummary } from "../../../src/contract/listing.js";
import { currentId } from "../../../src/store/reader.js";
import { COLUMNS } from "../../../src/store/segments/fields.js";
import { openWhole } from "../answers.js";
import { manifestOf } from "../forge.js";
import { storeWith } from "../stores.js";
import { rowsOf } from "./duckdb.js";

/** The query of docs/operations.md. */
async function documentedQuery(): Promise<string> {
  const docs = await readFile(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  return /```sql\n([^`]+)```/.exec(docs)?.[1] ?? "";
}

it("another program reads the tables: each host's newest row is its summary in search", async () => {
  const { store, files, rebuild } = await storeWith(60, { jobs: 1, segmentSize: 16 });
  const listings = files.listings.map((one, at) =>
    at % 7 === 0 ? { ...one, status: `"changed" ☃ ${at}`, tags: ["zeta", "first"] } : one,
  );
  const scans = files.scans.map((one, at) =>
    at % 5 === 0 ? { ...one, score: null, band: null, scoreVersion: null } : one,
  );
  await rebuild({ ...files, scans }, { maxUnscored: "100%" });
  await rebuild({ ...files, listings, scans });
  const { segments } = await manifestOf(store);
  expect(segments.reduce((rows, one) => rows + one.rows, 0)).toBeGreaterThan(60);
  const rows = await rowsOf((await documentedQuery()).replace("'snapshots'", `'${store}'`));
  const snapshot = await openWhole(store, (await currentId(store)) ?? "");
  const entries = [...snapshot.allEntries()].filter(({ search }) => search !== null);
  snapshot.close();
  const stored = ({ category, tags, ...rest }: SiteSummary, exempt: readonly string[] = []) => ({
    ...rest,
    exempt,
    category: category?.slug ?? null,
    tags: tags.map(({ slug }) => slug),
  });
  expect(rows.some(({ latestScore }) => latestScore === null)).toBe(true);
  for (const row of rows) expect(Object.keys(row)).toEqual(Object.keys(COLUMNS));
  const expected = entries.flatMap(({ search, exempt }) =>
    search === null ? [] : [stored(search.summary, exempt)],
  );
  expect(expected.some(({ exempt }) => exempt.length > 0)).toBe(true);
  expect(rows).toEqual(expected.sort((a, b) => (a.host < b.host ? -1 : 1)));
});
