import { z } from "zod";
import { parseSigningKey } from "./sign.js";
import { parsePublicKeys } from "./verify.js";

/** The text of a secret key as an option, which becomes the key. @throws TypeError as `parseSigningKey` */
export const SIGNING_KEY = z
  .string()
  .transform(parseSigningKey)
  .describe("the text of a secret key")
  .optional();

const TEXTS = z.array(z.string()).readonly();
const EXPECTED = "an array of one or two public keys";

/** The texts of public keys as an option, which become the keys. @throws TypeError as `parsePublicKeys` */
export const PUBLIC_KEYS = TEXTS.transform(parsePublicKeys).describe(EXPECTED).optional();

/** Like `PUBLIC_KEYS`, but the keys stay texts, which can be posted to another thread. */
export const PUBLIC_KEY_TEXTS = TEXTS.refine(parsePublicKeys).describe(EXPECTED).optional();
