import { join } from "node:path";
import { z } from "zod";
import { Count } from "../contract/field.js";
import { jsonIn } from "../files/lines.js";
import { readRegularSync } from "../files/regular.js";
import type { InputPart } from "../options/options.js";
import type { RecordsOf } from "./checking/rules.js";
import { isThere } from "./documents.js";
import { PublishedFolderError, SPLIT_FILE } from "./locating/files.js";
import { DIGEST_WORDS } from "./locating/record-index.js";

const HASHES = 2 ** 32;

/** The number of the part that hosts with this hash belong to, counted from 1. */
export function partNumberOf(hash: number, count: number): number {
  return Math.floor((hash * count) / HASHES) + 1;
}

/** The least and the greatest hash of a part's hosts. */
export function hashesOf({ number, count }: InputPart): readonly [first: number, last: number] {
  const start = (part: number) => Math.ceil((part * HASHES) / count);
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

  add(kind: RecordsOf, digest: Uint32Array): void {
    this.#counts[kind] += 1;
    for (const [word, value] of digest.entries()) this.#words[word]! += value;
  }

  facts(): InputFacts {
    const digest = Array.from(this.#words, (word) => word.toString(16).padStart(8, "0")).join("");
    return { ...this.#counts, digest };
  }
}

/** A part of an input, with the facts of the whole. */
export interface PartOfInput extends InputPart {
  readonly whole: InputFacts;
}

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

/** Chooses the records of a part, and finds the facts of the whole input. */
export class PartChoice {
  readonly #root: string;
  readonly #part: InputPart;
  /** Null if the folder was not split: it then has the whole input. */
  readonly #split: SplitFile | null;
  readonly #sum = new InputSum();

  /** @throws PublishedFolderError if the folder has another part than the wanted one */
  constructor(root: string, part: InputPart) {
    this.#root = root;
    this.#part = part;
    this.#split = readSplit(root);
    const { number, count } = this.#split ?? part;
    if (number === part.number && count === part.count) return;
    throw new PublishedFolderError(
      `the published folder ${root} has part ${number}/${count}, not ${part.number}/${part.count}; ` +
        "name the folder of that part",
    );
  }

  keeps(hash: number): boolean {
    return partNumberOf(hash, this.#part.count) === this.#part.number;
  }

  /** Counts a record of the folder, whichever part it is in. */
  add(kind: RecordsOf, digest: Uint32Array): void {
    this.#sum.add(kind, digest);
  }

  /**
   * @param isBad whether the folder has problems, which explain better why a record is missing
   * @throws PublishedFolderError if a split folder has other records than were written
   */
  found(isBad: boolean): PartOfInput {
    const found = this.#sum.facts();
    const { here, whole } = this.#split ?? { here: found, whole: found };
    if (isBad || here.digest === found.digest) return { ...this.#part, whole };
    throw new PublishedFolderError(
      `the published folder ${this.#root} has other records than crawldex split has written ` +
        `(${found.listings} listings and ${found.scans} scans of ${here.listings} and ${here.scans}); ` +
        "split again, or copy the folder again",
    );
  }
}

function readSplit(root: string): SplitFile | null {
  const path = join(root, SPLIT_FILE);
  if (!isThere(path)) return null;
  const split = SplitFile.safeParse(jsonIn(readRegularSync(path).toString())).data;
  if (split === undefined) throw new PublishedFolderError(`${path} is damaged; split again`);
  return split;
}
