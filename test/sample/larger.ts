import { existsSync, readFileSync } from "node:fs";
import { appendFile, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { pick, seeded, whole } from "../oracle/random.js";

/** Records, each with the path of its file. A file of JSON Lines holds the records of many. */
type OneRecord = readonly [path: string, record: Written];
/** A listing and its scans. */
type Whole = readonly [listing: OneRecord, ...scans: OneRecord[]];
/** A listing or a scan, as it is written. */
export type Written = Readonly<Record<string, unknown>> & { readonly host: string };

interface Sample {
  /** Default: 500. */
  readonly listings?: number;
  /**
   * Selects one of the possible samples: 0 to 2^32 - 1. Default: 1, whose first 500 listings are those of the
   * package.
   */
  readonly seed?: number;
}

const DATA = fileURLToPath(new URL("../../sample/sample.ndjson.br", import.meta.url));
/** The number of listings whose records share files. */
const LISTINGS_A_PART = 20_000;
/** The number of characters to collect before a write. */
const CHUNK = 1024 * 1024;
const HOURS_MAX = 24 * 30;

const [documents = "", ...lines] = brotliDecompressSync(readFileSync(DATA))
  .toString()
  .trimEnd()
  .split("\n");
/** The three documents. */
export const DOCUMENTS: readonly OneRecord[] = JSON.parse(documents);
const WHOLES = lines.map((line): Whole => JSON.parse(line));
const LISTINGS = WHOLES.map(([[, listing]]) => listing);
export const HOSTS = LISTINGS.map(({ host }) => host);

/** The records of listing `index` (from 0), with its scans. They depend on seed and index alone. */
export function recordsAt(seed: number, index: number): Whole {
  const original = WHOLES[index % WHOLES.length]!;
  return seed === 1 && index < WHOLES.length ? original : varied(original, seed, index);
}

/** A listing like another one: with a host of its own, words of others in its texts, and other times. */
function varied([[, original], ...scans]: Whole, seed: number, index: number): Whole {
  const random = seeded(Math.imul(seed, 0x9e37_79b1) ^ index);
  const host = `n${index.toString(36)}.${original.host}`;
  const renamed = (record: Written): Written =>
    JSON.parse(JSON.stringify(record).replaceAll(original.host, host));
  const mixed = (key: "name" | "tagline") => {
    if (typeof original[key] !== "string") return {};
    const begin = wordsOf(pick(random, LISTINGS), key);
    const end = wordsOf(original, key);
    const half = (words: readonly string[]) => Math.ceil(words.length / 2);
    return { [key]: [...begin.slice(0, half(begin)), ...end.slice(-half(end))].join(" ") };
  };
  const later = -whole(random, 0, HOURS_MAX) * 3_600_000;
  const part = `part-${String(Math.floor(index / LISTINGS_A_PART)).padStart(4, "0")}.ndjson`;
  const listing = { ...renamed(original), ...mixed("name"), ...mixed("tagline") };
  return [
    [`listings/${part}`, listing],
    ...scans.map(([, scan]): OneRecord => {
      const at = new Date(Date.parse(String(scan.finishedAt)) + later).toISOString();
      return [`scans/${at.slice(0, 4)}/${part}`, { ...renamed(scan), finishedAt: at }];
    }),
  ];
}

function wordsOf(listing: Written, key: string): string[] {
  const text = listing[key];
  return typeof text === "string" ? text.split(" ") : [];
}

/**
 * Writes a sample of any size. The same seed and size give the same bytes on every machine, and a larger sample has all
 * records of a smaller one. Memory use does not grow with the number of listings.
 * @param folder an empty or missing folder
 */
export async function writeSample(
  folder: string,
  { listings = 500, seed = 1 }: Sample = {},
): Promise<{ readonly listings: number; readonly scans: number }> {
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new Error(`${folder} is not empty; choose a new or empty folder for the sample`);
  }
  const waiting = new Map<string, string>();
  let length = 0;
  let scans = 0;
  for (let index = -1; index < listings; index += 1) {
    for (const [path, record] of index < 0 ? DOCUMENTS : recordsAt(seed, index)) {
      const text = `${JSON.stringify(record, null, path.endsWith(".json") ? 2 : 0)}\n`;
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
