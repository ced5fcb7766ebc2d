import type { Report } from "../../contract/report.js";
import { counted } from "../kit/words.js";

/*
 * A scan may have up to 16 MiB, which would take seconds to render. So the build stores an excerpt beside each report
 * that is too large. Pages, Markdown and the exported tree all render the same excerpt.
 */

/** The stored excerpt of a report, in the form of the report's own answer. */
export interface Excerpt {
  readonly data: Report;
  readonly left: LeftOut;
}

/** What an excerpt omits, by part of the report. A complete part has no entry. */
export type LeftOut = Readonly<Partial<Record<keyof Report, OmittedEntries>>>;

interface OmittedEntries {
  /** The number of omitted entries, at any depth of the part. 0 if only texts are cut. */
  readonly more: number;
  /** The true number of checks, of scans in the history, or of sampled pages; absent for other parts. */
  readonly of?: number | undefined;
}

export const NOTHING_LEFT_OUT: LeftOut = {};

const decoder = new TextDecoder();

/** Reads a stored report or excerpt. */
export function readDrawn(bytes: Uint8Array): { readonly report: Report; readonly left: LeftOut } {
  const { data, left = NOTHING_LEFT_OUT }: Pick<Excerpt, "data"> & Partial<Excerpt> = JSON.parse(
    decoder.decode(bytes),
  );
  return { report: data, left };
}

/** The number of entries that a part's list has in the full report. */
export function totalOf(
  part: "checks" | "history" | "pages",
  list: readonly unknown[],
  left: LeftOut,
): number {
  return left[part]?.of ?? list.length;
}

/** The note for an incomplete part, to be followed by a link to the JSON; null if the part is complete. */
export function leftOutText(part: keyof Report, left: LeftOut): string | null {
  const more = left[part]?.more;
  if (more === undefined) return null;
  const what =
    more === 0
      ? "Long texts are shortened"
      : `… and ${counted(more, "more entry", "more entries")}`;
  return `${what}; the rest is in the `;
}
