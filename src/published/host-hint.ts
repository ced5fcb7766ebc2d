const KEY = Buffer.from('"host"');
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
  const at = bytes.indexOf(KEY);
  if (at < 0 || bytes.indexOf(KEY, at + KEY.length) >= 0) return null;
  if (hasEscapedLetter(bytes)) return null;
  const start = at + KEY.length;
  const following = bytes.toString("latin1", start, start + VALUE_ROOM);
  return /^[ \t\r\n]*:[ \t\r\n]*"([!#-[\]-~]+)"/.exec(following)?.[1] ?? null;
}

function hasEscapedLetter(bytes: Buffer): boolean {
  return bytes.includes(ESCAPE) && ESCAPED_LETTERS.some((escaped) => bytes.includes(escaped));
}
