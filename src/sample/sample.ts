import { generate } from "./generate.js";
import { STANDARDS } from "./methodology/standards.js";
import { SeriesSet } from "./series.js";
import { folderSink, type Sink } from "./sink.js";
import { TAXONOMY } from "./taxonomy.js";

export interface SampleOptions {
  /** How many listings: 0 to 2^32 - 1. */
  readonly listings: number;
  /** Which of all samples: 0 to 2^32 - 1. */
  readonly seed: number;
  /** Told now and then how many listings are written, and at the end. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What a sample consists of. */
export interface SampleSize {
  readonly listings: number;
  readonly scans: number;
}

/** Records of an ndjson file. */
const LINES_A_FILE = 20_000;
/** Of the first listings, one in so many lies in a file of its own, with its scans. */
const SINGLE_EVERY = 25;
const SINGLES_BELOW = 1_000;
/** Listings between two words of progress. */
const PROGRESS_EVERY = 100;

const DIRECTORY = {
  format: 1,
  name: "AI-Readable Web (sample)",
  baseUrl: "https://api.readable.example",
  siteUrl: "https://readable.example",
  description:
    "An invented directory for trials. Names, hosts and findings are generated; a likeness to real sites is accidental.",
  contact: "mailto:editors@readable.example",
  license: "CC0-1.0",
};

/**
 * Writes a realistic published directory (published format 1). The same seed and size give the same bytes
 * on any machine, and listing k is the same in every sample of its seed that has one. Memory does not grow
 * with the number of listings.
 *
 * @param folder a folder that is empty or not there yet; an interrupted run leaves it incomplete
 * @throws RangeError for a size or seed out of range, SampleRefusedError where the folder is not empty or no folder
 */
export async function writeSample(folder: string, options: SampleOptions): Promise<SampleSize> {
  checkRange("listings", options.listings);
  checkRange("seed", options.seed);
  return writeInto(await folderSink(folder), options);
}

/** As `writeSample`, through any sink. */
export async function writeInto(
  sink: Sink,
  { listings: total, seed, onProgress }: SampleOptions,
): Promise<SampleSize> {
  await writeDocument(sink, "directory.json", DIRECTORY);
  await writeDocument(sink, "standards.json", STANDARDS);
  await writeDocument(sink, "taxonomy.json", TAXONOMY);
  const series = new SeriesSet(sink, LINES_A_FILE);
  let scanCount = 0;
  try {
    for (let index = 0; index < total; index += 1) {
      const { listing, scans } = generate(seed, index);
      scanCount += scans.length;
      if (index < SINGLES_BELOW && index % SINGLE_EVERY === 0) {
        const { host } = listing;
        await writeDocument(sink, `listings/single/${host.slice(0, 1)}/${host}.json`, listing);
        for (const scan of scans) {
          await writeDocument(sink, `scans/single/${host}/${scan.id}.json`, scan);
        }
      } else {
        await series.add("listings", listing);
        for (const scan of scans) await series.add(`scans/${scan.finishedAt.slice(0, 4)}`, scan);
      }
      if (index % PROGRESS_EVERY === 0) onProgress?.(index, total);
    }
  } finally {
    await series.close();
  }
  onProgress?.(total, total);
  return { listings: total, scans: scanCount };
}

async function writeDocument(sink: Sink, path: string, value: object): Promise<void> {
  const file = await sink.open(path);
  try {
    await file.write(`${JSON.stringify(value, null, 2)}\n`);
  } finally {
    await file.close();
  }
}

function checkRange(name: string, value: number): void {
  if (value === value >>> 0) return;
  throw new RangeError(`${name} must be a whole number from 0 to 2^32 - 1, not ${value}`);
}
