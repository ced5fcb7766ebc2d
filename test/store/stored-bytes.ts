import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { codeOf } from "../../src/files/errors.js";

/** How a page of a table begins, and what may stand there by chance. */
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);
const HEAD_BYTES = 10;

/** Every byte of some of a store's files, as one text; those of tables and of what extras added inflated, too. */
export async function storedBytes(store: string, files: Iterable<string>): Promise<string> {
  const texts: string[] = [];
  for (const file of files) {
    const bytes = await readFile(join(store, file));
    texts.push(bytes.toString("latin1"));
    if (!/\.(?:brief|gz)$/.test(file)) continue;
    for (let at = bytes.indexOf(GZIP); at >= 0; at = bytes.indexOf(GZIP, at + 1)) {
      texts.push(inflatedAt(bytes.subarray(at + HEAD_BYTES)));
    }
  }
  return texts.join("\n");
}

function inflatedAt(bytes: Buffer): string {
  try {
    return inflateRawSync(bytes).toString("latin1");
  } catch (error) {
    if (codeOf(error)?.startsWith("Z_") !== true) throw error;
    return "";
  }
}
