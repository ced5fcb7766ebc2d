import { count, plural } from "./drawing/amounts.js";

/** Listings that are not in search, in words. */
export interface LeftOutTexts {
  readonly total: number;
  /** `3 removed, 12 unscanned` */
  readonly reasons: string;
  /** `15 listings not in search: 3 removed, 12 unscanned` */
  readonly sentence: string;
}

/**
 * @param counts how many listings each reason keeps out of search
 * @returns null if there are none
 */
export function leftOutTexts(counts: Readonly<Record<string, number>>): LeftOutTexts | null {
  const found = Object.entries(counts).filter(([, listings]) => listings > 0);
  const total = found.reduce((sum, [, listings]) => sum + listings, 0);
  if (total === 0) return null;
  const reasons = found.map(([why, listings]) => `${count(listings)} ${why}`).join(", ");
  return { total, reasons, sentence: `${plural(total, "listing")} not in search: ${reasons}` };
}
