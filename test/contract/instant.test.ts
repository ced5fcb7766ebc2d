import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantKey } from "../../src/contract/order.js";

describe("the sort key of an instant (recent is by instant)", () => {
  it("takes time in proportion to the text, so that no hostile text holds a reader up", () => {
    const zeros = "0".repeat(1_000_000);
    const key = instantKey(`2026-08-09T03:31:12.${zeros}1Z`);
    expect(key.endsWith(`.${zeros}1`)).toBe(true);
    expect(() => instantKey(`2026-08-09T03:31:12.${"1".repeat(1_000_000)}\n`)).toThrow(RangeError);
  });

  it("orders as the instants do, from the year 0 to 9999", () => {
    const offset = fc.constantFrom("Z", "+14:00", "-12:00", "+05:30");
    const dateTime = fc
      .tuple(
        fc.date({ min: new Date("0000-01-02T00:00:00Z"), max: new Date("9999-12-30T00:00:00Z") }),
        offset,
      )
      .filter(([date]) => !Number.isNaN(date.getTime()))
      .map(([date, zone]) => date.toISOString().replace("Z", zone));
    fc.assert(
      fc.property(dateTime, dateTime, (a, b) => {
        const byKey = instantKey(a) < instantKey(b) ? -1 : instantKey(a) > instantKey(b) ? 1 : 0;
        expect(byKey).toBe(Math.sign(Date.parse(a) - Date.parse(b)));
      }),
      { seed: 7, numRuns: 2_000 },
    );
  });

  it("refuses a text that is not a date-time", () => {
    expect(() => instantKey("yesterday")).toThrow("not a date-time with offset: yesterday");
  });
});
