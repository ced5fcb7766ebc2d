import type { SiteSummary } from "../../contract/listing.js";
import { namesOf, own } from "../../contract/tables.js";
import {
  areStarts,
  BadColumnsError,
  Bytes,
  type Texts,
  textAt,
  textsOf,
} from "../columns/columns.js";
import { storedJson } from "../stored-json.js";

/** How a member of a summary is stored as a column of a segment's table. */
export interface TableColumn {
  /** `term` and `terms` are taxonomy entries, stored by their slugs. */
  readonly kind: "text" | "number" | "flag" | "texts" | "term" | "terms";
  readonly isNullable?: boolean;
}

/**
 * A column beside the summary: the checks that do not apply to the site, or that its scan lacks
 * (`ListingEntry.exempt`).
 */
const EXEMPT = "exempt";
export type ColumnName = keyof SiteSummary | typeof EXEMPT;

/** A column that only builds read, and so not one of `COLUMNS`: what extras keep of each latest report. */
export const GISTS = "gists";

/** A row of a table. Without checks that do not apply, its column `exempt` is empty. */
export interface TableRow extends SiteSummary {
  readonly exempt?: readonly string[] | undefined;
  readonly gists?: readonly string[] | undefined;
}

/**
 * The columns of a segment's table: those of a summary under the names of the contract (docs/contract.md#22-summary)
 * and in their order, then our own. A table may lack columns that a later version has added: they read as null.
 */
export const COLUMNS: Readonly<Record<ColumnName, TableColumn>> = {
  host: { kind: "text" },
  url: { kind: "text" },
  name: { kind: "text", isNullable: true },
  tagline: { kind: "text", isNullable: true },
  status: { kind: "text" },
  latestScore: { kind: "number", isNullable: true },
  latestBand: { kind: "text", isNullable: true },
  latestScoreVersion: { kind: "text", isNullable: true },
  latestScannedAt: { kind: "text", isNullable: true },
  platforms: { kind: "texts" },
  hosting: { kind: "text", isNullable: true },
  linkRel: { kind: "text" },
  category: { kind: "term", isNullable: true },
  tags: { kind: "terms" },
  capabilities: { kind: "texts" },
  logoUrl: { kind: "text", isNullable: true },
  ogImageUrl: { kind: "text", isNullable: true },
  highlighted: { kind: "flag" },
  [EXEMPT]: { kind: "texts" },
};

/** The columns of a summary, in the contract's order. */
export function summaryColumns(): (keyof SiteSummary)[] {
  return namesOf(COLUMNS).filter((name) => name !== EXEMPT);
}

/** The value of a row in a column. Terms are stored by their slugs: the manifest has their names. */
export function storedValue(row: TableRow, name: ColumnName) {
  if (name === "exempt") return row.exempt ?? [];
  if (name === "category") return row.category?.slug ?? null;
  if (name === "tags") return row.tags.map(({ slug }) => slug);
  return row[name];
}

/*
 * A segment's table, inflated: the length of the head, the head (JSON with each column's form and the lengths of its
 * parts), then the parts. Its bytes may be hostile, so no length is used unless the table has as many bytes.
 */

/** A column of texts or of lists of texts, with the values that its rows name. */
export interface TextColumn {
  readonly values: Texts;
  /** Where each row starts in `named`; one more entry than rows. */
  readonly starts: Uint32Array;
  /** Indexes in `values`. A row of a column without lists names one value, or none if it is null. */
  readonly named: Uint32Array;
}

/** A column of whole numbers or of truth values (0 and 1). */
interface NumberColumn {
  readonly values: Int32Array;
  /** 1 for each row that is null. */
  readonly nulls: Uint8Array;
}

function badTable(what: string): BadColumnsError {
  return new BadColumnsError(`its table is malformed: ${what}`);
}

/** How a column is stored; see `FORMS`. */
export type BriefForm = keyof typeof FORMS;
const LIST_FORMS: readonly string[] = ["lists", "indexes"];
export type BriefHead = readonly (readonly [string, BriefForm, ...number[]])[];

/** Bytes that no UTF-8 has: the end of a text, a null, and the listing's host within an address. */
export const TEXT_END = 0xff;
export const NULL_TEXT = 0xfd;
export const HOST = 0xfe;
/** Columns in which the listing's host is replaced. */
export const NAMES_HOST: readonly ColumnName[] = ["url", "logoUrl", "ogImageUrl"];
/** Bytes of a time, in milliseconds. The lowest bytes of all times come first. */
export const TIME_BYTES = 6;
/** The most bytes of a column's bits. Lists that need more are stored as indexes. */
export const BITS_MAX = 2 ** 20;

