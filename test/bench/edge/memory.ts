import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundled } from "../../stores/targets/bundle.js";
import { FOLDER } from "../engine/stores.js";
import type { Memory, MemoryInput } from "./live-bytes.js";
import { servePlainFiles } from "./plain-files.js";
import { type EdgeRequests, HEADERS } from "./requests.js";

const PROGRAM = `
import { createFetchHandler, httpStore } from "crawldex/fetch";
import { measureMemory } from "./test/bench/edge/live-bytes.ts";
await measureMemory((url) => createFetchHandler({ store: httpStore(url) }));
`;
const FLAGS = ["--expose-gc", "--no-concurrent-array-buffer-sweeping"];

export interface Counted extends Memory {
  /** Bytes that came from the store. */
  readonly downloaded: number;
}

/** Counts the bytes of a handler's typed arrays, in a process of its own that reads the store over HTTP. */
export async function countBytes(
  store: string,
  { first, warmUp, measured }: EdgeRequests,
): Promise<Counted> {
  const script = join(FOLDER, "edge-memory.mjs");
  await writeFile(script, await bundled(PROGRAM));
  const files = await servePlainFiles(store);
  const targets = [first, ...warmUp, ...measured].map(({ target }) => target);
  const input: MemoryInput = { url: files.url, headers: HEADERS, targets };
  try {
    const args = [...FLAGS, script, JSON.stringify(input)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return { ...JSON.parse(stdout), downloaded: files.sent() };
  } finally {
    await files.stop();
  }
}
