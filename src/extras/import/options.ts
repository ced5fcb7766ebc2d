import { isObject } from "../../contract/values.js";
import {
  FILE,
  FOLDER,
  flag,
  listOf,
  type OptionTable,
  oneOfTexts,
  optional,
  type Rule,
  text,
  withDefault,
} from "../../lib/options.js";

/** What the rows of a table may be: records, or entries of taxonomy.json and standards.json. */
export const TABLE_KINDS = [
  "listings",
  "scans",
  "categories",
  "tags",
  "platforms",
  "checks",
] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

/** Options of `importTables`. */
export interface ImportOptions {
  /** The published directory. A new or missing folder gets the documents of `crawldex init`. Default: "published". */
  readonly published?: string | undefined;
  /** What the rows are. Default: listings or scans, whichever more columns fit. */
  readonly as?: TableKind | undefined;
  /** The field of a column, by the column's name; "" leaves the column out. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /** Whether to change records that are there already. Default: false. */
  readonly update?: boolean | undefined;
  /** Whether to replace the files that earlier imports of tables of the same names wrote. Default: false. */
  readonly replace?: boolean | undefined;
  /** Words that stand for an empty cell, such as NULL. Default: none. */
  readonly null?: readonly string[] | undefined;
  /** The tables' encoding, such as windows-1252. Default: UTF-8, or UTF-16 with a byte-order mark. */
  readonly encoding?: string | undefined;
  /** The scanner whose files these are, or the path of a mapping (docs/scanners.md). Default: they are tables. */
  readonly from?: string | undefined;
  /**
   * With `from`: whether the scanner's newest scan is the published one where a site has scans of others. Default: as
   * an earlier import was told; true if the directory has no other standards.
   */
  readonly counts?: boolean | undefined;
}

const MAP: Rule<Readonly<Record<string, string>>> = {
  expected: "an object of columns and their fields",
  accepts: (value): value is Readonly<Record<string, string>> =>
    isObject(value) && Object.values(value).every((field) => typeof field === "string"),
};

const ENCODING: Rule<string> = {
  expected: "the name of an encoding, such as windows-1252",
  accepts: (value): value is string => {
    try {
      return typeof value === "string" && new TextDecoder(value).encoding !== "";
    } catch {
      return false;
    }
  },
};

const YES_OR_NO: Rule<boolean> = {
  expected: "yes or no",
  accepts: (value): value is boolean => typeof value === "boolean",
  fromText: (text) => (text === "yes" ? true : text === "no" ? false : text),
};

export const FILES: Rule<readonly string[]> = {
  expected: "a list of one or more paths of files",
  accepts: (value): value is readonly string[] =>
    Array.isArray(value) && value.length > 0 && value.every(FILE.accepts),
};

export const IMPORT = {
  published: withDefault(FOLDER, "published"),
  as: optional(oneOfTexts(TABLE_KINDS), {
    flags: "--as <kind>",
    help: "what the rows are (default: listings or scans, whichever more columns fit)",
  }),
  map: optional(MAP),
  update: flag("--update", "change the records that are there already, and add the others"),
  replace: flag("--replace", "replace the records of a table of the same name"),
  null: optional(listOf(text("a word"), "a list of texts"), {
    flags: "--null <word>",
    help: "a word that stands for an empty cell, such as NULL",
  }),
  encoding: optional(ENCODING, {
    flags: "--encoding <label>",
    help: "the tables' encoding, such as windows-1252 (default: UTF-8)",
  }),
  from: optional(text("the name of a format or the path of a mapping file"), {
    flags: "--from <scanner>",
    help: "the scanner whose files these are, or a mapping of its JSON",
  }),
  counts: optional(YES_OR_NO, {
    flags: "--counts <yes|no>",
    help: "with --from: whether its scans count where a site has scans of others",
  }),
} satisfies OptionTable<ImportOptions>;
