/** Seconds from two days before the year 0 to 1970. Adding them makes every key positive, whatever the offset. */
const EPOCH_SHIFT = 62_167_219_200 + 2 * 86_400;

/**
 * A sort key for a date-time with offset. Keys compare by code unit exactly as the instants do, even below a
 * millisecond and across offsets (decisions, Order: `recent` is by instant).
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
