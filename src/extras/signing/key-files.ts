import { existsSync } from "node:fs";
import { messageOf } from "../../files/errors.js";
import { readRegularSync } from "../../files/regular.js";
import { parsePublicKeys } from "./verify.js";

/** Bytes of a file with public keys, which has a few hundred. */
const KEY_FILE_MAX = 64 * 1024;

/**
 * The texts of public keys.
 * @param values each is a path of a file with keys, or their text
 * @throws TypeError if they are no keys, or too many; Error if a file cannot be read
 */
export function publicKeysIn(values: readonly string[]): string[] {
  const texts = values.flatMap(keysIn);
  parsePublicKeys(texts);
  return texts;
}

/** The keys in a file, or in a text: separated by white space, with or without the comment lines of their files. */
function keysIn(value: string): string[] {
  const text = existsSync(value) ? keyFile(value) : value;
  const lines = text.replaceAll(/^untrusted comment:.*$/gm, "").trim();
  return lines.split(/\s+/);
}

function keyFile(path: string): string {
  try {
    return readRegularSync(path, KEY_FILE_MAX).toString("utf8");
  } catch (error) {
    throw new Error(`the file ${path} cannot be read: ${messageOf(error)}`);
  }
}
