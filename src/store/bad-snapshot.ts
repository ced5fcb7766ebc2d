import { codeOf } from "../files/errors.js";
import { BadColumnsError } from "./columns/file.js";

/**
 * A snapshot or one of its files is missing, damaged or in another format. The message names the file,
 * relative to the store.
 */
export class BadSnapshotError extends Error {
  override readonly name = "BadSnapshotError";
}

/** A file cannot be read at the moment, because its store cannot be reached. Another try may succeed. */
export class StoreAwayError extends BadSnapshotError {}

/** Files that have the bytes that the manifest names, but cannot be used. No other try can succeed. */
export class MalformedSnapshotError extends BadSnapshotError {}

/**
 * The store has no matching snapshot: nothing was published yet, no id begins with the given text, or no
 * earlier snapshot is left. Nothing is damaged.
 */
export class NoSnapshotError extends Error {
  override readonly name = "NoSnapshotError";
}

/** The error for a file that cannot be read. @param name the file's path relative to the store */
export function unreadable(name: string, error: unknown): BadSnapshotError {
  const code = codeOf(error) ?? "unknown error";
  return new BadSnapshotError(`${name} cannot be read: ${code}`, { cause: error });
}

/** The error for a file whose bytes are not those that the manifest names. @param name as for `unreadable` */
export function unlikeManifest(name: string): BadSnapshotError {
  return new BadSnapshotError(`${name} does not match the manifest`);
}

/** Runs an action that reads a file. @throws BadSnapshotError that names the file @param name as for `unreadable` */
export function reading<T>(name: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    return namedError(name, error);
  }
}

/** Adds a file's name to the error of reading it. @throws BadSnapshotError @param name as for `unreadable` */
export function namedError(name: string, error: unknown): never {
  if (error instanceof BadSnapshotError) throw error;
  if (!(error instanceof BadColumnsError)) throw unreadable(name, error);
  throw new MalformedSnapshotError(`${name}: ${error.message}`, { cause: error });
}
