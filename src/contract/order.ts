/** Compares by UTF-16 code unit, the only order of texts that does not depend on a locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Binary search in [`low`, `high`): the first place that `holds`, else `high`. All places after it must hold too. */
export function firstWhere(low: number, high: number, holds: (place: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
