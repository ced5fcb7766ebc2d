import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A copy of a published directory that may be edited: files are shared with the original until they are. */
export function linkedCopy(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const copy = join(to, path.slice(from.length));
    mkdirSync(dirname(copy), { recursive: true });
    linkSync(path, copy);
  }
}

/** The files of many scans, or many listings, of a published directory. */
export function recordFiles(published: string, kind: "scans" | "listings"): string[] {
  return readdirSync(join(published, kind), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ndjson"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Gives every `each`-th scan of a file another summary. @returns how many those are */
export function editScans(file: string, each: number, summary: string): number {
  return editRecords(file, each, { summary });
}

/** Gives every `each`-th record of a file other values. @returns how many those are */
export function editRecords(file: string, each: number, values: object): number {
  const bytes = readFileSync(file);
  const pieces: Buffer[] = [];
  let edited = 0;
  let line = 0;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    const next = end < 0 ? bytes.length : end + 1;
    const record = bytes.subarray(start, next);
    if (line % each === each - 1) {
      const former = JSON.parse(record.toString("utf8")) as object;
      pieces.push(Buffer.from(`${JSON.stringify({ ...former, ...values })}\n`));
      edited += 1;
    } else {
      pieces.push(record);
    }
    start = next;
  }
  writeFileSync(`${file}.new`, Buffer.concat(pieces));
  renameSync(`${file}.new`, file);
  return edited;
}
