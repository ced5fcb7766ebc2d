/**
 * An address as the URL standard reads it; null where it is none. Not by `URL.canParse`: Node 20's, once a process has
 * called it some thousand times, takes texts with `é` or `ü` for none.
 */
export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
