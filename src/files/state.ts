import { type BigIntStats, lstatSync } from "node:fs";
import { z } from "zod";

const Digits = z.string().regex(/^[0-9]+$/);

/**
 * A regular file's metadata, which the file system returns without reading the file. If a file's state
 * has not changed since it was read, we assume that its content has not either: times are in
 * nanoseconds, and no tool can set a `ctime` back.
 */
export const FileState = z.strictObject({
  bytes: Digits,
  mtime: Digits,
  ctime: Digits,
  inode: Digits,
  device: Digits,
});
export type FileState = z.infer<typeof FileState>;

/** The state of the file at a path; null if there is no regular file, for example only a link. */
export function fileState(path: string): FileState | null {
  try {
    const stats = lstatSync(path, { bigint: true });
    return stats.isFile() ? fileStateOf(stats) : null;
  } catch {
    // Opening the file fails for the same reason, and reports it.
    return null;
  }
}

export function fileStateOf({ size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): FileState {
  return {
    bytes: `${size}`,
    mtime: `${mtimeNs}`,
    ctime: `${ctimeNs}`,
    inode: `${ino}`,
    device: `${dev}`,
  };
}

/** Whether both are states, and the same. */
export function isSameState(
  a: FileState | null | undefined,
  b: FileState | null | undefined,
): boolean {
  return (
    a != null &&
    b != null &&
    a.bytes === b.bytes &&
    a.mtime === b.mtime &&
    a.ctime === b.ctime &&
    a.inode === b.inode &&
    a.device === b.device
  );
}
