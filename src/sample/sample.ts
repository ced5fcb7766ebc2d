import { appendFile, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeError } from "../files/disk.js";
import { NUMBERS } from "../options/defaults.js";
import {
  callback,
  checkedOptions,
  FOLDER,
  requireArgument,
  wholeNumber,
} from "../options/options.js";
import { type OnProgress, PHASES } from "../options/progress.js";
import DIRECTORY from "./data/directory.json" with { type: "json" };
import STANDARDS from "./data/standards.json" with { type: "json" };
import TAXONOMY from "./data/taxonomy.json" with { type: "json" };
import { generate } from "./generate.js";

/** Options of `writeSample`. */
export interface SampleOptions {
  /** The number of listings: 0 to 10,000,000. Default: 500. */
  readonly listings?: number | undefined;
  /** Selects one of the possible samples: 0 to 2^32 - 1. Default: 1. */
  readonly seed?: number | undefined;
  /** Called regularly, and at the end, with the number of listings done and the total. */
  readonly onProgress?: OnProgress | undefined;
}

const RULES = {
  listings: wholeNumber(NUMBERS.listings),
  seed: wholeNumber(NUMBERS.seed),
  onProgress: callback<OnProgress>(),
};

/** The result of `writeSample`. */
export interface SampleSize {
  /** The number of listings written. */
  readonly listings: number;
  /** The number of scans written. */
  readonly scans: number;
}

/** Thrown before anything is written if the target folder is a file or not empty. */
export class SampleRefusedError extends Error {
  override readonly name = "SampleRefusedError";
}

const LINES_PER_FILE = 20_000;
/** Among the first `SINGLES_BELOW` listings, one in this many has its own file, and so has each of its scans. */
const SINGLE_EVERY = 25;
const SINGLES_BELOW = 1_000;
const LISTINGS_PER_PROGRESS = 100;
/** The number of characters to collect before a write. */
const CHUNK = 1024 * 1024;

/**
 * Writes a realistic published directory (published format 1). The same seed and size give the same bytes on every
 * machine, and listing k is the same in every sample of a seed. Memory use does not grow with the number of listings.
 *
 * @param folder an empty or missing folder; an interrupted run leaves it incomplete
 * @throws SampleRefusedError if the folder is a file or not empty; StoreWriteError if the disk refuses to write;
 * TypeError for a wrong argument
 */
export async function writeSample(
  folder: string,
  options: SampleOptions = {},
): Promise<SampleSize> {
  requireArgument("writeSample", "folder", folder, FOLDER);
  const {
    listings: total = NUMBERS.listings.usual,
    seed = NUMBERS.seed.usual,
    onProgress,
  } = checkedOptions("writeSample", options, RULES);
  await requireEmpty(folder, "the sample");
  const files = new SampleFiles(folder);
  await files.append("directory.json", pretty(DIRECTORY));
  await files.append("standards.json", pretty(STANDARDS));
  await files.append("taxonomy.json", pretty(TAXONOMY));
  let scanCount = 0;
  for (let index = 0; index < total; index += 1) {
    const { listing, scans } = generate(seed, index);
    scanCount += scans.length;
    if (index < SINGLES_BELOW && index % SINGLE_EVERY === 0) {
      const { host } = listing;
      await files.append(`listings/single/${host.slice(0, 1)}/${host}.json`, pretty(listing));
      for (const scan of scans) {
        await files.append(`scans/single/${host}/${scan.id}.json`, pretty(scan));
      }
    } else {
      await files.appendLine("listings", listing);
      for (const scan of scans)
        await files.appendLine(`scans/${scan.finishedAt.slice(0, 4)}`, scan);
    }
    if (index % LISTINGS_PER_PROGRESS === 0) onProgress?.(index, total, PHASES.writing);
  }
  await files.flush();
  onProgress?.(total, total, PHASES.writing);
  return { listings: total, scans: scanCount };
}

/** The files of one sample. It collects texts and appends them in chunks. */
export class SampleFiles {
  readonly #folder: string;
  readonly #linesPerFile: number;
  /** Texts not written yet, by path. */
  readonly #waiting = new Map<string, string[]>();
  #length = 0;
  /** The number of lines in each series of numbered files. */
  readonly #lines = new Map<string, number>();

  /** @param linesPerFile the maximum number of records in a numbered file */
  constructor(folder: string, linesPerFile = LINES_PER_FILE) {
    this.#folder = folder;
    this.#linesPerFile = linesPerFile;
  }

  /** Appends to a file. Resolves once there is room for more text in memory. */
  async append(path: string, text: string): Promise<void> {
    const waiting = this.#waiting.get(path);
    if (waiting === undefined) this.#waiting.set(path, [text]);
    else waiting.push(text);
    this.#length += text.length;
    if (this.#length >= CHUNK) await this.flush();
  }

  /** Appends a line to the numbered ndjson files of a folder. Starts a new file when the current one is full. */
  async appendLine(folder: string, record: object): Promise<void> {
    const lines = this.#lines.get(folder) ?? 0;
    this.#lines.set(folder, lines + 1);
    const number = String(Math.floor(lines / this.#linesPerFile)).padStart(4, "0");
    await this.append(`${folder}/part-${number}.ndjson`, `${JSON.stringify(record)}\n`);
  }

  async flush(): Promise<void> {
    for (const [path, texts] of this.#waiting) {
      const place = join(this.#folder, path);
      try {
        await mkdir(dirname(place), { recursive: true });
        await appendFile(place, texts.join(""));
      } catch (error) {
        throw writeError(place, error);
      }
    }
    this.#waiting.clear();
    this.#length = 0;
  }
}

function pretty(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Creates the folder if it is missing.
 * @param content names what is to be written there, for the message
 * @throws SampleRefusedError if it is a file or not empty
 */
export async function requireEmpty(folder: string, content: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw new SampleRefusedError(`${folder} is a file, not a folder`);
    throw error;
  });
  if ((await readdir(folder)).length > 0) {
    throw new SampleRefusedError(
      `${folder} is not empty; choose a new or empty folder for ${content}`,
    );
  }
}
