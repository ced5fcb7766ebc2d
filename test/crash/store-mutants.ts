import { pick } from "./repetitions.js";

/*
 * Mutants of a store's files: one value, length or count is changed to a boundary value. What is published of them
 * has right checksums, as a faulty or hostile builder would give it.
 */

interface Mutant {
  /** Says what was changed, for example `column 12[3] = 4294967295`. */
  readonly name: string;
  /** Makes the mutant's bytes: thousands of files at a time would fill the memory. */
  readonly bytes: () => Uint8Array;
}

type Mutation = (bytes: Buffer, at: number, random: () => number) => Uint8Array;

const setTo =
  (value: (old: number, random: () => number) => number): Mutation =>
  (bytes, at, random) => {
    bytes[at] = value(bytes[at]!, random);
    return bytes;
  };

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "0": setTo(() => 0),
  "the greatest byte": setTo(() => 255),
  "another bit": setTo((old, random) => old ^ (1 << Math.floor(8 * random()))),
  "one more": setTo((old) => old + 1),
  "a large number": (bytes, at, random) => {
    const value = pick(random, [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, bytes.length, 1_000_000]);
    bytes.writeUInt32LE(value, Math.min(at, bytes.length - 4));
    return bytes;
  },
  "a long varint": (bytes, at) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.alloc(9, 255), Buffer.of(1), bytes.subarray(at)]),
  "bytes twice": (bytes, at, random) =>
    Buffer.concat([bytes.subarray(0, at + Math.ceil(9 * random())), bytes.subarray(at)]),
  "bytes left out": (bytes, at, random) =>
    Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + Math.ceil(9 * random()))]),
  "its end cut off": (bytes, at) => bytes.subarray(0, at),
};

/** Mutants of any file, in each way at each so many-th byte. */
export function byteMutants(file: Uint8Array, step: number, random: () => number): Mutant[] {
  return Object.entries(MUTATIONS).flatMap(([what, mutate]) => {
    const first = Math.floor(step * random());
    return Array.from({ length: Math.ceil((file.length - first) / step) }, (_, place) => {
      const at = first + step * place;
      return { name: `${what} at ${at}`, bytes: () => mutate(Buffer.from(file), at, random) };
    });
  });
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const NUMBERS = [0, -1, 0.5, 100, 101, 255, 256, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e308];
const TEXTS = [
  "",
  "x",
  "..",
  "../../etc/passwd",
  "/etc/passwd",
  "segments",
  "constructor",
  "__proto__",
  "\u0000",
  "\u202e\u001b[31m",
  "\ud800",
  "a".repeat(300),
  "zz.example",
];

/** Items of a list that are changed: its first two. The others are alike. */
const ITEMS_CHANGED = 2;

interface JsonMutant {
  readonly name: string;
  readonly document: () => unknown;
}

/** Mutants of a JSON document: each of its fields at a time is lost, of another type, or at a boundary. */
export function jsonMutants(document: object): JsonMutant[] {
  const mutants: JsonMutant[] = [];
  const visit = (path: readonly (string | number)[], value: Json): void => {
    for (const other of othersFor(value)) {
      mutants.push({
        name: `${path.join(".")} = ${text(other)}`,
        document: () => put(path, other),
      });
    }
    if (path.length > 0) mutants.push({ name: `no ${path.join(".")}`, document: () => put(path) });
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const step = Array.isArray(value) ? Number(key) : key;
      if (typeof step === "number" && step >= ITEMS_CHANGED) break;
      visit([...path, step], inner);
    }
  };
  const put = (path: readonly (string | number)[], other?: Json): unknown => {
    if (path.length === 0) return other;
    const copy = structuredClone(document) as Json;
    let at = copy as { [key: string | number]: Json };
    for (const step of path.slice(0, -1)) at = at[step] as typeof at;
    const last = path.at(-1)!;
    if (other === undefined) delete at[last];
    else at[last] = other;
    return copy;
  };
  visit([], document as Json);
  return mutants;
}

function othersFor(value: Json): Json[] {
  if (typeof value === "number") return [...NUMBERS, value - 1, value + 1, "1", null];
  if (typeof value === "string") return [...TEXTS, `${value}x`, value.slice(1), 7, null, [], {}];
  if (typeof value === "boolean") return [!value, 1, "true", null];
  if (value === null) return [0, "x", [], {}, false];
  if (Array.isArray(value)) {
    const [first, second, ...rest] = value;
    const others: Json[] = [[], {}, null, "x", [null], [...value, null]];
    if (first !== undefined) others.push([first, ...value]);
    if (first !== undefined && second !== undefined) others.push([second, first, ...rest]);
    return others;
  }
  return [{}, [], null, "x", 0, { ...value, more: 1 }];
}

function text(value: Json): string {
  return JSON.stringify(value).slice(0, 60);
}
