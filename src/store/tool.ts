import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { endianness } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { byCodeUnit } from "../contract/order.js";

/** The rooms whose code decides what a build writes. */
const ROOMS = ["columns", "compile", "contract", "published", "store"];

/**
 * A digest of the program that builds, its version, its packages' and Node's included: what another
 * program has built is not kept. Of the command, which runs joined files, it is that of the modules they were
 * made of: `npm run build` makes both. In hex.
 * @param rooms those whose code it is about
 */
export function toolDigest(rooms: readonly string[] = ROOMS): string {
  const hash = createHash("sha256");
  const take = (file: string) => {
    const bytes = readFileSync(file);
    hash.update(`${bytes.length} `).update(bytes);
  };
  // Notes have numbers as the machine has them; what a host may be is in Node's tables, too.
  hash.update(`${endianness()} ${process.version} `);
  take(createRequire(import.meta.url).resolve("crawldex/package.json"));
  for (const room of rooms) {
    const folder = fileURLToPath(new URL(`../${room}`, import.meta.url));
    for (const name of readdirSync(folder).sort(byCodeUnit)) {
      if (/(?<!\.d)\.[jt]s$/.test(name)) take(join(folder, name));
    }
  }
  return hash.digest("hex");
}
