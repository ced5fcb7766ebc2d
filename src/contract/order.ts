/** Compares by UTF-16 code unit, the one order of texts that no locale changes. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
