import { closeSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { readLines } from "../src/files/lines.js";
import type { Problem } from "../src/published/checking/problem.js";
import { RECORD_MAX } from "../src/published/checking/record.js";
import { isWithin } from "../src/published/locating/files.js";
import { openInputFile, readBytes } from "../src/published/locating/regular-file.js";
import { type LinePosition, linePosition } from "./drawing/problems.js";

const LINE_READ_BYTES = 512 * 1024;
/** The search for a line stops after this many bytes of a file, a fraction of a second. Later lines are not shown. */
const SEARCHED_MAX = 512 * 1024 * 1024;

/**
 * Finds the lines of problems. Leaves out lines that cannot be read: the reason is already reported, or does not
 * concern the command.
 * @param folder the published directory, as the user gave it
 */
export function offendingPositions(
  folder: string,
  problems: readonly Problem[],
): Map<Problem, LinePosition> {
  const positions = new Map<Problem, LinePosition>();
  const byFile = new Map<string, Problem[]>();
  for (const problem of problems) {
    byFile.set(problem.file, [...(byFile.get(problem.file) ?? []), problem]);
  }
  for (const [file, inFile] of byFile) {
    try {
      findPositions(folder, file, inFile, positions);
    } catch {
      // The problem is still reported, without its line.
    }
  }
  return positions;
}

function findPositions(
  folder: string,
  file: string,
  problems: readonly Problem[],
  positions: Map<Problem, LinePosition>,
): void {
  const root = realpathSync(folder);
  const path = realpathSync(join(root, file));
  if (!isWithin(root, path)) return;
  const byLine = new Map<number, Problem[]>();
  for (const problem of problems) {
    byLine.set(problem.line, [...(byLine.get(problem.line) ?? []), problem]);
  }
  const { fd } = openInputFile(path);
  try {
    const read = (into: Buffer) => readBytes(fd, into, null);
    for (const { number, offset, bytes } of readLines(read, LINE_READ_BYTES, RECORD_MAX)) {
      const wanted = byLine.get(number);
      if (wanted !== undefined) {
        // Columns count neither a byte-order mark nor the line's end.
        const text = bytes?.toString("utf8").replace(number === 1 ? /^\ufeff|\r$/g : /\r$/, "");
        for (const problem of wanted) {
          if (text !== undefined) positions.set(problem, linePosition(text, problem.column));
        }
        byLine.delete(number);
      }
      if (byLine.size === 0 || offset > SEARCHED_MAX) return;
    }
  } finally {
    closeSync(fd);
  }
}
