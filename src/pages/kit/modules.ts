import { byCodeUnit } from "../../contract/order.js";
import { type Asset, hashOf } from "./assets.js";

/** The modules that pages begin with, by what they are for; each imports others. */
const ENTRIES = {
  explorer: "browser/explorer.js",
  standards: "browser/standards.js",
  copy: "browser/copy.js",
  watch: "browser/watch.js",
} as const;

/**
 * The code that pages run, as the compiler has made it: modules that import each other by relative addresses. Their folder
 * is named by all of them, so that they may be kept for ever and are never mixed with those of another version.
 */
export interface Modules {
  readonly assets: readonly Asset[];
  /** By what they are for, names below `assets/`: of the module to begin with, then of those that it needs. */
  readonly names: Readonly<Record<keyof typeof ENTRIES, readonly string[]>>;
}

/** @param compiled texts by path, those that no page needs among them @throws where a module is not there */
export function modulesOf(compiled: ReadonlyMap<string, string>): Modules {
  const { explorer, standards, copy, watch } = ENTRIES;
  const paths = {
    explorer: closureOf(explorer, compiled),
    standards: closureOf(standards, compiled),
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
      copy: paths.copy.map(nameOf),
      watch: paths.watch.map(nameOf),
    },
  };
}

/** What a module's name looks like, whatever version it is of. */
export const MODULE_NAME = /^[0-9a-f]{8}(?:\/[a-z]+){1,2}\/[a-z-]+\.js$/;

const IMPORTED = /^(?:import|export)\b[^"]*"(\.[^"]+)";$/gm;

/** A module and all that it imports, by any way, in the order in which they are met. */
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
