import { optional, type Rule } from "../../lib/options.js";

/** The path of key files, without their endings, if none is given. */
export const KEY_NAME = "crawldex";

/** The text of a secret key. A message about a wrong one comes from `parseSigningKey`, and never shows the text. */
const KEY_TEXT: Rule<string> = {
  expected: "the text of a secret key",
  accepts: (value): value is string => typeof value === "string",
};
export const SIGNING_KEY_OPTION = optional(KEY_TEXT);

const KEY_TEXTS: Rule<readonly string[]> = {
  expected: "an array of one or two public keys",
  accepts: (value): value is readonly string[] =>
    Array.isArray(value) && value.every((one) => typeof one === "string"),
};
/** The texts of public keys, which `parsePublicKeys` reads. */
export const PUBLIC_KEYS_OPTION = optional(KEY_TEXTS);
