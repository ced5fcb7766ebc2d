import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { endianness } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { byCodeUnit } from "../contract/order.js";

const PACKAGE = createRequire(import.meta.url).resolve("crawldex/package.json");

let ofThisProcess: string | undefined;

/**
 * A digest of this program: all of its modules, its version, its packages' and Node's. What another program has built
 * or exported is not kept. Some modules decide no bytes: to leave them out would save a few milliseconds, and a list
 * of the others could go stale. In hex.
 */
export function toolDigest(): string {
  ofThisProcess ??= digestOf(programFolder());
  return ofThisProcess;
}

/** The digest of a program. @param folder where its modules are, in folders of any depth */
export function digestOf(folder: string): string {
  const hash = createHash("sha256");
  const take = (name: string, file: string) => {
    const bytes = readFileSync(file);
    hash.update(`${name} ${bytes.length} `).update(bytes);
  };
  // Notes have numbers as the machine has them; what a host may be is in Node's tables, too.
  hash.update(`${endianness()} ${process.version} `);
  take("package.json", PACKAGE);
  for (const name of modulesIn(folder)) take(name.split(sep).join("/"), join(folder, name));
  return hash.digest("hex");
}

/** `src` or `dist/src` of the package, wherever in it this module lies. */
function programFolder(): string {
  const root = dirname(PACKAGE);
  const folders = relative(root, fileURLToPath(import.meta.url)).split(sep);
  return join(root, ...folders.slice(0, folders.indexOf("src") + 1));
}

/** Paths of all modules but those in `bin`, which are the others joined: `npm run build` makes both. */
function modulesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.d)\.[jt]s$/.test(path) && !path.startsWith(`bin${sep}`))
    .sort(byCodeUnit);
}
