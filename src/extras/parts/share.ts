import { join } from "node:path";
import { z } from "zod";
import { Count } from "../../contract/field.js";
import { jsonIn } from "../../files/lines.js";
import { readRegularSync } from "../../files/regular.js";
import { isThere, PublishedFolderError, type RecordKind } from "../../input/locating/files.js";
import { DIGEST_WORDS } from "../../input/locating/record-columns.js";
import { type Share, SPLIT_FILE } from "./options.js";

/** The folder with the stores of a build's parts, which no reader needs. */
export function partsFolder(store: string): string {
  return join(store, ".parts");
}

export function partStore(store: string, { number, count }: Share): string {
  return join(partsFolder(store), `${number}-of-${count}`);
}

const HASHES = 2 ** 32;

/** The number of the share that hosts with this hash belong to, counted from 1. */
export function shareNumberOf(hash: number, count: number): number {
  return Math.floor((hash * count) / HASHES) + 1;
}

/** The least and the greatest hash of a share's hosts. */
export function hashesOf({ number, count }: Share): readonly [first: number, last: number] {
  const start = (share: number) => Math.ceil((share * HASHES) / count);
  return [start(number - 1), start(number) - 1];
}

/** The records of an input: two inputs with the same facts have the same records, whatever their files and order. */
export const InputFacts = z.strictObject({
  listings: Count,
  scans: Count,
  /** The sum of the records' digests, in hex. */
  digest: z.string().regex(/^[0-9a-f]{32}$/),
});
export type InputFacts = z.infer<typeof InputFacts>;

/** Adds up the facts of an input, record by record. */
export class InputSum {
  readonly #counts = { listings: 0, scans: 0 };
  readonly #words = new Uint32Array(DIGEST_WORDS);

  add(kind: RecordKind, digest: Uint32Array): void {
    this.#counts[kind] += 1;
    for (const [word, value] of digest.entries()) this.#words[word]! += value;
  }

  facts(): InputFacts {
    const digest = Array.from(this.#words, (word) => word.toString(16).padStart(8, "0")).join("");
    return { ...this.#counts, digest };
  }
}

/** What the notes of a part's build keep: which part it is, and of which input. */
export const NotedPart = z.strictObject({ number: Count, count: Count, whole: InputFacts });
export type NotedPart = z.infer<typeof NotedPart>;

/** `split.json`, beside the documents of a folder that `splitPublished` has written. */
export const SplitFile = z.strictObject({
  format: z.literal(1),
  number: Count,
  count: Count,
  /** The input that was split. */
  whole: InputFacts,
  /** The records of this folder. */
  here: InputFacts,
});
export type SplitFile = z.infer<typeof SplitFile>;

/**
 * The `split.json` of a folder; null if the folder was not split, and so has the whole input.
 * @throws PublishedFolderError if the folder has another share than the wanted one
 */
export function splitFileOf(root: string, wanted: Share): SplitFile | null {
  const path = join(root, SPLIT_FILE);
  if (!isThere(path)) return null;
  const split = SplitFile.safeParse(jsonIn(readRegularSync(path).toString())).data;
  if (split === undefined) throw new PublishedFolderError(`${path} is damaged; split again`);
  if (split.number === wanted.number && split.count === wanted.count) return split;
  throw new PublishedFolderError(
    `the published folder ${root} has part ${split.number}/${split.count}, not ${wanted.number}/${wanted.count}; ` +
      "name the folder of that part",
  );
}

/**
 * The facts of the whole input.
 * @param found the facts of the folder's records, whichever share they are in
 * @param isBad whether the folder has problems, which explain better why a record is missing
 * @throws PublishedFolderError if a split folder has other records than were written
 */
export function wholeOf(
  root: string,
  split: SplitFile | null,
  found: InputFacts,
  isBad: boolean,
): InputFacts {
  const { here, whole } = split ?? { here: found, whole: found };
  if (isBad || here.digest === found.digest) return whole;
  throw new PublishedFolderError(
    `the published folder ${root} has other records than crawldex split has written ` +
      `(${found.listings} listings and ${found.scans} scans of ${here.listings} and ${here.scans}); ` +
      "split again, or copy the folder again",
  );
}
