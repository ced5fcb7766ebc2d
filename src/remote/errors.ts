/**
 * A store or an origin cannot be used: it is unreachable, or it refuses these credentials. The message says what to
 * do.
 */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
}

/** A snapshot at an origin is damaged or incomplete, or in a format that this version does not read. */
export class RemoteSnapshotError extends Error {
  override readonly name = "RemoteSnapshotError";
}

/** Another push to the same store has published meanwhile, or is deleting files. Pushing again helps. */
export class RemoteBusyError extends Error {
  override readonly name = "RemoteBusyError";
}

/** A safety check refused: the store ignores conditions, or its snapshot is not trusted. */
export class RemoteRefusedError extends Error {
  override readonly name = "RemoteRefusedError";
}
