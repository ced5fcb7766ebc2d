import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { open, rm } from "node:fs/promises";
import { writeError } from "../../files/disk.js";
import { hasCode } from "../../files/errors.js";
import { requireArgument, text } from "../../lib/options.js";
import type { SignManifest } from "../../store/signature.js";
import { KEY_NAME } from "./options.js";
import {
  ALGORITHM,
  algorithmOf,
  base64Line,
  fromBase64,
  KEY_ID_BYTES,
  keyIdOf,
  type PublicKey,
  trustedComment,
  untrustedComment,
} from "./verify.js";

/** A secret key of minisign, ready to sign. Nothing that prints it shows the key. */
export interface SigningKey {
  readonly publicKey: PublicKey;
  /** The 8 bytes of the key's id. */
  readonly idBytes: Uint8Array;
  readonly privateKey: KeyObject;
}

/** How a private key's DER form begins (RFC 8410); the 32 bytes of the seed follow. */
const PRIVATE_DER = Buffer.from("302e020100300506032b657004220420", "hex");
const SEED_BYTES = 32;

/**
 * The bytes of a secret key of minisign: algorithm "Ed", how it is encrypted (two zeros if it is not), checksum
 * algorithm "B2", the encryption's salt and two limits, the key's id, seed, public key, checksum.
 */
const ENCRYPTED_AT = 2;
const ID_AT = 54;
const SEED_AT = ID_AT + KEY_ID_BYTES;
const PUBLIC_AT = SEED_AT + SEED_BYTES;
const SECRET_KEY_BYTES = 158;

/** What signs manifests by the option `signingKey`. @throws TypeError as `parseSigningKey` */
export function signerOf(text: string): SignManifest {
  const key = parseSigningKey(text);
  return (manifest, id, generation) => signManifest(manifest, id, generation, key);
}

/**
 * Reads a secret key of minisign that has no password: its base64 line, or the whole text of its file.
 * @throws TypeError that says what is expected, and never shows the text
 */
export function parseSigningKey(text: string): SigningKey {
  const bytes = fromBase64(base64Line(text));
  if (bytes?.length !== SECRET_KEY_BYTES || algorithmOf(bytes) !== ALGORITHM) {
    throw new TypeError(
      "the signing key must be a secret key as crawldex keygen and minisign -G -W write it: 212 " +
        "characters that begin with RW, or the whole text of the key's file",
    );
  }
  if (bytes[ENCRYPTED_AT] !== 0 || bytes[ENCRYPTED_AT + 1] !== 0) {
    throw new TypeError(
      "the signing key is encrypted with a password, which crawldex cannot ask for: remove the " +
        "password from a copy of its file with minisign -C -W -s <file>, or make a key without one with " +
        "crawldex keygen",
    );
  }
  const privateKey = privateKeyOf(bytes.subarray(SEED_AT, PUBLIC_AT));
  const publicBytes = publicBytesOf(privateKey);
  // Minisign's checksum is empty in a key without a password, so this finds damage.
  if (!publicBytes.equals(bytes.subarray(PUBLIC_AT, PUBLIC_AT + 32))) {
    throw new TypeError(
      "the signing key is damaged: its secret part does not match its public part; copy it again from its file",
    );
  }
  const idBytes = bytes.slice(ID_AT, SEED_AT);
  const publicKey = { id: keyIdOf(idBytes), bytes: new Uint8Array(publicBytes) };
  return { publicKey, idBytes, privateKey };
}

/** Signs a manifest, as `SignManifest` says. */
export function signManifest(
  manifest: Uint8Array,
  id: string,
  generation: number,
  { publicKey, idBytes, privateKey }: SigningKey,
): string {
  const comment = trustedComment(generation, id);
  const signature = sign(null, manifest, privateKey);
  const commented = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey);
  const line = Buffer.concat([Buffer.from(ALGORITHM), idBytes, signature]);
  return [
    untrustedComment(publicKey.id),
    line.toString("base64"),
    `trusted comment: ${comment}`,
    commented.toString("base64"),
    "",
  ].join("\n");
}

/** The two files of a key pair. */
export interface KeyFiles {
  /** The public key's base64 line. */
  readonly publicKey: string;
  readonly publicText: string;
  readonly secretText: string;
}

/**
 * The files of a key pair, as minisign -G -W writes them.
 * @param privateKey an Ed25519 key
 * @param idBytes 8 bytes that tell the key from others
 */
export function keyFilesOf(privateKey: KeyObject, idBytes: Uint8Array): KeyFiles {
  const der = privateKey.export({ format: "der", type: "pkcs8" });
  const publicBytes = publicBytesOf(privateKey);
  const secret = Buffer.alloc(SECRET_KEY_BYTES);
  secret.write(ALGORITHM);
  secret.write("B2", ENCRYPTED_AT + 2);
  secret.set(idBytes, ID_AT);
  secret.set(der.subarray(-SEED_BYTES), SEED_AT);
  secret.set(publicBytes, PUBLIC_AT);
  const publicKey = Buffer.concat([Buffer.from(ALGORITHM), idBytes, publicBytes]);
  const id = keyIdOf(idBytes);
  const line = publicKey.toString("base64");
  return {
    publicKey: line,
    publicText: `untrusted comment: minisign public key ${id}\n${line}\n`,
    secretText: `untrusted comment: minisign secret key ${id} without a password\n${secret.toString("base64")}\n`,
  };
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([PRIVATE_DER, seed]),
    format: "der",
    type: "pkcs8",
  });
}

function publicBytesOf(privateKey: KeyObject): Buffer {
  const der = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return der.subarray(-32);
}

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
