import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Copies a published directory so that it can be edited. Files are shared with the original until they are. */
export function linkedCopy(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const copy = join(to, path.slice(from.length));
    mkdirSync(dirname(copy), { recursive: true });
    linkSync(path, copy);
  }
}

/** The files of scans, or of listings, of a sample. */
export function recordFiles(published: string, kind: "scans" | "listings"): string[] {
  return readdirSync(join(published, kind), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ndjson"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Gives every `each`-th record of a file other values. */
export function editRecords(file: string, each: number, values: object): void {
  const lines = readFileSync(file, "utf8").split("\n");
  for (let at = each - 1; at < lines.length - 1; at += each) {
    lines[at] = JSON.stringify({ ...JSON.parse(lines[at]!), ...values });
  }
  writeFileSync(`${file}.new`, lines.join("\n"));
  renameSync(`${file}.new`, file);
}
