import { describe, expect, it } from "vitest";
import { SCRIPTS } from "#scripts/names";
import { SCRIPT_ASSETS } from "#scripts/texts";
import { ASSET_NAME, hashOf } from "../../../src/pages/kit/assets.js";

describe("the scripts of pages", () => {
  it("are named after their entries and their texts", () => {
    const named = Object.fromEntries(SCRIPT_ASSETS.map(({ name, type }) => [name, { name, type }]));
    expect(Object.values(SCRIPTS)).toEqual(Object.values(named));
    expect(SCRIPT_ASSETS.length).toBeGreaterThan(4);
    for (const [entry, { name }] of Object.entries(SCRIPTS)) {
      const { text = "" } = SCRIPT_ASSETS.find((one) => one.name === name) ?? {};
      expect([name, ASSET_NAME.test(name)]).toEqual([`${entry}-${hashOf(text)}.js`, true]);
    }
  });

  it("are whole: they import nothing, and have neither comments nor source maps", () => {
    for (const { name, text } of SCRIPT_ASSETS) {
      expect([
        name,
        /(?:^|;)(?:import|export)\b(?!\.)|^\s*\/[/*]|sourceMappingURL/m.exec(text),
      ]).toEqual([name, null]);
      expect(text.length).toBeGreaterThan(100);
    }
  });

  it("have the script that copies texts in their own: a page loads at most one", () => {
    const textOf = ({ name }: { name: string }) =>
      SCRIPT_ASSETS.find((one) => one.name === name)?.text;
    for (const one of [
      SCRIPTS.report,
      SCRIPTS.watch,
      SCRIPTS.api,
      SCRIPTS.explorer,
      SCRIPTS.quote,
    ]) {
      expect(textOf(one)).toContain("Copying failed");
    }
    expect(textOf(SCRIPTS.matrix)).not.toContain("Copying failed");
  });
});
