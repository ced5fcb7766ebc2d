import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openScanningEngine } from "../../src/engine/engine.js";
import type { EngineMaker } from "../../src/server/load-snapshot.js";
import { segmentsIn } from "../../src/store/reader.js";
import { temporaryFolder, writeFiles } from "../fixtures.js";
import { REAL } from "../real.js";
import { writeSample } from "../sample/larger.js";
import { repeated } from "../slow.js";
import { casedDirectory } from "./cased.js";
import { expectAgreement } from "./disagreement.js";
import { seeded } from "./random.js";
import { loadRecords } from "./records.js";
import { randomRequest } from "./requests.js";
import { publishedFiles } from "./tiny.js";

/** Random requests a directory; more, and other ones, with REQUESTS and SEED. */
const REQUESTS = Number(process.env.REQUESTS ?? repeated(200, 2_000));
const SEED = Number(process.env.SEED ?? 20_261_121);
const LISTINGS = repeated(200, 2_000);

/** The engine of an edge worker and of a tree in a browser. */
const scanningEngine: EngineMaker = async ({ store, manifest }) => {
  const stored = segmentsIn(store, manifest.segments, manifest.vocabulary);
  const columns = await Promise.all(manifest.segments.map((_, segment) => stored.rows(segment)));
  return { engine: openScanningEngine(columns, manifest.vocabulary), close: () => {} };
};

async function expectRandomAgreement(published: string, seed: number): Promise<void> {
  const records = loadRecords(published);
  const random = seeded(seed);
  const targets = Array.from({ length: REQUESTS }, () => randomRequest(random, records));
  const statuses = await expectAgreement(published, records, targets);
  expect([...statuses.keys()].sort()).toEqual([200, 400, 403, 404]);
  expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 2);
}

type Entry = Record<string, unknown>;

/** Renames every second term and check in the documents. The records still name what they named before. */
async function renameTerms(published: string): Promise<void> {
  const rename = async (file: string, lists: readonly string[], key: string) => {
    const path = join(published, file);
    const document: Record<string, Entry[]> = JSON.parse(await readFile(path, "utf8"));
    for (const list of lists) {
      const entries = document[list] ?? [];
      const now = new Map<unknown, string>();
      for (const entry of entries.filter((_, at) => at % 2 === 0)) {
        const was = String(entry[key]);
        now.set(was, `${was}-now`);
        Object.assign(entry, { [key]: `${was}-now`, formerly: [was, `${was}-once`] });
      }
      for (const entry of entries) {
        if (Array.isArray(entry.related)) {
          entry.related = entry.related.map((id) => now.get(id) ?? id);
        }
      }
    }
    await writeFile(path, JSON.stringify(document));
  };
  await rename("taxonomy.json", ["categories", "tags", "platforms"], "slug");
  await rename("standards.json", ["checks"], "id");
}

describe("the oracle and the service agree, byte for byte", () => {
  it(`on ${REQUESTS} random requests to a sample of ${LISTINGS} listings, SEED=${SEED}`, async () => {
    const published = join(await temporaryFolder(), "published");
    await writeSample(published, { listings: LISTINGS, seed: 1 });
    await expectRandomAgreement(published, SEED);
  });

  it(`on ${REQUESTS} random requests to a sample whose terms were renamed, SEED=${SEED + 3}`, async () => {
    const published = join(await temporaryFolder(), "published");
    await writeSample(published, { listings: LISTINGS, seed: 1 });
    await renameTerms(published);
    await expectRandomAgreement(published, SEED + 3);
  });

  it.each([
    ["with postings", undefined],
    ["that scans all texts", scanningEngine],
  ])("on pieces of texts in any case and form, with an engine %s", async (_, makeEngine) => {
    const { records, targets } = casedDirectory(seeded(SEED + 2), repeated(60, 600));
    const folder = await temporaryFolder();
    await writeFiles(folder, publishedFiles(records));
    await expectAgreement(folder, records, targets, { makeEngine });
  });

  it(`on ${REQUESTS} random requests to the real directory, SEED=${SEED + 1}`, () =>
    expectRandomAgreement(REAL.folder, SEED + 1));
});
