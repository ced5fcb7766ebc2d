/** A snapshot, or a file of it, is missing, damaged, or of another format. The message names the file below the store. */
export class BadSnapshotError extends Error {
  override readonly name = "BadSnapshotError";
}

/** The store has no snapshot that fits: nothing was published yet, no id begins like that, or no former one is left. Nothing is damaged. */
export class NoSnapshotError extends Error {
  override readonly name = "NoSnapshotError";
}

/** The error for a file that cannot be read. @param name below the store */
export function unreadable(name: string, error: unknown): BadSnapshotError {
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  return new BadSnapshotError(`${name} cannot be read: ${code}`, { cause: error });
}
