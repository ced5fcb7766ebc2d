import {
  FOLDER,
  flag,
  type OptionTable,
  optional,
  type Rule,
  withDefault,
} from "../../lib/options.js";

/** Options of `importScans`. */
export interface ImportScansOptions {
  /** The published directory. A new or empty folder becomes one, with the scanner's standards. Default: "published". */
  readonly published?: string | undefined;
  /**
   * Whether the scanner's newest scan is the published one where a site has scans of others. Default: what an earlier
   * import was told; true if the directory has no other standards.
   */
  readonly counts?: boolean | undefined;
  /** Whether to replace scans that the directory has with other content. Default: false. */
  readonly update?: boolean | undefined;
}

const YES_OR_NO: Rule<boolean> = {
  expected: "yes or no",
  accepts: (value): value is boolean => typeof value === "boolean",
  fromText: (text) => (text === "yes" ? true : text === "no" ? false : text),
};

export const SCANS = {
  published: withDefault(FOLDER, "published"),
  counts: optional(YES_OR_NO, {
    flags: "--counts <yes|no>",
    help: "whether the scanner's scans count where a site has scans of others",
  }),
  update: flag("--update", "replace scans that are there already with other content"),
} satisfies OptionTable<ImportScansOptions>;
