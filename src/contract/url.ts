/**
 * Parses an address by the URL standard; null if it is not an address. Does not use `URL.canParse`: in Node 20, after
 * a process has called it some thousand times, it rejects texts with `é` or `ü`.
 */
export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
