import { describe, expect, it } from "vitest";
import { readBrowserModules } from "../../../src/files/browser-modules.js";
import { MODULE_NAME, modulesOf } from "../../../src/pages/kit/modules.js";

const compiled = readBrowserModules();
const { assets, names } = modulesOf(compiled);

describe("the modules that pages run", () => {
  it("are what their entries need and no more, in one folder that all of them name", () => {
    expect(Object.values(names).flat().length).toBeGreaterThan(assets.length);
    for (const [page, all] of Object.entries(names)) {
      expect(all[0]).toMatch(new RegExp(`^[0-9a-f]{8}/browser/${page}\\.js$`));
      expect(assets.map(({ name }) => name)).toEqual(expect.arrayContaining([...all]));
    }
    expect(assets.filter(({ name }) => !MODULE_NAME.test(name))).toEqual([]);
    expect(new Set(assets.map(({ name }) => name.split("/")[0])).size).toBe(1);
    expect(assets.length).toBeLessThan(compiled.size);
  });

  it("import each other alone, by addresses that are there, and have no comment", () => {
    const there = new Set(assets.map(({ name }) => name));
    for (const { name, text } of assets) {
      const imported = [...text.matchAll(/^import\b[^"]*"([^"]+)"/gm)].map(([, address = ""]) =>
        new URL(address, `file:///${name}`).pathname.slice(1),
      );
      expect([name, imported.filter((one) => !there.has(one))]).toEqual([name, []]);
      expect([name, /^\s*(?:\/\/|\/\*)|sourceMappingURL/m.exec(text)]).toEqual([name, null]);
    }
  });

  it("have another folder where any of them is another, and the same where none is", () => {
    const folderOf = (files: ReadonlyMap<string, string>) =>
      modulesOf(files).names.explorer[0]?.split("/")[0];
    expect(folderOf(new Map(compiled))).toBe(folderOf(compiled));
    for (const { name } of assets) {
      const path = name.slice(name.indexOf("/") + 1);
      const other = new Map(compiled).set(path, `${compiled.get(path)}\nvoid 0;`);
      expect([path, folderOf(other) === folderOf(compiled)]).toEqual([path, false]);
    }
  });

  it("a module that is not there is an error at once", () => {
    const files = new Map([...compiled].filter(([path]) => path !== "pages/kit/tree.js"));
    expect(() => modulesOf(files)).toThrow("pages/kit/tree.js is not compiled for browsers");
  });
});
