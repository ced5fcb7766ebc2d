import { generateKeyPairSync, randomBytes } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { writeError } from "../files/disk.js";
import { hasCode } from "../files/errors.js";
import { KEY_NAME } from "../options/defaults.js";
import { requireArgument, text } from "../options/options.js";
import { keyFilesOf } from "./sign.js";
import { KEY_ID_BYTES } from "./verify.js";

/** The result of `keygen`. */
export interface GeneratedKeys {
  /** The public key: 56 characters. Give it to everyone who reads the snapshots. */
  readonly publicKey: string;
  /** The path of the file with the public key. */
  readonly publicKeyFile: string;
  /** The path of the file with the secret key, which only its owner may read. */
  readonly secretKeyFile: string;
}

/** A file that `keygen` would overwrite is there. No file was changed. */
export class KeyExistsError extends Error {
  override readonly name = "KeyExistsError";
}

/**
 * Makes a key pair for signatures, as `crawldex keygen` does: `<name>.key` with the secret key, which has no password,
 * and `<name>.pub` with the public one. Both have minisign's format.
 * @param name the files' path without its ending
 * @throws KeyExistsError; StoreWriteError if a file cannot be written; TypeError for a wrong argument
 */
export async function keygen(name: string = KEY_NAME): Promise<GeneratedKeys> {
  requireArgument("keygen", "name", name, text("the path of the key files, without .key or .pub"));
  const { privateKey } = generateKeyPairSync("ed25519");
  const { publicKey, publicText, secretText } = keyFilesOf(privateKey, randomBytes(KEY_ID_BYTES));
  const files = { publicKeyFile: `${name}.pub`, secretKeyFile: `${name}.key` };
  await writeNew(files.secretKeyFile, secretText, 0o600);
  try {
    await writeNew(files.publicKeyFile, publicText, 0o644);
  } catch (error) {
    await rm(files.secretKeyFile, { force: true });
    throw error;
  }
  return { publicKey, ...files };
}

/** Writes a file that does not exist yet, down to the disk. If that fails, no file is left. */
async function writeNew(path: string, content: string, mode: number): Promise<void> {
  const file = await open(path, "wx", mode).catch((error: unknown) => {
    if (!hasCode(error, ["EEXIST"])) throw writeError(path, error);
    throw new KeyExistsError(
      `${path} exists and is not overwritten: a lost key cannot be made again; choose another name`,
    );
  });
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw writeError(path, error);
  } finally {
    await file.close();
  }
}