/** The columns of a table in the form of `write-table.ts`. Its methods throw BadColumnsError. */
export class BriefTable {
  readonly rows: number;
  readonly #columns = new Map<string, () => TextColumn | NumberColumn>();
  readonly #lists = new Set<string>();
  #hosts: Texts | null = null;

  /** @param bytes whole and undamaged */
  constructor(bytes: Uint8Array, rows: number) {
    this.rows = rows;
    // Each row has a different host, of at least one byte.
    if (rows > bytes.length) throw badTable("it is too short for its rows");
    const length =
      bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    let at = 4 + length;
    for (const [name, form, ...lengths] of headIn(bytes.subarray(4, at))) {
      const parts = lengths.map((size) => {
        at += size;
        if (!(size >= 0 && at <= bytes.length)) throw badTable("it ends too early");
        return bytes.subarray(at - size, at);
      });
      const read = own(FORMS, form);
      if (read === undefined) throw badTable("a column has an unknown form");
      this.#columns.set(name, () => read(parts, rows, this.#hostsFor(name)));
      if (LIST_FORMS.includes(form)) this.#lists.add(name);
    }
    if (at !== bytes.length) throw badTable("it is longer or shorter than its parts");
  }

  has(name: string): boolean {
    return this.#columns.has(name);
  }

  /** @param isList whether each row is a list of texts */
  texts(name: string, isList: boolean): TextColumn {
    const column = this.#columns.get(name)?.();
    const isKind = column !== undefined && "named" in column && this.#lists.has(name) === isList;
    if (!isKind) throw badTable(`its column ${name} is missing, or of the wrong kind`);
    return column;
  }

  numbers(name: string): NumberColumn {
    const column = this.#columns.get(name)?.();
    if (column === undefined || "named" in column)
      throw badTable(`its column ${name} is missing, or of the wrong kind`);
    return column;
  }

  #hostsFor(name: string): Texts | null {
    if (!NAMES_HOST.some((one) => one === name)) return null;
    this.#hosts ??= this.texts("host", false).values;
    return this.#hosts;
  }
}

function headIn(bytes: Uint8Array): BriefHead {
  if (bytes.length > HEAD_MAX) throw badTable("its head is too large");
  try {
    return storedJson(bytes);
  } catch {
    throw badTable("its head is malformed");
  }
}

/** The most bytes of a head: about ten times as many as usual. */
const HEAD_MAX = 16_384;

type Parts = readonly Uint8Array[];

/** Reads each form of a column. @param hosts by row, if the column names them */
const FORMS = {
  /** A text for each row, or a null. */
  texts: ([bytes = NOTHING]: Parts, rows: number, hosts: Texts | null): TextColumn => {
    const { values, nulls } = endedTexts(bytes, rows, hosts);
    requireAllRows(nulls.length === rows);
    return { values, ...namedOnce(rows, (row) => nulls[row] === 0) };
  },
  /** All distinct texts, then for each row the index of its text, from 1; 0 is a null. */
  distinct: ([bytes = NOTHING, indexes = NOTHING]: Parts, rows: number): TextColumn => {
    const { values } = endedTexts(bytes, rows);
    requireAllRows(indexes.length === rows);
    const { starts } = namedOnce(rows, (row) => indexes[row] !== 0);
    return namedColumn(values, starts, Uint32Array.from(indexes.filter((index) => index > 0)));
  },
  /** All distinct texts in the order of the lists, then for each text one bit a row: whether the row's list has it. */
  lists: ([bytes = NOTHING, bits = NOTHING]: Parts, rows: number): TextColumn => {
    const { values, nulls } = endedTexts(bytes, 8 * BITS_MAX);
    const width = Math.ceil(rows / 8);
    if (bits.length !== width * nulls.length || bits.length > BITS_MAX)
      throw badTable("the bits of a column have the wrong length");
    const starts = new Uint32Array(rows + 1);
    const indexes: number[] = [];
    for (let row = 0; row < rows; row += 1) {
      for (let index = 0; index < nulls.length; index += 1) {
        if ((bits[index * width + (row >> 3)]! >> (row & 7)) & 1) indexes.push(index + 1);
      }
      starts[row + 1] = indexes.length;
    }
    return namedColumn(values, starts, Uint32Array.from(indexes));
  },
  /** All distinct texts, the length of each row's list, then all lists as indexes of texts, from 1. */
  indexes: (
    [bytes = NOTHING, lengths = NOTHING, lists = NOTHING]: Parts,
    rows: number,
  ): TextColumn => {
    const indexes = wordsIn(lists);
    const { values } = endedTexts(bytes, indexes.length);
    const starts = new Uint32Array(rows + 1);
    for (const [row, length] of wordsIn(lengths).entries()) starts[row + 1] = starts[row]! + length;
    requireAllRows(lengths.length === 4 * rows && areStarts(starts, indexes.length));
    return namedColumn(values, starts, indexes);
  },
  /** A time for each row, as `toISOString` writes it, or 0; then for each 0 the text, or a null. */
  times: ([bytes = NOTHING, others = NOTHING]: Parts, rows: number): TextColumn => {
    requireAllRows(bytes.length === TIME_BYTES * rows);
    const left = endedTexts(others, rows);
    let other = 0;
    let text = 0;
    const texts = Array.from({ length: rows }, (_, row) => {
      let time = 0;
      for (let at = TIME_BYTES - 1; at >= 0; at -= 1) time = 256 * time + bytes[at * rows + row]!;
      if (time > 0) return new Date(time).toISOString();
      const isNull = left.nulls[other] === 1;
      other += 1;
      if (isNull) return null;
      text += 1;
      return textAt(left.values, text - 1);
    });
    requireAllRows(other === left.nulls.length);
    const values = textsOf(texts.filter((one) => one !== null));
    return { values, ...namedOnce(rows, (row) => texts[row] !== null) };
  },
  /** A number for each row, from 1; 0 is a null. */
  numbers: ([bytes = NOTHING]: Parts, rows: number): NumberColumn => {
    requireAllRows(bytes.length === rows);
    return {
      values: Int32Array.from(bytes, (byte) => Math.max(0, byte - 1)),
      nulls: bytes.map((byte) => (byte === 0 ? 1 : 0)),
    };
  },
} as const;

