import { it, type TestFunction } from "vitest";

/*
 * `npm test` is quick: of what takes long it does a share. `npm run test:slow` runs the files that import this module
 * again, at full length.
 */

const isSlow = process.env.TEST_RUN === "slow";

/** How often a test repeats itself: in `npm test`, and in `npm run test:slow`. */
export function repeated(quick: number, slow: number): number {
  return isSlow ? slow : quick;
}

/** So many of the cases, evenly spread over the list; `npm run test:slow` tries all of them. */
export function someOf<T>(cases: readonly T[], quick: number): T[] {
  if (isSlow) return [...cases];
  const share = (i: number) => Math.floor((i * quick) / cases.length);
  return cases.filter((_, i) => share(i) !== share(i - 1));
}

/** A test that runs in `npm run test:slow` alone. */
export function slowIt(title: string, test: TestFunction): void {
  if (isSlow) it(title, test);
}
