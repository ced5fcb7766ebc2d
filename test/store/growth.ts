import { createGzip } from "node:zlib";
import { expect } from "vitest";

export const MB = 1024 * 1024;
/** What the large files of these tests inflate to. */
export const LARGE = 600 * MB;
/** By how much the process may grow. A file of changes has 4 MB, the largest table 64 MB. */
const GROWTH_MAX = 250 * MB;

/** Runs an action, during which the process may not grow by much. */
export async function smallGrowth<T>(action: () => Promise<T>): Promise<T> {
  const before = process.resourceUsage().maxRSS * 1024;
  const result = await action();
  expect(process.resourceUsage().maxRSS * 1024 - before).toBeLessThan(GROWTH_MAX);
  return result;
}

/** The gzip of `LARGE` spaces, made in pieces. */
export async function aLargeFile(): Promise<Buffer> {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on("data", (chunk) => chunks.push(chunk));
  const piece = Buffer.alloc(4 * MB, " ");
  for (let at = 0; at < LARGE; at += piece.length) {
    if (!gzip.write(piece)) await new Promise((resolve) => gzip.once("drain", resolve));
  }
  gzip.end();
  await new Promise((resolve) => gzip.once("end", resolve));
  return Buffer.concat(chunks);
}
