/** Characters of lines that are written at once. */
const BATCH = 16_384;

let batch = "";

/** Writes a line to stdout, together with others that come at about the same time. */
export function writeLine(line: string): void {
  if (batch === "") setImmediate(flush);
  batch += line;
  if (batch.length >= BATCH) flush();
}

function flush(): void {
  if (batch === "") return;
  process.stdout.write(batch);
  batch = "";
}
