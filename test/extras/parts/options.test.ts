import { Option } from "commander";
import { expect, it } from "vitest";
import { parseShare, SPLIT } from "../../../src/extras/parts/options.js";

it("the options of splitPublished have defaults that they accept, and the names of their flags", () => {
  for (const [name, option] of Object.entries(SPLIT)) {
    const { rule, usual } = option;
    if (usual !== undefined) expect([name, rule.accepts(usual)]).toEqual([name, true]);
    if ("flag" in option) expect(new Option(option.flag?.flags ?? "").attributeName()).toBe(name);
  }
});

it("a part has a number from 1 to the count of parts, which is at most 1000", () => {
  expect(parseShare("3/16")).toEqual({ number: 3, count: 16 });
  expect(parseShare("1000/1000")).toEqual({ number: 1000, count: 1000 });
  for (const wrong of ["0/4", "5/4", "1/1001", "01/4", "1/4 ", "1", 1, undefined]) {
    expect(parseShare(wrong)).toBeNull();
  }
});
