/** A snapshot, or a file of it, is missing, damaged, or of another format. The message names the file below the store. */
export class BadSnapshotError extends Error {
  override readonly name = "BadSnapshotError";
}

/** A store does not have the snapshot that is asked for: nothing was published yet, or no former one is there any more. */
export class NoSnapshotError extends Error {
  override readonly name = "NoSnapshotError";
}

/** What is said of a file that cannot be read; the name is below the store. */
export function unreadable(name: string, error: unknown): BadSnapshotError {
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  return new BadSnapshotError(`${name} cannot be read: ${code}`, { cause: error });
}
