/** A snapshot, or a file of it, is missing, damaged, or of another format. The message names the file below the store. */
export class BadSnapshotError extends Error {
  override readonly name = "BadSnapshotError";
}

/** What is said of a file that cannot be read; the name is below the store. */
export function unreadable(name: string, error: unknown): BadSnapshotError {
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  return new BadSnapshotError(`${name} cannot be read: ${code}`, { cause: error });
}
