export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;

/** Whether a character, given as its code or as its byte, is white space in JSON. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
