import type { ImportResult } from "../../../src/extras/import/import.js";

/** The numbers of an import of scanners' files, by the kind of record. */
export function numbersOf({ files, drafted, warnings }: ImportResult) {
  const numbers = (kind: string) => {
    const file = files.find((one) => one.kind === kind);
    return { added: file?.added, updated: file?.updated, unchanged: file?.unchanged };
  };
  return { listings: numbers("listings"), scans: numbers("scans"), checks: drafted, warnings };
}
