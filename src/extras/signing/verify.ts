import { SignatureError, type SignedManifest, type VerifyManifest } from "../../store/signature.js";

/*
 * Signatures of manifests, in minisign's format. This file uses only web standards, so that servers, edge workers and
 * browsers share it. A signature file has four lines: an untrusted comment; the algorithm "Ed", the key's id and an
 * Ed25519 signature of the manifest's bytes; a trusted comment; an Ed25519 signature of the first signature and the
 * trusted comment together. The manifest has the checksums of everything else, so the signature covers the whole
 * snapshot.
 */

/** A public key of minisign. */
export interface PublicKey {
  /** The key's id, as minisign prints it. It only tells which key to try: anyone can make a key with any id. */
  readonly id: string;
  /** The 32 bytes of the Ed25519 key. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The most public keys that a reader accepts: the old and the new one, while keys are exchanged. */
const KEYS_MAX = 2;
export const ALGORITHM = "Ed";
/** The algorithm that minisign uses if it is not asked for the older one. No other tool can verify it. */
const PREHASHED = "ED";
export const KEY_ID_BYTES = 8;
const PUBLIC_KEY_BYTES = 2 + KEY_ID_BYTES + 32;
const SIGNATURE_BYTES = 2 + KEY_ID_BYTES + 64;
const LINES = /^untrusted comment: [^\n]*\n([^\n]+)\ntrusted comment: ([^\n]*)\n([^\n]+)\n?$/;
const COMMENT = /^crawldex generation:([1-9][0-9]{0,14}) id:([0-9a-f]{32})$/;
const TRY_ANOTHER = "fetch or publish the snapshot again, and ask who changed it";

/**
 * Checks the signature of a manifest, as `VerifyManifest` says.
 * @param publicKeys the keys, of which one must have signed
 * @throws SignatureError
 */
export async function verifyManifest(
  { manifest, id, signature, leastGeneration = 0 }: SignedManifest,
  publicKeys: readonly PublicKey[],
): Promise<number> {
  if (signature === null) {
    throw new SignatureError(
      `snapshot ${id} is not signed, but a public key is configured: set CRAWLDEX_SIGNING_KEY where ` +
        "the snapshot is published, and publish again",
    );
  }
  const { keyId, first, comment, second } = signatureParts(signature, id);
  const keys = publicKeys.filter((key) => key.id === keyId);
  if (keys.length === 0) {
    const known = publicKeys.map((key) => key.id).join(" and ");
    throw new SignatureError(
      `snapshot ${id} is signed with the unknown key ${keyId}, not with ${known}: if its publisher has ` +
        "changed keys, configure the new public key",
    );
  }
  const key = await firstOf(keys, (one) => isSigned(one, first, manifest));
  if (key === null) {
    throw new SignatureError(
      `the signature of snapshot ${id} does not match its manifest and key ${keyId}: the manifest or ` +
        `the signature was changed; ${TRY_ANOTHER}`,
    );
  }
  const commented = new Uint8Array([...first, ...new TextEncoder().encode(comment)]);
  if (!(await isSigned(key, second, commented))) {
    throw new SignatureError(
      `the signature of snapshot ${id} has a trusted comment that was changed; ${TRY_ANOTHER}`,
    );
  }
  const [, generation = "", signedId = ""] = COMMENT.exec(comment) ?? [];
  if (signedId !== id) {
    const what = signedId === "" ? "was not made by crawldex" : `is for snapshot ${signedId}`;
    throw new SignatureError(`the signature of snapshot ${id} ${what}; ${TRY_ANOTHER}`);
  }
  if (Number(generation) < leastGeneration) {
    throw new SignatureError(
      `snapshot ${id} is signed as generation ${generation}, older than generation ${leastGeneration}, ` +
        "which was seen before or set as the least: publish again, which signs a newer generation",
    );
  }
  return Number(generation);
}

/**
 * A signature with the untrusted comment that crawldex writes. Nobody signs that comment: in a proof, in which every
 * byte counts, it has one form.
 * @throws SignatureError if it is none
 */
export function canonicalSignature(signature: string, id: string): string {
  const { keyId } = signatureParts(signature, id);
  const [, first, second, third] = signature.split("\n");
  return [untrustedComment(keyId), first, second, third, ""].join("\n");
}

/** The untrusted comment of a signature. */
export function untrustedComment(keyId: string): string {
  return `untrusted comment: signature of a crawldex manifest, key ${keyId}`;
}

/** The trusted comment of a signature. */
export function trustedComment(generation: number, id: string): string {
  return `crawldex generation:${generation} id:${id}`;
}

/** What checks signatures by the option `publicKeys`. @throws TypeError as `parsePublicKeys` */
export function verifierOf(texts: readonly string[]): VerifyManifest {
  const publicKeys = parsePublicKeys(texts);
  return (signed) => verifyManifest(signed, publicKeys);
}

/**
 * Reads the public keys of a reader: one, or two while keys are exchanged.
 * @param texts each as for `parsePublicKey`
 * @throws TypeError
 */
export function parsePublicKeys(texts: readonly string[]): PublicKey[] {
  if (texts.length < 1 || texts.length > KEYS_MAX) {
    throw new TypeError(`expected one or two public keys, found ${texts.length}`);
  }
  return texts.map(parsePublicKey);
}

/**
 * Reads a public key of minisign: its base64 line, or the whole text of its file.
 * @throws TypeError that says what is expected
 */
export function parsePublicKey(text: string): PublicKey {
  const bytes = fromBase64(base64Line(text));
  if (bytes?.length !== PUBLIC_KEY_BYTES || algorithmOf(bytes) !== ALGORITHM) {
    // The text is not repeated: it may be a secret key.
    throw new TypeError(
      "expected a public key: 56 characters that begin with RW, as crawldex keygen and minisign -G write them",
    );
  }
  return { id: keyIdOf(bytes.subarray(2)), bytes: bytes.slice(2 + KEY_ID_BYTES) };
}

/** The base64 line of a key, which may come with the comment line of its file. */
export function base64Line(text: string): string {
  return text
    .trim()
    .replace(/^untrusted comment:[^\n]*\n/, "")
    .trim();
}

/** The id of a key as minisign prints it: its bytes are a little-endian number. @param bytes begin with the id */
export function keyIdOf(bytes: Uint8Array): string {
  return [...bytes.subarray(0, KEY_ID_BYTES)]
    .reverse()
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
}

/** The two letters of a key or a signature that name its algorithm. */
export function algorithmOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 2));
}

