import { describe, expect, it } from "vitest";
import { EXTRA_SCRIPTS, ICON, SCRIPTS, STYLES } from "#scripts/names";
import { ASSETS } from "#scripts/texts";
import { ASSET_NAME, hashOf } from "../../../src/pages/kit/page-names.js";

const textOf = ({ name }: { readonly name: string }) =>
  ASSETS.find((one) => one.name === name)?.text ?? "";

describe("the files that pages load", () => {
  it("are named after their entries and their texts", () => {
    const named = { ...STYLES, icon: ICON };
    const files = [
      ...Object.values(named),
      ...Object.values(SCRIPTS),
      ...Object.values(EXTRA_SCRIPTS),
    ];
    expect(files).toEqual(ASSETS.map(({ name, type }) => ({ name, type })));
    expect(new Set(files.map(({ name }) => name)).size).toBe(ASSETS.length);
    const all = { ...named, ...SCRIPTS, ...EXTRA_SCRIPTS };
    for (const [entry, file] of Object.entries(all)) {
      const ending = file.name.split(".").at(-1);
      const text = textOf(file);
      expect(file.name).toBe(`${entry}-${hashOf(text)}.${ending}`);
      expect(file.name).toMatch(ASSET_NAME);
      expect(text.length).toBeGreaterThan(100);
    }
  });

  it("are whole: they import nothing, and have neither comments nor source maps", () => {
    for (const { name, text } of ASSETS) {
      const found = /(?:^|;)@?(?:import|export)\b(?!\.)|^\s*\/[/*]|sourceMappingURL/m.exec(text);
      expect([name, found]).toEqual([name, null]);
    }
  });

  it("have the script that copies texts in their own: a page loads at most one", () => {
    const { report, watch, api, explorer, quote, register } = SCRIPTS;
    for (const one of [report, watch, api, explorer, quote]) {
      expect(textOf(one)).toContain("Copying failed");
    }
    expect(textOf(register)).not.toContain("Copying failed");
  });
});
