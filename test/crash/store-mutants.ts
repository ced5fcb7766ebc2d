import { aligned } from "../../src/store/columns/file.js";
import { pick } from "./repetitions.js";

/*
 * Mutants of a store's files: one value, length or count is changed to a boundary value. What is published of them
 * has right checksums, as a faulty or hostile builder would give it.
 */

export interface Mutant {
  /** Says what was changed, for example `column 12[3] = 4294967295`. */
  readonly name: string;
  /** Makes the mutant's bytes: thousands of files at a time would fill the memory. */
  readonly bytes: () => Buffer;
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
export function byteMutants(file: Uint8Array, step: number, random: () => number) {
  return Object.entries(MUTATIONS).flatMap(([what, mutate]) => {
    const first = Math.floor(step * random());
    return Array.from({ length: Math.ceil((file.length - first) / step) }, (_, place) => {
      const at = first + step * place;
      return { name: `${what} at ${at}`, bytes: () => mutate(Buffer.from(file), at, random) };
    });
  });
}

/** A column of a file of columns, as its table describes it. */
interface ColumnPlace {
  /** Byte in the file of its row in the table: bytes an element, then bytes of the column. */
  readonly row: number;
  readonly size: number;
  readonly start: number;
  /** Bytes. */
  readonly length: number;
}

const HEAD_BYTES = 8;
const ROW_BYTES = 8;

function columnsOf(file: Buffer): ColumnPlace[] {
  const count = file.readUInt32LE(4);
  let end = aligned(HEAD_BYTES + ROW_BYTES * count);
  return Array.from({ length: count }, (_, column) => {
    const row = HEAD_BYTES + ROW_BYTES * column;
    const [size, length] = [file.readUInt32LE(row), file.readUInt32LE(row + 4)];
    const start = end;
    end = aligned(end + length);
    return { row, size, start, length };
  });
}

const READ = {
  1: (file: Buffer, at: number) => file.readUInt8(at),
  2: (file: Buffer, at: number) => file.readUInt16LE(at),
  4: (file: Buffer, at: number) => file.readUInt32LE(at),
  8: (file: Buffer, at: number) => file.readDoubleLE(at),
} as const;
const WRITE = {
  1: (file: Buffer, value: number, at: number) => file.writeUInt8(value, at),
  2: (file: Buffer, value: number, at: number) => file.writeUInt16LE(value, at),
  4: (file: Buffer, value: number, at: number) => file.writeUInt32LE(value, at),
  8: (file: Buffer, value: number, at: number) => file.writeDoubleLE(value, at),
} as const;
type Size = keyof typeof READ;

/** Mutants of a file of columns: every column's values, lengths and places, and every field of the table. */
export function columnMutants(file: Buffer): Mutant[] {
  const columns = columnsOf(file);
  return [
    ...headMutants(file, columns),
    ...columns.flatMap((column, number) => [
      ...valueMutants(file, column, number),
      ...lengthMutants(file, columns, number),
    ]),
  ].filter(({ bytes }) => !bytes().equals(file));
}

function changed(file: Buffer, name: string, change: (bytes: Buffer) => void): Mutant {
  const bytes = () => {
    const copy = Buffer.from(file);
    change(copy);
    return copy;
  };
  return { name, bytes };
}

/** One value of a column at a time, at its first, second, middle and last places. */
function valueMutants(file: Buffer, place: ColumnPlace, number: number): Mutant[] {
  const size = place.size as Size;
  const count = place.length / size;
  const places = [0, 1, Math.floor(count / 2), count - 2, count - 1];
  const valid = [...new Set(places)].filter((at) => at >= 0 && at < count);
  return valid.flatMap((at) => {
    const offset = place.start + size * at;
    const value = READ[size](file, offset);
    const mutants = boundaryValues(size, value, count).map((other) =>
      changed(file, `column ${number}[${at}] = ${other}`, (bytes) => {
        WRITE[size](bytes, other, offset);
      }),
    );
    if (at + 1 === count) return mutants;
    return [
      ...mutants,
      changed(file, `column ${number}[${at}] swapped with the next`, (bytes) => {
        WRITE[size](bytes, READ[size](file, offset + size), offset);
        WRITE[size](bytes, value, offset + size);
      }),
    ];
  });
}

function boundaryValues(size: Size, value: number, count: number): number[] {
  const around = [0, 1, value - 1, value + 1, count - 1, count, count + 1];
  if (size === 8) return [...around, -1, 0.5, 2 ** 53, 1e308, Number.NaN, Infinity, -Infinity];
  const most = 2 ** (8 * size) - 1;
  const values = [...around, most, most - 1, (most + 1) / 2];
  return [...new Set(values)].filter((one) => one >= 0 && one <= most);
}

/** The same file with one column of another length or filled with one value, and a table that fits. */
function lengthMutants(file: Buffer, columns: readonly ColumnPlace[], number: number): Mutant[] {
  const { start, length, size } = columns[number]!;
  const good = file.subarray(start, start + length);
  const others: readonly (readonly [string, Buffer])[] = [
    ["is empty", Buffer.alloc(0)],
    ["lacks its last element", good.subarray(0, Math.max(0, length - size))],
    ["lacks its first element", good.subarray(Math.min(size, length))],
    ["has an element more", Buffer.concat([good, good.subarray(0, size)])],
    ["has a zero more", Buffer.concat([good, Buffer.alloc(size)])],
    ["is twice as long", Buffer.concat([good, good])],
    ["is zeros", Buffer.alloc(length)],
    ["is ones", Buffer.alloc(length, 255)],
    ["is backwards", reversed(good, size)],
  ];
  return others.map(([name, other]) => ({
    name: `column ${number} ${name}`,
    bytes: () => replaced(file, columns, number, other),
  }));
}

function reversed(good: Buffer, size: number): Buffer {
  const elements = Array.from({ length: good.length / size }, (_, at) =>
    good.subarray(size * at, size * (at + 1)),
  );
  return Buffer.concat(elements.reverse());
}

function replaced(
  file: Buffer,
  columns: readonly ColumnPlace[],
  number: number,
  other: Buffer,
): Buffer {
  const head = Buffer.from(file.subarray(0, columns[0]!.start));
  head.writeUInt32LE(other.length, columns[number]!.row + 4);
  const parts = columns.map(({ start, length }, at) => {
    const bytes = at === number ? other : file.subarray(start, start + length);
    return Buffer.concat([bytes], aligned(bytes.length));
  });
  return Buffer.concat([head, ...parts]);
}

/** Every number of the head and the table, and the file's own length. */
function headMutants(file: Buffer, columns: readonly ColumnPlace[]): Mutant[] {
  const end = columns[0]!.start;
  const mutants: Mutant[] = [];
  for (let at = 0; at < end; at += 4) {
    const value = file.readUInt32LE(at);
    const others = [0, 1, 2, 3, 4, 8, value - 1, value + 1, value + 8, value * 2];
    for (const other of [...others, file.length, 2 ** 31, 2 ** 32 - 8, 2 ** 32 - 1]) {
      if (other < 0 || other > 2 ** 32 - 1) continue;
      mutants.push(
        changed(file, `head[${at}] = ${other}`, (bytes) => {
          bytes.writeUInt32LE(other, at);
        }),
      );
    }
  }
  for (const length of [0, 1, 4, 7, 8, 12, end - 1, end, file.length - 8, file.length - 1]) {
    mutants.push({ name: `the first ${length} bytes`, bytes: () => file.subarray(0, length) });
  }
  mutants.push({
    name: "eight bytes more",
    bytes: () => Buffer.concat([file, Buffer.alloc(8)]),
  });
  return mutants;
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

export interface JsonMutant {
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
