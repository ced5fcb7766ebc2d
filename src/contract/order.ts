/** Compares by UTF-16 code unit, the only order of texts that does not depend on a locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Binary search in [`low`, `high`): the first index that `holds`, else `high`. All indexes after it must hold too. */
export function firstWhere(low: number, high: number, holds: (index: number) => boolean): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Seconds from two days before the year 0 to 1970. Adding them makes every key positive, whatever the offset. */
const EPOCH_SHIFT = 62_167_219_200 + 2 * 86_400;

/**
 * A sort key for a date-time with offset. Keys compare by code unit exactly as the instants do, even below a
 * millisecond and across offsets (docs/contract.md#5-order).
 * @throws RangeError if the text is not a date-time with offset
 */
export function instantKey(dateTime: string): string {
  // `s` keeps the time that the expression takes proportional to the text, whatever the text is.
  const [, whole, fraction = "", offset] = /^(.{19})(?:\.(\d+))?(\D.*)$/s.exec(dateTime) ?? [];
  const seconds = Date.parse(`${whole}${offset}`) / 1000 + EPOCH_SHIFT;
  if (Number.isNaN(seconds)) throw new RangeError(`not a date-time with offset: ${dateTime}`);
  let end = fraction.length;
  while (fraction[end - 1] === "0") end -= 1;
  return `${String(seconds).padStart(12, "0")}.${fraction.slice(0, end)}`;
}

/**
 * Folds a text for literal matching, so that a text contains each of its own pieces in any case. Applies NFC,
 * lower-cases each code point by itself, reads a final sigma as a sigma and an `i` with a dot above as an `i`, then
 * applies NFC again. So `istanbul` finds `İstanbul`, whose first letter is lower-cased to an `i` and a combining dot.
 *
 * A piece that starts or ends between a letter and its combining mark may fold to another letter, and finds the text
 * only if the text has that letter.
 *
 * Lower-casing the whole text at once has the same result: the only rule of `toLowerCase` that depends on
 * neighbours is the one for final sigma, and the replacement undoes it.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const lower = text.normalize("NFC").toLowerCase();
  return lower.replaceAll("ς", "σ").replaceAll("i\u0307", "i").normalize("NFC");
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
