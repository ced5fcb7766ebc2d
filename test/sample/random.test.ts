import { describe, expect, it } from "vitest";
import { permuted, Random } from "./generator/random.js";

const numbers = (length: number, draw: () => number) => Array.from({ length }, draw);

describe("the seeded stream", () => {
  it("is the same on every machine: its first numbers are these", () => {
    const random = new Random(1, 2, 3);
    expect(numbers(4, () => random.next())).toEqual([
      2228104983, 3747109959, 1633913724, 3406844660,
    ]);
  });

  it("differs when any key differs, or their order", () => {
    const first = (...keys: number[]) => new Random(...keys).next();
    const all = [first(1, 2, 3), first(1, 2, 4), first(1, 3, 3), first(2, 2, 3), first(3, 2, 1)];
    expect(new Set(all).size).toBe(all.length);
  });

  it("streams of 20,000 listings begin differently", () => {
    const starts = numbers(20_000, () => 0).map((_, index) => {
      const random = new Random(1, index, 0);
      return `${random.next()} ${random.next()}`;
    });
    expect(new Set(starts).size).toBe(20_000);
  });

  it("spreads evenly, and between() reaches both of its ends", () => {
    const random = new Random(7);
    const counts = new Map<number, number>();
    for (let i = 0; i < 20_000; i += 1) {
      const value = random.between(3, 6);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([3, 4, 5, 6]);
    for (const count of counts.values()) expect(Math.abs(count - 5_000)).toBeLessThan(300);
  });

  it("follows the weights in weighted(), and never picks a weight of zero", () => {
    const random = new Random(8);
    const drawn = Array.from({ length: 10_000 }, () =>
      random.weighted([
        ["often", 3],
        ["never", 0],
        ["seldom", 1],
      ] as const),
    );
    expect(drawn).not.toContain("never");
    const often = drawn.filter((outcome) => outcome === "often").length;
    expect(Math.abs(often - 7_500)).toBeLessThan(250);
  });

  it("gives the requested number of different items in some(), in the list's order, each equally often", () => {
    const random = new Random(9);
    const counts = [0, 0, 0, 0, 0];
    let wrong = 0;
    for (let i = 0; i < 5_000; i += 1) {
      const some = random.some([0, 1, 2, 3, 4], 2);
      if (some.length !== 2 || some[0]! >= some[1]!) wrong += 1;
      for (const item of some) counts[item]! += 1;
    }
    expect(wrong).toBe(0);
    for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(200);
    expect(random.some([1, 2], 5)).toEqual([1, 2]);
  });
});

describe("the permutation", () => {
  it.each([1, 2, 5, 16, 17, 1_000, 4_097])("of %i numbers gives each of them once", (size) => {
    for (const key of [0, 1, 2 ** 32 - 1]) {
      const image = Array.from({ length: size }, (_, index) => permuted(index, size, key));
      expect(image.toSorted((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, i) => i));
    }
  });

  it("differs by key, and leaves no run of neighbours together", () => {
    const image = (key: number) => Array.from({ length: 1_000 }, (_, i) => permuted(i, 1_000, key));
    const one = image(1);
    expect(image(2)).not.toEqual(one);
    const neighbours = one.filter((value, i) => Math.abs(value - (one[i + 1] ?? -9)) === 1);
    expect(neighbours.length).toBeLessThan(20);
  });
});
