import { describe, expect, it } from "vitest";
import { readBrowserModules } from "../../../src/files/browser-modules.js";
import { MODULE_NAME } from "../../../src/pages/kit/assets.js";
import { modulesOf } from "../../../src/pages/kit/modules.js";

const compiled = readBrowserModules();
const { assets, names } = modulesOf(compiled);

describe("the modules that pages run", () => {
  it("are just those that the entries need, in one folder named after all of them", () => {
    expect(Object.values(names).flat().length).toBeGreaterThan(assets.length);
    for (const [page, all] of Object.entries(names)) {
      expect(all[0]).toMatch(new RegExp(`^[0-9a-f]{8}/browser/${page}\\.js$`));
      expect(assets.map(({ name }) => name)).toEqual(expect.arrayContaining([...all]));
    }
    expect(assets.filter(({ name }) => !MODULE_NAME.test(name))).toEqual([]);
    expect(new Set(assets.map(({ name }) => name.split("/")[0])).size).toBe(1);
    expect(assets.length).toBeLessThan(compiled.size);
  });

  it("import only each other, by existing addresses, and have no comments", () => {
    const there = new Set(assets.map(({ name }) => name));
    for (const { name, text } of assets) {
      const imported = [...text.matchAll(/^import\b[^"]*"([^"]+)"/gm)].map(([, address = ""]) =>
        new URL(address, `file:///${name}`).pathname.slice(1),
      );
      expect([name, imported.filter((one) => !there.has(one))]).toEqual([name, []]);
      expect([name, /^\s*(?:\/\/|\/\*)|sourceMappingURL/m.exec(text)]).toEqual([name, null]);
    }
  });

  it("get another folder if any of them changes, and the same folder if none does", () => {
    const folderOf = (files: ReadonlyMap<string, string>) =>
      modulesOf(files).names.explorer[0]?.split("/")[0];
    expect(folderOf(new Map(compiled))).toBe(folderOf(compiled));
    for (const { name } of assets) {
      const path = name.slice(name.indexOf("/") + 1);
      const other = new Map(compiled).set(path, `${compiled.get(path)}\nvoid 0;`);
      expect([path, folderOf(other) === folderOf(compiled)]).toEqual([path, false]);
    }
  });

  it("give an error at once if one is missing", () => {
    const files = new Map([...compiled].filter(([path]) => path !== "pages/kit/tree.js"));
    expect(() => modulesOf(files)).toThrow("pages/kit/tree.js is not compiled for browsers");
  });
});
