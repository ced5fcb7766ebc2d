import { it, type TestFunction } from "vitest";

/*
 * `npm test` is quick: of what takes long it does a share. `npm run test:slow` runs the files that import this module
 * again, at full length; with `SLOW_RUN=ci`, at a quarter of it.
 */

const isSlow = process.env.TEST_RUN === "slow";
/** How much is done of that by which the full length exceeds the quick one. */
const SHARE = process.env.SLOW_RUN === "ci" ? 1 / 4 : 1;

/** How often a test repeats itself: in `npm test`, and in `npm run test:slow`. */
export function repeated(quick: number, slow: number): number {
  return isSlow ? quick + Math.round((slow - quick) * SHARE) : quick;
}

/** So many of the cases, evenly spread over the list; `npm run test:slow` tries more of them. */
export function someOf<T>(cases: readonly T[], quick: number): T[] {
  const count = repeated(Math.min(quick, cases.length), cases.length);
  const share = (i: number) => Math.floor((i * count) / cases.length);
  return cases.filter((_, i) => share(i) !== share(i - 1));
}

/** A test that runs in `npm run test:slow` alone. */
export function slowIt(title: string, test: TestFunction): void {
  if (isSlow) it(title, test);
}
