import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describe as describeFile } from "../../src/publish/segment-writer.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { layout } from "../../src/store/layout.js";
import { chance } from "../crash/repetitions.js";
import { byteMutants, jsonMutants } from "../crash/store-mutants.js";
import { asked } from "../server/asked.js";
import { repeated } from "../slow.js";
import { manifestOf, publishBytes } from "./forge.js";
import { copiedStore, sha256 } from "./trees.js";

/*
 * Stores whose checksums are all right, as a faulty or hostile builder would give them: one value of a manifest or of a
 * directory is another one. (Tables: segments/hostile.test.ts.)
 */

const REPORTS = [0, 1, 2, 30, 59].map((n) => `/api/sites/site-${n}.example/report`);
const READS = [
  "/api/sites?limit=100",
  "/api/sites?q=site",
  "/api/sites/facets",
  "/api/sites/suggestions?q=s",
  ...REPORTS.flatMap((path) => [path, `${path}?scan=old`, path.replace("report", "enrichment")]),
];

/**
 * What is answered, or null for what is refused. Nothing else may happen, and no report may have bytes of another
 * tag.
 */
async function answersOf(store: string, id: string): Promise<(string | null)[] | null> {
  const loaded = await loadSnapshot(store, id).catch((error: Error) => {
    expect(error).toMatchObject({ name: "BadSnapshotError" });
    return null;
  });
  if (loaded === null) return null;
  const answers: (string | null)[] = [];
  for (const read of READS) {
    // A server answers 502 where it finds damage.
    const found = await asked(loaded.snapshot, read).catch(() => null);
    const isStored = found?.status === 200 && !/\?[^s]|facets/.test(read);
    if (isStored) expect(found.headers.ETag).toContain(sha256(found.bytes).slice(0, 32));
    answers.push(found && `${found.status} ${found.bytes}`);
  }
  loaded.close();
  return answers;
}

it("a manifest with any value changed is refused, or its reports and searches are the good ones", async () => {
  const { store, result } = await copiedStore();
  const good = await answersOf(store, result.id);
  const mutants = jsonMutants(await manifestOf(store));
  const step = repeated(100, 10);
  let refused = 0;
  for (const { name, document } of mutants.filter((_, at) => at % step === 0)) {
    const id = await publishBytes(store, Buffer.from(JSON.stringify(document()) ?? ""));
    const answers = await answersOf(store, id);
    refused += answers === null ? 1 : 0;
    // Tables name categories and tags by their slugs.
    if (name.includes("vocabulary") || answers === null) continue;
    const differing = READS.filter((_, at) => answers[at] !== null && answers[at] !== good?.[at]);
    expect([name, differing.filter((read) => !read.includes("facets"))]).toEqual([name, []]);
  }
  expect(refused).toBeGreaterThan(mutants.length / step / 3);
});

it("a directory with any byte changed is refused, or has answers with their own checksums", async () => {
  const { store } = await copiedStore();
  const manifest = await manifestOf(store);
  const [segment] = manifest.segments;
  const pack = await readFile(join(store, segment!.pack.file));
  const start = pack.length - segment!.directory.bytes;
  const found = { refused: 0, read: 0 };
  for (const { bytes } of byteMutants(
    pack.subarray(start),
    repeated(1_000, 150),
    chance("packs"),
  )) {
    const directory = bytes();
    const changed = Buffer.concat([pack.subarray(0, start), directory]);
    const file = describeFile(changed, layout.pack);
    await writeFile(join(store, file.file), changed);
    Object.assign(segment!, {
      pack: file,
      directory: { bytes: directory.length, sha256: sha256(directory) },
    });
    const id = await publishBytes(store, Buffer.from(JSON.stringify(manifest)));
    found[(await answersOf(store, id)) === null ? "refused" : "read"] += 1;
  }
  expect(Math.min(found.refused, found.read)).toBeGreaterThan(3);
});
