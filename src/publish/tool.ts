import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { endianness } from "node:os";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { byCodeUnit } from "../contract/order.js";
import { PACKAGE_FILE, PACKAGE_FOLDER } from "../files/paths.js";

let ofThisProcess: string | undefined;

/**
 * A digest, in hex, of this program: all of its modules, its version, and the versions of its
 * dependencies and of Node. A build rebuilds everything that a program with another digest built. Some
 * modules do not affect the output, but leaving them out would save only a few milliseconds, and need a
 * list that could go stale.
 */
export function toolDigest(): string {
  ofThisProcess ??= digestOf(programFolder());
  return ofThisProcess;
}

/** The digest of a program. @param folder its modules, at any depth. Moving a module changes the digest */
export function digestOf(folder: string): string {
  const hash = createHash("sha256");
  const take = (name: string, file: string) => {
    const bytes = readFileSync(file);
    hash.update(`${name} ${bytes.length} `).update(bytes);
  };
  // Included because the notes store numbers in the machine's byte order, and Node's Unicode tables
  // decide which hosts are valid.
  hash.update(`${endianness()} ${process.version} `);
  take("package.json", PACKAGE_FILE);
  for (const name of modulesIn(folder)) take(name.split(sep).join("/"), join(folder, name));
  return hash.digest("hex");
}

/** The package's `src` or `dist/src`: the topmost `src` above this module, at whatever depth the module is. */
function programFolder(): string {
  const folders = relative(PACKAGE_FOLDER, fileURLToPath(import.meta.url)).split(sep);
  return join(PACKAGE_FOLDER, ...folders.slice(0, folders.indexOf("src") + 1));
}

/** Relative paths of all modules in a folder, sorted. */
function modulesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.d)\.[jt]s$/.test(path))
    .sort(byCodeUnit);
}
