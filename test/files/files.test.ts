import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { calls } from "../../src/files/calls.js";
import { disk, makeFolders } from "../../src/files/disk.js";
import { type Line, readLines } from "../../src/files/lines.js";
import { temporaryFolder } from "../fixtures.js";
import { repeated } from "../slow.js";

/** Reads bytes as a file would give them, at most `piece` at once. */
function readerOf(bytes: Buffer, piece = Number.POSITIVE_INFINITY): (into: Buffer) => number {
  let at = 0;
  return (into) => {
    const count = bytes.copy(into, 0, at, Math.min(bytes.length, at + piece));
    at += count;
    return count;
  };
}

/** Lines with their bytes copied, as these are valid for one step only. */
function linesOf(bytes: Buffer, chunkBytes: number, limit: number, piece?: number): Line[] {
  return Array.from(readLines(readerOf(bytes, piece), chunkBytes, limit), copied);
}

function copied(line: Line): Line {
  return { ...line, bytes: line.bytes === null ? null : Buffer.from(line.bytes) };
}

/** The same by splitting the whole. */
function expectedLines(bytes: Buffer, limit: number): Line[] {
  const lines: Line[] = [];
  let offset = 0;
  const texts = bytes.toString("latin1").split("\n");
  for (const [place, text] of texts.entries()) {
    const line = Buffer.from(text, "latin1");
    const kept = line.length > limit ? null : line;
    const isLast = place === texts.length - 1;
    if (!isLast || line.length > 0) {
      lines.push({ number: place + 1, offset, length: line.length, bytes: kept });
    }
    offset += line.length + 1;
  }
  return lines;
}

const contents = fc
  .array(fc.constantFrom("\n", "\r\n", "a", "é", "\u{1f600}", "0123456789", "\0"), {
    maxLength: 80,
  })
  .map((pieces) => Buffer.from(pieces.join("")));

describe("readLines", () => {
  it("splits at LF in the same way for any chunks, and gives number, offset and length", () => {
    fc.assert(
      fc.property(
        contents,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 25 }),
        fc.integer({ min: 1, max: 50 }),
        (bytes, chunkBytes, limit, piece) => {
          const lines = linesOf(bytes, chunkBytes, limit, piece);
          expect(lines).toEqual(expectedLines(bytes, limit));
          for (const { offset, length, bytes: kept } of lines) {
            if (kept !== null) expect(bytes.subarray(offset, offset + length)).toEqual(kept);
          }
        },
      ),
      { numRuns: repeated(500, 5_000) },
    );
  });

  it("counts a line over the limit to its end, and continues with the next", () => {
    const bytes = Buffer.from(`${"x".repeat(11)}\n${"y".repeat(10)}\n${"z".repeat(95)}`);
    const seen = linesOf(bytes, 4, 10).map(({ number, length, bytes: kept }) => {
      return [number, length, kept?.toString() ?? null];
    });
    expect(seen).toEqual([
      [1, 11, null],
      [2, 10, "yyyyyyyyyy"],
      [3, 95, null],
    ]);
  });

  it("takes time in proportion to the length of a line of many chunks", () => {
    const bytes = Buffer.alloc(2 * 1024 * 1024, "x");
    const lines = [...readLines(readerOf(bytes), 64, bytes.length)];
    expect(lines).toHaveLength(1);
    expect(lines[0]?.bytes?.equals(bytes)).toBe(true);
  }, 5_000);
});

it("a file of any size is copied whole where a file system has no second names", async () => {
  const { link } = calls;
  calls.link = () => {
    throw new Error("EPERM");
  };
  onTestFinished(() => {
    calls.link = link;
  });
  const folder = await temporaryFolder();
  const from = join(folder, "from");
  const to = join(folder, "to");
  const bytes = Buffer.alloc(2_500_000, "0123456789abc");
  await writeFile(from, bytes);
  await writeFile(to, "before");
  await disk.link(from, to);
  expect(bytes.equals(await readFile(to))).toBe(true);
});

it("a folder that the system refuses to create is an error", () => {
  for (const folder of ["/proc/none", "/proc/none/below"]) {
    expect(() => makeFolders(folder)).toThrow("ENOENT");
  }
});
