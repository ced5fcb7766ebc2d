import { describe, expect, it } from "vitest";
import { barLine, type Pace, paced, rateOf, secondsLeft } from "../../../cli/drawing/bar.js";
import { cellsOf, plain } from "../../../cli/drawing/cells.js";
import { PHASES, type Phase } from "../../../src/options/defaults.js";

/** A pace after reports of `[ms, done]`. */
function paceOf(
  reports: readonly (readonly [number, number])[],
  total: number,
  phase: Phase = PHASES.compiling,
): Pace {
  let pace: Pace | null = null;
  for (const [ms, done] of reports) pace = paced(pace, phase, done, total, ms);
  if (pace === null) throw new Error("no report");
  return pace;
}

/** A report each 100 ms, at so many units a second. */
function steady(seconds: number, rate: number, from = 0, start = 0): [number, number][] {
  return Array.from({ length: seconds * 10 + 1 }, (_, at) => [
    start + at * 100,
    from + (at * rate) / 10,
  ]);
}

describe("the pace of a phase", () => {
  it("of steady work is its rate, which gives the time left", () => {
    const pace = paceOf(steady(5, 200), 3_000);
    expect(rateOf(pace)).toBeCloseTo(200, 6);
    expect(secondsLeft(pace)).toBe(10);
  });

  it("counts only the work done since the phase began", () => {
    expect(rateOf(paceOf(steady(3, 50, 9_000), 10_000))).toBeCloseTo(50, 6);
  });

  it("follows a change within seconds, and hardly moves at one slow moment", () => {
    const fast = steady(10, 1_000);
    const slow = steady(10, 100, 10_000, 10_000).slice(1);
    expect(rateOf(paceOf([...fast, ...slow], 50_000))).toBeLessThan(200);
    const pause: [number, number][] = [[10_400, 10_000]];
    const rate = rateOf(paceOf([...fast, ...pause], 50_000)) ?? 0;
    expect(rate).toBeGreaterThan(850);
    expect(rate).toBeLessThan(1_000);
  });

  it("leaves out the time in which the process was stopped", () => {
    const later = steady(1, 1_000, 5_001, 605_000);
    const pace = paceOf([...steady(5, 1_000), [604_900, 5_001], ...later], 10_000);
    expect(rateOf(pace)).toBeGreaterThan(900);
  });

  it("is unknown at first, while nothing is done, and if the amount is unknown", () => {
    expect(rateOf(paceOf(steady(0, 10), 100))).toBeNull();
    expect(rateOf(paceOf(steady(0.5, 10), 100))).toBeNull();
    const still = paceOf(steady(3, 0), 100);
    expect([rateOf(still), secondsLeft(still)]).toEqual([null, null]);
    expect(secondsLeft(paceOf(steady(3, 10), 0))).toBeNull();
    expect(secondsLeft(paceOf(steady(3, 1), 10_000_000))).toBeNull();
  });

  it("starts afresh with each phase, and with a phase that starts again", () => {
    const reading = paceOf(steady(5, 1_000), 5_000, PHASES.scans);
    const compiling = paced(reading, PHASES.compiling, 0, 300, 6_000);
    expect(compiling).toMatchObject({ since: 6_000, done: 0, weight: 0 });
    expect(paced(reading, PHASES.scans, 10, 5_000, 6_000)).toMatchObject({
      since: 6_000,
      weight: 0,
    });
  });
});

describe("the line of a phase", () => {
  const pace = paceOf(steady(5, 2_080), 20_000);

  it("has a name, a bar, per cent, amounts, rate and time left if there is room", () => {
    expect(barLine(pace, 120, plain)).toBe(
      `compiling ${"█".repeat(15)}${"░".repeat(15)}  52 %  10,400 of 20,000 records   2,080/s   0:05 left`,
    );
  });

  it("leaves out the least important parts first: amounts, rate, time left, the bar, per cent", () => {
    const lines = [70, 60, 40, 30, 19, 12, 6].map((width) => barLine(pace, width, plain));
    expect(lines).toEqual([
      `compiling ${"█".repeat(15)}${"░".repeat(14)}  52 %   2,080/s   0:05 left`,
      `compiling ${"█".repeat(9)}${"░".repeat(10)}  52 %   2,080/s   0:05 left`,
      `compiling ${"█".repeat(4)}${"░".repeat(5)}  52 %   0:05 left`,
      `compiling ${"█".repeat(5)}${"░".repeat(6)}  52 %`,
      "compiling  52 %",
      "compiling",
      "co…",
    ]);
  });

  it("shows bytes in units that people read", () => {
    const reading = paceOf(steady(5, 12e6), 2_500e6, PHASES.scans);
    expect(barLine(reading, 120, plain)).toMatch(
      / {3}2 % {3}60 MB of 2\.5 GB {3}12 MB\/s {3}3:23 left$/,
    );
  });

  it("does not move as figures grow: the bar has one length at one width", () => {
    for (const width of [40, 80, 120]) {
      const lengths = [0, 9, 999, 9_999, 20_000].map((done) => {
        const line = barLine(paceOf([...steady(2, done / 4), [3_000, done]], 20_000), width, plain);
        return line.replaceAll(/[^█░]/g, "").length;
      });
      expect(new Set(lengths).size).toBe(1);
    }
  });

  it("never reaches the last columns, at any width, in any state and phase", () => {
    const totals = [0, 7, 1_000_000, 5e12];
    for (const phase of [PHASES.scans, PHASES.compiling, PHASES.rollingBack]) {
      for (const total of totals) {
        for (let width = 1; width <= 130; width += 4) {
          for (const rate of [0, total / 9, total / 1e5]) {
            const line = barLine(paceOf(steady(1, rate), total, phase), width, plain);
            expect(cellsOf(line)).toBeLessThanOrEqual(Math.max(0, width - 3));
          }
        }
      }
    }
  });

  it("is empty at the start, full at the end, and no fuller if more is done than expected", () => {
    const at = (done: number) => barLine(paceOf([[0, done]], 100), 30, plain);
    expect(at(0)).toBe(`compiling ${"░".repeat(11)}   0 %`);
    expect(at(100)).toBe(`compiling ${"█".repeat(11)} 100 %`);
    expect(at(250)).toBe(at(100));
    expect(at(99)).toBe(`compiling ${"█".repeat(10)}░  99 %`);
  });

  it("shows the elapsed time if the amount of work is unknown", () => {
    expect(barLine(paceOf(steady(65, 0), 0, PHASES.publishing), 80, plain)).toBe("publishing 1:05");
  });
});
