import { join } from "node:path";
import { build } from "../../src/publish/build.js";
import { loadRecords, type Records } from "../oracle/records.js";
import { writeSample } from "../sample/larger.js";

/** A built sample, and the records that it was built from. */
export interface Built {
  readonly store: string;
  readonly records: Records;
}

/** Builds a sample of so many listings in a folder. */
export async function buildSample(folder: string, listings: number): Promise<Built> {
  const published = join(folder, "published");
  const store = join(folder, "store");
  await writeSample(published, { listings, seed: 3 });
  await build(published, { store, keep: 1 });
  return { store, records: loadRecords(published) };
}
