import type { Address } from "../answer/address.js";

/** Maps a target to its key if the two differ. Cleared once it holds `KEYS_MAX` targets. */
const keys = new Map<string, string>();
const KEYS_MAX = 8_192;
/** Longest target that is remembered, in characters. */
const KEPT_LENGTH_MAX = 400;

/** Returns the key of a target that was read before, or undefined if `keys` does not hold it. */
export function rememberedKey(sent: string): string | undefined {
  return keys.get(sent);
}

/** Remembers the key of a target, so that the next request with this spelling skips the parsing. */
export function rememberKey(sent: string, { key }: Address): void {
  if (key === null || key === sent || sent.length > KEPT_LENGTH_MAX) return;
  if (keys.size >= KEYS_MAX) keys.clear();
  keys.set(sent, key);
}
