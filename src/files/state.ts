import { type BigIntStats, lstatSync } from "node:fs";
import { z } from "zod";

const Digits = z.string().regex(/^[0-9]+$/);

/**
 * What a file system says of a regular file without reading it. A file in the state in which it was read
 * is taken to have the content that it had: times are in nanoseconds, and no tool sets a `ctime` back.
 */
export const FileState = z.strictObject({
  bytes: Digits,
  mtime: Digits,
  ctime: Digits,
  inode: Digits,
  device: Digits,
});
export type FileState = z.infer<typeof FileState>;

/** The state of the file at a path; null where there is no regular file, but a link for example. */
export function fileState(path: string): FileState | null {
  try {
    const stats = lstatSync(path, { bigint: true });
    return stats.isFile() ? stateOf(stats) : null;
  } catch {
    // Opening the file fails for the same reason, and reports it.
    return null;
  }
}

export function stateOf({ size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): FileState {
  return {
    bytes: `${size}`,
    mtime: `${mtimeNs}`,
    ctime: `${ctimeNs}`,
    inode: `${ino}`,
    device: `${dev}`,
  };
}

export function isSameState(a: FileState, b: FileState | null): boolean {
  return (
    b !== null &&
    a.bytes === b.bytes &&
    a.mtime === b.mtime &&
    a.ctime === b.ctime &&
    a.inode === b.inode &&
    a.device === b.device
  );
}
