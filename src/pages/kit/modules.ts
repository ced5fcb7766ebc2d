import { byCodeUnit } from "../../contract/order.js";
import { type Asset, hashOf } from "./assets.js";

/** The entry modules of pages, by purpose. They import the other modules. */
const ENTRIES = {
  explorer: "browser/explorer.js",
  standards: "browser/standards.js",
  api: "browser/api.js",
  copy: "browser/copy.js",
  watch: "browser/watch.js",
} as const;

/**
 * The compiled code that pages run: modules that import each other by relative address. The name of their folder is a
 * hash of all of them, so that browsers may cache them forever and never mix two versions.
 */
export interface Modules {
  readonly assets: readonly Asset[];
  /** By purpose, module names relative to `assets/`: the entry module, then its imports. */
  readonly names: Readonly<Record<keyof typeof ENTRIES, readonly string[]>>;
}

/**
 * @param compiled texts by path; it may include modules that no page needs
 * @throws Error if a module is missing
 */
export function modulesOf(compiled: ReadonlyMap<string, string>): Modules {
  const { explorer, standards, api, copy, watch } = ENTRIES;
  const paths = {
    explorer: closureOf(explorer, compiled),
    standards: closureOf(standards, compiled),
    api: closureOf(api, compiled),
    copy: closureOf(copy, compiled),
    watch: closureOf(watch, compiled),
  };
  const all = [...new Set(Object.values(paths).flat())].sort(byCodeUnit);
  const folder = hashOf(JSON.stringify(all.map((path) => [path, compiled.get(path)])));
  const nameOf = (path: string) => `${folder}/${path}`;
  return {
    assets: all.map((path) => ({
      name: nameOf(path),
      type: "text/javascript; charset=utf-8",
      text: compiled.get(path) ?? "",
    })),
    names: {
      explorer: paths.explorer.map(nameOf),
      standards: paths.standards.map(nameOf),
      api: paths.api.map(nameOf),
      copy: paths.copy.map(nameOf),
      watch: paths.watch.map(nameOf),
    },
  };
}

/** The pattern of a module's name, for any version. */
export const MODULE_NAME = /^[0-9a-f]{8}(?:\/[a-z]+){1,2}\/[a-z-]+\.js$/;

const IMPORTED = /^(?:import|export)\b[^"]*"(\.[^"]+)";$/gm;

/** A module and all its direct and indirect imports, in the order of discovery. */
function closureOf(entry: string, compiled: ReadonlyMap<string, string>): string[] {
  const met = new Set([entry]);
  for (const path of met) {
    const text = compiled.get(path);
    if (text === undefined) throw new Error(`${path} is not compiled for browsers`);
    for (const [, address = ""] of text.matchAll(IMPORTED)) {
      met.add(new URL(address, `file:///${path}`).pathname.slice(1));
    }
  }
  return [...met];
}
