import type { Rule } from "../options/options.js";
import { parseSigningKey, type SigningKey } from "./sign.js";
import { type PublicKey, parsePublicKeys } from "./verify.js";

/** A signing key as an option. A text of any form passes, because the message for a wrong option shows its text. */
export const SIGNING_KEY: Rule<string> = {
  expected: "the text of a secret key",
  accepts: (value) => typeof value === "string",
};

/** Public keys as an option. */
export const PUBLIC_KEYS: Rule<readonly string[]> = {
  expected: "an array of one or two public keys",
  accepts: (value): value is readonly string[] =>
    Array.isArray(value) && value.every((one) => typeof one === "string"),
};

/** @throws TypeError as `parseSigningKey` */
export function signingKeyOf(text: string | undefined): SigningKey | undefined {
  return text === undefined ? undefined : parseSigningKey(text);
}

/** @throws TypeError as `parsePublicKeys` */
export function publicKeysOf(texts: readonly string[] | undefined): PublicKey[] | undefined {
  return texts === undefined ? undefined : parsePublicKeys(texts);
}
