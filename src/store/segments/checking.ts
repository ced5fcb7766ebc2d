import { BadSnapshotError, unreadable } from "../bad-snapshot.js";
import { BadColumnsError } from "../columns/file.js";
import { BadTableError } from "./thrift.js";

/** Runs an action that reads a file. @throws BadSnapshotError that names the file */
export function checking<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    return namedError(file)(error);
  }
}

/** Makes the error of reading a file name it. @returns what throws the error @throws BadSnapshotError */
export function namedError(file: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof BadSnapshotError) throw error;
    const isBad = error instanceof BadTableError || error instanceof BadColumnsError;
    if (isBad) throw new BadSnapshotError(`${file}: ${error.message}`, { cause: error });
    throw unreadable(file, error);
  };
}
