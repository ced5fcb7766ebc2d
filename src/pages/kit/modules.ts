import { byCodeUnit } from "../../contract/order.js";
import { type Asset, hashOf } from "./assets.js";
import { PAGE_ROUTES } from "./routes.js";

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
  /** By purpose, module names relative to `assets/`: the entry module, then its imports. */
  readonly names: Readonly<Record<keyof typeof ENTRIES, readonly string[]>>;
  /** The text of a module by its name relative to `assets/`; undefined if there is no such module. */
  text(name: string): string | undefined | Promise<string | undefined>;
}

/** Modules whose texts are in memory. */
export interface LoadedModules extends Modules {
  readonly assets: readonly Asset[];
}

/**
 * @param compiled texts by path; it may include modules that no page needs
 * @throws Error if a module is missing
 */
export function modulesOf(compiled: ReadonlyMap<string, string>): LoadedModules {
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
  const texts = new Map(all.map((path) => [nameOf(path), compiled.get(path) ?? ""]));
  const type = PAGE_ROUTES.module.contentType;
  return {
    assets: Array.from(texts, ([name, text]) => ({ name, type, text })),
    text: (name) => texts.get(name),
    names: {
      explorer: paths.explorer.map(nameOf),
      standards: paths.standards.map(nameOf),
      api: paths.api.map(nameOf),
      copy: paths.copy.map(nameOf),
      watch: paths.watch.map(nameOf),
    },
  };
}

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
