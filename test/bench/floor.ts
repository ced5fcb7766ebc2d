import { closeSync, openSync, readdirSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * The least that any build of a published directory costs: one process that reads every scan, parses it,
 * serializes it and appends it to one file. Arguments: the published folder, the file to write.
 */
const CHUNK = 1024 * 1024;
const LF = 0x0a;

const [published = "", out = ""] = process.argv.slice(2);
const output = openSync(out, "w");
let bodies: string[] = [];
let pending = 0;

function flush(): void {
  writeSync(output, bodies.join(""));
  bodies = [];
  pending = 0;
}

function take(record: string): void {
  if (record.trim() === "") return;
  const body = `${JSON.stringify(JSON.parse(record))}\n`;
  bodies.push(body);
  pending += body.length;
  if (pending >= CHUNK) flush();
}

function takeLines(path: string): void {
  const input = openSync(path, "r");
  const chunk = Buffer.allocUnsafe(CHUNK);
  let rest = Buffer.alloc(0);
  for (;;) {
    const filled = chunk.subarray(0, readSync(input, chunk));
    if (filled.length === 0) break;
    let start = 0;
    for (let end = filled.indexOf(LF); end >= 0; end = filled.indexOf(LF, start)) {
      const line = filled.subarray(start, end);
      take((rest.length === 0 ? line : Buffer.concat([rest, line])).toString("utf8"));
      rest = Buffer.alloc(0);
      start = end + 1;
    }
    rest = Buffer.concat([rest, filled.subarray(start)]);
  }
  take(rest.toString("utf8"));
  closeSync(input);
}

const scans = join(published, "scans");
for (const entry of readdirSync(scans, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  if (entry.name.endsWith(".ndjson")) takeLines(path);
  else if (entry.name.endsWith(".json")) {
    const input = openSync(path, "r");
    const room = Buffer.allocUnsafe(16 * CHUNK);
    take(room.toString("utf8", 0, readSync(input, room)));
    closeSync(input);
  }
}
flush();
closeSync(output);
