/**
 * Folds a text for literal matching: NFC, then each code point lower-cased by itself with final sigma
 * read as sigma, then NFC again, so that a text holds every piece of itself in any case
 * (decisions, Text matching).
 *
 * Lower-casing the whole text at once says the same: the one rule of `toLowerCase` that looks at a
 * neighbour is the final sigma's, and that one is undone.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize("NFC").toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
