/** Names of files that hold records (published format, general rules), in any case. */
const RECORD_FILE = /\.(?:json|ndjson|jsonl)$/i;

export function isRecordFile(name: string): boolean {
  return RECORD_FILE.test(name);
}

/** Whether a record file holds one record; the others hold one a line. */
export function isOneRecord(name: string): boolean {
  return /\.json$/i.test(name);
}