const NOTHING = new Uint8Array(0);

function requireAllRows(areAll: boolean): void {
  if (!areAll) throw badTable("a column has the wrong number of rows");
}

/** A column whose rows name values by their indexes, from 1. */
function namedColumn(values: Texts, starts: Uint32Array, indexes: Uint32Array): TextColumn {
  const isKnown = indexes.every((index) => index > 0 && index < values.starts.length);
  if (!isKnown) throw badTable("a column names a value that it does not have");
  return { values, starts, named: indexes.map((index) => index - 1) };
}

/** The rows of a column whose values are in the order of the rows that have one. */
function namedOnce(
  rows: number,
  hasValue: (row: number) => boolean,
): Pick<TextColumn, "starts" | "named"> {
  const starts = new Uint32Array(rows + 1);
  for (let row = 0; row < rows; row += 1) starts[row + 1] = starts[row]! + (hasValue(row) ? 1 : 0);
  return { starts, named: Uint32Array.from({ length: starts[rows]! }, (_, at) => at) };
}

/** Numbers of four bytes each. */
function wordsIn(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.length >> 2 }, (_, at) => view.getUint32(4 * at, true));
}

/**
 * Reads texts that end with TEXT_END.
 * @param most how many texts there may be
 * @param hosts by text
 * @returns the texts without nulls, and for each of all whether it is null
 */
function endedTexts(
  bytes: Uint8Array,
  most: number,
  hosts: Texts | null = null,
): { values: Texts; nulls: number[] } {
  const texts = new Bytes(bytes.length);
  const starts: number[] = [0];
  const nulls: number[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(TEXT_END, from);
    if (end < 0 || nulls.length === most)
      throw badTable("a column has too many texts, or one without an end");
    const isNull = end === from + 1 && bytes[from] === NULL_TEXT;
    nulls.push(isNull ? 1 : 0);
    if (!isNull) {
      const at = hosts === null ? -1 : bytes.subarray(from, end).indexOf(HOST);
      if (hosts !== null && at >= 0) {
        const row = nulls.length - 1;
        texts.part(bytes, from, from + at);
        texts.part(hosts.bytes, hosts.starts[row] ?? 0, hosts.starts[row + 1] ?? 0);
        texts.part(bytes, from + at + 1, end);
      } else texts.part(bytes, from, end);
      starts.push(texts.length);
    }
    from = end + 1;
  }
  const values = { bytes: texts.taken(), starts: Uint32Array.from(starts) };
  requireTexts(values);
  return { values, nulls };
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Checks that each text is valid UTF-8: that all are together, and that none begins within a character. */
function requireTexts({ bytes, starts }: Texts): void {
  const isInside = starts.some((start) => ((bytes[start] ?? 0) & 0xc0) === 0x80);
  try {
    strict.decode(bytes);
  } catch {
    throw badTable("a text is not UTF-8");
  }
  if (isInside) throw badTable("a text is not UTF-8");
}
