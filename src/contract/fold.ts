/**
 * Folds a text for literal matching: applies NFC, then lower-cases each code point separately and turns final
 * sigma into sigma, then applies NFC again. So a text contains each of its own substrings, in any case
 * (decisions, Text matching).
 *
 * Lower-casing the whole text at once has the same result: the only rule of `toLowerCase` that depends on
 * neighbours is the one for final sigma, and the replacement undoes it.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize("NFC").toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
