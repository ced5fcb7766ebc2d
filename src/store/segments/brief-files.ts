import type { Segment } from "../format.js";

/** The segments whose tables a tree has in one file. */
export interface BriefFile<Own> {
  /** Relative to `data/`. */
  readonly file: string;
  readonly segments: readonly Own[];
}

/** A segment with fewer rows has a file of its own: it is new, and soon part of another segment. */
const ROWS_MIN = 256;
/** The most rows of a file with several segments. A report needs the file with its own row. */
const ROWS_MAX = 2_560;
/** Digits of a segment's name in that of its file, each of four bits. */
const DIGITS = 16;
/** Another form of these files needs another ending. */
const ENDING = ".briefs";

/**
 * The files in which a tree has the tables of segments, in order. Together, alike tables take a sixth fewer bytes. About
 * each eighth segment begins a file because of its name, so that a segment that goes changes few files.
 */
export function briefFiles<Own extends Pick<Segment, "table" | "rows">>(
  segments: readonly Own[],
): BriefFile<Own>[] {
  const files: Own[][] = [];
  let rows = 0;
  for (const segment of segments) {
    const isNext =
      rows >= ROWS_MIN &&
      segment.rows >= ROWS_MIN &&
      rows + segment.rows <= ROWS_MAX &&
      !/^[01]/.test(hashOfTable(segment));
    if (isNext) files.at(-1)?.push(segment);
    else files.push([segment]);
    rows = segment.rows + (isNext ? rows : 0);
  }
  return files.map((own) => ({
    file: `segments/${own.map((segment) => hashOfTable(segment).slice(0, DIGITS)).join("-")}${ENDING}`,
    segments: own,
  }));
}

/** The name of a segment's table, a hash in hex. */
function hashOfTable({ table }: Pick<Segment, "table">): string {
  return table.file.replace(/^segments\/|\.parquet$/g, "");
}
