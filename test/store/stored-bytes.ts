import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { constants, gunzipSync } from "node:zlib";

/** How a page of a table begins, and what may stand there by chance. */
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);

/** Every byte of some of a store's files, as one text; those of tables' pages inflated, too. */
export async function storedBytes(store: string, files: Iterable<string>): Promise<string> {
  const texts: string[] = [];
  for (const file of files) {
    const bytes = await readFile(join(store, file));
    texts.push(bytes.toString("latin1"));
    if (!file.endsWith(".parquet")) continue;
    for (let at = bytes.indexOf(GZIP); at >= 0; at = bytes.indexOf(GZIP, at + 1)) {
      texts.push(inflatedAt(bytes.subarray(at)));
    }
  }
  return texts.join("\n");
}

function inflatedAt(bytes: Buffer): string {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString("latin1");
  } catch {
    return "";
  }
}
