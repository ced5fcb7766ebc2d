/** Compares by UTF-16 code unit, the one order of texts that no locale changes. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The first place from `low` to before `high` for which a condition holds that holds for all after it; else `high`. */
export function firstWhere(low: number, high: number, holds: (place: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
