import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import DIRECTORY from "./data/directory.json" with { type: "json" };
import STANDARDS from "./data/standards.json" with { type: "json" };
import TAXONOMY from "./data/taxonomy.json" with { type: "json" };
import { generate } from "./generate.js";

/** Records, each with the path of its file. A file of JSON Lines holds the records of many. */
type Records = readonly (readonly [path: string, record: object])[];

interface Sample {
  /** Default: 500. */
  readonly listings?: number;
  /** Selects one of the possible samples: 0 to 2^32 - 1. Default: 1. */
  readonly seed?: number;
  /** The maximum number of records in a file. */
  readonly linesPerFile?: number;
}

/** Among the first `SINGLES_BELOW` listings, one in this many has its own file, and so has each of its scans. */
const SINGLE_EVERY = 25;
const SINGLES_BELOW = 1_000;
/** The number of characters to collect before a write. */
const CHUNK = 1024 * 1024;

/**
 * A realistic published directory (published format 1): its three documents, then each listing with its scans. Listing
 * k is the same in every sample of a seed.
 */
export function* sampleRecords({
  listings = 500,
  seed = 1,
  linesPerFile = 20_000,
}: Sample): Generator<Records> {
  /** The number of lines in each folder. */
  const lines = new Map<string, number>();
  const numbered = (folder: string) => {
    const count = lines.get(folder) ?? 0;
    lines.set(folder, count + 1);
    const number = String(Math.floor(count / linesPerFile)).padStart(4, "0");
    return `${folder}/part-${number}.ndjson`;
  };
  yield [
    ["directory.json", DIRECTORY],
    ["standards.json", STANDARDS],
    ["taxonomy.json", TAXONOMY],
  ];
  for (let index = 0; index < listings; index += 1) {
    const { listing, scans } = generate(seed, index);
    const { host } = listing;
    if (index < SINGLES_BELOW && index % SINGLE_EVERY === 0) {
      yield [
        [`listings/single/${host.slice(0, 1)}/${host}.json`, listing],
        ...scans.map((scan) => [`scans/single/${host}/${scan.id}.json`, scan] as const),
      ];
    } else {
      yield [
        [numbered("listings"), listing],
        ...scans.map((scan) => [numbered(`scans/${scan.finishedAt.slice(0, 4)}`), scan] as const),
      ];
    }
  }
}

/** The files of a sample: texts by path. */
export function sampleFiles(sample: Sample): Map<string, string> {
  const files = new Map<string, string>();
  for (const [path, record] of [...sampleRecords(sample)].flat()) {
    files.set(path, `${files.get(path) ?? ""}${textOf(path, record)}`);
  }
  return files;
}

function textOf(path: string, record: object): string {
  return `${JSON.stringify(record, null, path.endsWith(".json") ? 2 : 0)}\n`;
}

/**
 * Writes a sample of any size. The same seed and size give the same bytes on every machine. Memory use does not grow
 * with the number of listings.
 * @param folder an empty or missing folder
 */
export async function writeSample(
  folder: string,
  sample: Sample = {},
): Promise<{ readonly listings: number; readonly scans: number }> {
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new Error(`${folder} is not empty; choose a new or empty folder for the sample`);
  }
  const waiting = new Map<string, string>();
  let [length, listings, scans] = [0, -1, 0];
  for (const records of sampleRecords(sample)) {
    listings += 1;
    for (const [path, record] of records) {
      const text = textOf(path, record);
      waiting.set(path, `${waiting.get(path) ?? ""}${text}`);
      length += text.length;
      if (path.startsWith("scans/")) scans += 1;
    }
    if (length < CHUNK) continue;
    await append(folder, waiting);
    length = 0;
  }
  await append(folder, waiting);
  return { listings, scans };
}

/** Appends the texts to their files, and forgets them. */
async function append(folder: string, texts: Map<string, string>): Promise<void> {
  for (const [path, text] of texts) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await appendFile(join(folder, path), text);
  }
  texts.clear();
}
