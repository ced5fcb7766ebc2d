/** Formats `1234567` as `1,234,567`. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3}){1,6}$)/g, ",");
}

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"];

/** Formats bytes in decimal units, in the largest unit with a whole part of at least 1: `5.6 MB`. */
export function bytes(value: number): string {
  let rest = value;
  let unit = 0;
  // A value that would round to 1000 uses the next unit.
  while (rest >= 999.5 && unit < BYTE_UNITS.length - 1) {
    rest /= 1_000;
    unit += 1;
  }
  return `${unit > 0 && rest < 9.95 ? rest.toFixed(1) : count(rest)} ${BYTE_UNITS[unit]}`;
}

/** Formats an elapsed time: `0.4 s`, `12 s`, `3:05 min`, `1:02:03 h`. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  return `${clock(seconds)} ${seconds < 3_600 ? "min" : "h"}`;
}

/** Formats seconds as `0:09`, `3:05`, `1:02:03`. */
export function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** A count with its noun: `1 error`, `2,000 errors`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

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
