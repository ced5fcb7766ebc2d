/*
 * Besides the segments that it erases from, a build rewrites segments that are mostly dead, and joins small ones once
 * there are many. So its work, averaged over builds, is at most a constant times what has changed.
 */

/** A segment with fewer live listings than this share of a full one is small. */
const SMALL = 1 / 2;
/** Small segments that may be in a store before they are joined. */
const SMALL_MAX = 8;

/** A segment of the last build, after the changes since. */
export interface SegmentState {
  /** All of its listings, dead ones too. */
  readonly listings: number;
  readonly liveListings: number;
  /** Whether it has a row, live or dead, that may not stay. */
  readonly isErased: boolean;
}

/** @param size listings in a full segment */
export function segmentsToRewrite<S extends SegmentState>(
  segments: readonly S[],
  size: number,
): Set<S> {
  const isDue = ({ listings, liveListings, isErased }: S) =>
    isErased || 2 * liveListings < listings;
  const due = new Set(segments.filter(isDue));
  const isSmall = (one: S) => !due.has(one) && one.liveListings < SMALL * size;
  const small = segments.filter(isSmall);
  if (small.length > SMALL_MAX) for (const one of small) due.add(one);
  return due;
}

/** Divides rows evenly among as few new segments as they need, in their order. */
export function evenParts<R>(rows: readonly R[], size: number): R[][] {
  const count = Math.ceil(rows.length / size);
  const each = Math.ceil(rows.length / Math.max(1, count));
  return Array.from({ length: count }, (_, part) => rows.slice(part * each, (part + 1) * each));
}