/** Decodes base64 in its one canonical form; null for any other text. */
export function fromBase64(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const text = atob(base64);
    return btoa(text) === base64 ? Uint8Array.from(text, (char) => char.charCodeAt(0)) : null;
  } catch {
    return null;
  }
}

/** @throws SignatureError if the text is not a signature in minisign's older form */
function signatureParts(signature: string, id: string) {
  const [, line = "", comment = "", last = ""] = LINES.exec(signature) ?? [];
  const bytes = fromBase64(line);
  const second = fromBase64(last);
  const isWhole = bytes?.length === SIGNATURE_BYTES && second?.length === 64;
  if (!isWhole || algorithmOf(bytes) !== ALGORITHM) {
    const what =
      isWhole && algorithmOf(bytes) === PREHASHED
        ? "is prehashed: minisign -S needs the option -l"
        : `is not one of minisign; ${TRY_ANOTHER}`;
    throw new SignatureError(`the signature of snapshot ${id} ${what}`);
  }
  return {
    keyId: keyIdOf(bytes.subarray(2)),
    first: bytes.slice(2 + KEY_ID_BYTES),
    comment,
    second,
  };
}

async function isSigned(
  { bytes }: PublicKey,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array,
): Promise<boolean> {
  const { subtle } = crypto;
  const key = await subtle.importKey("raw", bytes, "Ed25519", false, ["verify"]);
  return subtle.verify("Ed25519", key, signature, new Uint8Array(signed));
}

async function firstOf<T>(
  all: readonly T[],
  isRight: (one: T) => Promise<boolean>,
): Promise<T | null> {
  for (const one of all) if (await isRight(one)) return one;
  return null;
}
