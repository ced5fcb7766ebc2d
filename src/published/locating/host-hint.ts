/** The key `"host"` without its first quote: a search stops at each byte that is the first one, and quotes are many. */
const KEY_END = Buffer.from('host"');
const QUOTE = 0x22;
/** An escaped letter of "host" begins with \u006 or \u007; most records have nothing that begins with \u00. */
const ESCAPE = Buffer.from("\\u00");
const ESCAPED_LETTERS = [Buffer.from("\\u006"), Buffer.from("\\u007")];
/** Bytes after the key in which a host that the hint reads must end: any canonical host does. */
const VALUE_ROOM = 300;

/**
 * The host that a record names, without parsing it. Null says that only parsing can tell.
 *
 * Sound for every valid record: its host stands under the key `"host"`, and where these bytes occur but
 * once and no escape can hide another, that one is the key. In a record that is not valid the hint may
 * be wrong; it then only decides in which bucket the record's errors are found.
 */
export function hostHint(bytes: Buffer): string | null {
  const start = endOfOnlyKey(bytes);
  if (start === null || hasEscapedLetter(bytes)) return null;
  const following = bytes.toString("latin1", start, start + VALUE_ROOM);
  return /^[ \t\r\n]*:[ \t\r\n]*"([!#-[\]-~]+)"/.exec(following)?.[1] ?? null;
}

/** Where the key ends; null where it does not stand just once. */
function endOfOnlyKey(bytes: Buffer): number | null {
  let end: number | null = null;
  for (let at = bytes.indexOf(KEY_END); at >= 0; at = bytes.indexOf(KEY_END, at + 1)) {
    if (bytes[at - 1] !== QUOTE) continue;
    if (end !== null) return null;
    end = at + KEY_END.length;
  }
  return end;
}

function hasEscapedLetter(bytes: Buffer): boolean {
  return bytes.includes(ESCAPE) && ESCAPED_LETTERS.some((escaped) => bytes.includes(escaped));
}
