import { createHash } from "node:crypto";
import type { ListingRecord, ScanRecord } from "../../src/sample/records.js";
import { type SampleOptions, writeInto } from "../../src/sample/sample.js";
import type { Sink, SinkFile } from "../../src/sample/sink.js";

/** A sink that keeps texts by path, in the order in which the files were opened. */
export class MemorySink implements Sink {
  readonly files = new Map<string, string>();
  /** Files that are open now. */
  openFiles = 0;

  async open(path: string): Promise<SinkFile> {
    if (this.files.has(path)) throw new Error(`${path} is written twice`);
    this.files.set(path, "");
    this.openFiles += 1;
    return {
      write: async (text) => {
        this.files.set(path, this.files.get(path) + text);
      },
      close: async () => {
        this.openFiles -= 1;
      },
    };
  }
}

/** A sample in memory: its files' texts by path. */
export async function sampleInMemory(options: SampleOptions): Promise<Map<string, string>> {
  const sink = new MemorySink();
  await writeInto(sink, options);
  return sink.files;
}

/** The sha256 of a tree of files: of their paths and bytes, in the order of the paths. */
export function digestOf(files: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const path of [...files.keys()].sort()) hash.update(`${path}\n${files.get(path)}\n`);
  return hash.digest("hex");
}

interface Kinds {
  readonly listings: ListingRecord;
  readonly scans: ScanRecord;
}

/** All records of one kind, as parsed. */
export function recordsOf<K extends keyof Kinds>(
  files: ReadonlyMap<string, string>,
  kind: K,
): Kinds[K][] {
  return [...files.keys()]
    .filter((path) => path.startsWith(`${kind}/`))
    .flatMap((path) => textsOf(path, files.get(path) ?? ""))
    .map((text): Kinds[K] => JSON.parse(text));
}

function textsOf(path: string, text: string): string[] {
  return path.endsWith(".json") ? [text] : text.trimEnd().split("\n");
}
