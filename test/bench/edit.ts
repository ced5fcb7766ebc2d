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

/** The files of many scans of a published directory. */
export function scanFiles(published: string): string[] {
  return readdirSync(join(published, "scans"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ndjson"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Gives every `each`-th scan of a file another summary. @returns how many those are */
export function editScans(file: string, each: number, summary: string): number {
  const bytes = readFileSync(file);
  const pieces: Buffer[] = [];
  let edited = 0;
  let line = 0;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    const next = end < 0 ? bytes.length : end + 1;
    const record = bytes.subarray(start, next);
    if (line % each === each - 1) {
      const scan = JSON.parse(record.toString("utf8")) as { summary: unknown };
      pieces.push(Buffer.from(`${JSON.stringify({ ...scan, summary })}\n`));
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
