import { closeSync, openSync, readdirSync, readFileSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { readLines } from "../../src/files/lines.js";

/**
 * The least that any build of a published directory costs: one process that reads every scan, parses it, serializes it
 * and appends it to one file. Arguments: the published folder, the file to write.
 */
const CHUNK = 1024 * 1024;

const [published = "", out = ""] = process.argv.slice(2);
const output = openSync(out, "w");
let bodies: string[] = [];
let pending = 0;
for (const entry of readdirSync(join(published, "scans"), {
  recursive: true,
  withFileTypes: true,
})) {
  const path = join(entry.parentPath, entry.name);
  if (entry.name.endsWith(".ndjson")) takeLines(path);
  else if (entry.name.endsWith(".json")) take(readFileSync(path, "utf8"));
}
flush();
closeSync(output);

function takeLines(path: string): void {
  const input = openSync(path, "r");
  for (const { bytes } of readLines((into) => readSync(input, into), CHUNK, 16 * CHUNK)) {
    take(bytes?.toString("utf8") ?? "");
  }
  closeSync(input);
}

function take(record: string): void {
  if (record.trim() === "") return;
  const body = `${JSON.stringify(JSON.parse(record))}\n`;
  bodies.push(body);
  pending += body.length;
  if (pending >= CHUNK) flush();
}

function flush(): void {
  writeSync(output, bodies.join(""));
  bodies = [];
  pending = 0;
}
