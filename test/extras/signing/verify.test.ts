import { generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { keyFilesOf, parseSigningKey, signManifest } from "../../../src/extras/signing/sign.js";
import {
  type PublicKey,
  parsePublicKey,
  parsePublicKeys,
  verifyManifest,
} from "../../../src/extras/signing/verify.js";
import { SignatureError, type SignedManifest } from "../../../src/store/signature.js";
import { repeated } from "../../slow.js";

const ID = "0123456789abcdef0123456789abcdef";
const OTHER_ID = "f".repeat(32);
const MANIFEST = Buffer.from('{"format":2}\n');
const encoder = new TextEncoder();

/** A key pair with an id of these bytes. */
function aKey(id = 1) {
  const { privateKey } = generateKeyPairSync("ed25519");
  const files = keyFilesOf(privateKey, Buffer.alloc(8, id));
  return {
    ...files,
    signing: parseSigningKey(files.secretText),
    parsed: parsePublicKey(files.publicText),
  };
}

/** A manifest with its signature, and the keys that are configured. */
type Signed = SignedManifest & { readonly publicKeys: readonly PublicKey[] };

let key: ReturnType<typeof aKey>;
let good: Signed & { readonly signature: string };
beforeAll(() => {
  key = aKey();
  good = {
    manifest: MANIFEST,
    id: ID,
    signature: signManifest(MANIFEST, ID, 5, key.signing),
    publicKeys: [key.parsed],
  };
});

/** The message of the refusal; null if the manifest is accepted. */
async function refusal(changes: Partial<Signed>): Promise<string | null> {
  try {
    const { publicKeys, ...signed } = { ...good, ...changes };
    await verifyManifest(signed, publicKeys);
    return null;
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    return error.message;
  }
}

describe("a signed manifest", () => {
  it("is accepted with its generation", async () => {
    expect(await verifyManifest(good, good.publicKeys)).toBe(5);
  });

  it("is refused if it is not signed, with the remedy", async () => {
    expect(await refusal({ signature: null })).toMatch(
      /is not signed, but a public key is configured: set CRAWLDEX_SIGNING_KEY/,
    );
  });

  it("is refused for each changed bit of the manifest", async () => {
    for (let bit = 0; bit < MANIFEST.length * 8; bit += 1) {
      const manifest = Buffer.from(MANIFEST);
      manifest[bit >> 3]! ^= 1 << (bit & 7);
      expect(await refusal({ manifest })).toContain("does not match its manifest");
    }
    expect(await refusal({ manifest: MANIFEST.subarray(1) })).toContain("does not match");
    expect(await refusal({ manifest: new Uint8Array() })).toContain("does not match");
  });

  it(
    "is refused for each changed, lost or added byte of the signature's file, its first line and end " +
      "apart",
    async () => {
      const bytes = Buffer.from(good.signature);
      const first = bytes.indexOf("\n");
      const untrusted = "untrusted comment: ".length;
      for (let at = 0; at < bytes.length; at += repeated(3, 1)) {
        const others = [0, 10, 32, 65, (bytes[at] ?? 0) ^ 1, (bytes[at] ?? 0) ^ 0x80];
        const changed = others
          .filter((other) => other !== bytes[at])
          .map((other) => Buffer.from(bytes.with(at, other)));
        changed.push(Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]));
        changed.push(Buffer.concat([bytes.subarray(0, at), Buffer.from("A"), bytes.subarray(at)]));
        const isUntrusted = at >= untrusted && at <= first;
        const isEnd = at === bytes.length - 1;
        for (const one of changed) {
          const isAccepted = (await refusal({ signature: one.toString("utf8") })) === null;
          if (isAccepted) expect([at, isUntrusted || isEnd]).toEqual([at, true]);
        }
      }
    },
  );

  it("is refused for each changed bit of the public key", async () => {
    const bytes = Buffer.from(key.publicKey, "base64");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const text = changed.toString("base64");
      if (bit < 16) expect(() => parsePublicKey(text)).toThrow(TypeError);
      else expect(await refusal({ publicKeys: [parsePublicKey(text)] })).not.toBeNull();
    }
  });

  it("is refused if another key signed it, which the message names, and if that key claims the same id", async () => {
    const unknown = aKey(2);
    const signature = signManifest(MANIFEST, ID, 5, unknown.signing);
    expect(await refusal({ signature })).toBe(
      `snapshot ${ID} is signed with the unknown key 0202020202020202, not with 0101010101010101: if ` +
        "its publisher has changed keys, configure the new public key",
    );
    const forged = signManifest(MANIFEST, ID, 5, aKey(1).signing);
    expect(await refusal({ signature: forged })).toContain("does not match its manifest and key");
  });

  it("is refused if the signature is for another snapshot, or was not made by crawldex", async () => {
    const other = signManifest(MANIFEST, OTHER_ID, 5, key.signing);
    expect(await refusal({ signature: other })).toContain(`is for snapshot ${OTHER_ID}`);
    for (const generation of [0, -1, 1.5, 1e15, Number.NaN]) {
      const odd = signManifest(MANIFEST, ID, generation, key.signing);
      expect(await refusal({ signature: odd })).toContain("was not made by crawldex");
    }
  });

  it("is refused if it is older than one that was accepted before; the same generation is accepted", async () => {
    expect(await refusal({ leastGeneration: 6 })).toContain(
      "is signed as generation 5, older than generation 6, which was seen before",
    );
    expect(await refusal({ leastGeneration: 5 })).toBeNull();
    expect(await refusal({ leastGeneration: 4 })).toBeNull();
  });

  it("is accepted with either of two keys while keys are exchanged, even if both have one id", async () => {
    const next = aKey(2);
    const both = [key.parsed, next.parsed];
    expect(await refusal({ publicKeys: both })).toBeNull();
    const signature = signManifest(MANIFEST, ID, 6, next.signing);
    expect(await refusal({ publicKeys: both, signature })).toBeNull();
    expect(await refusal({ publicKeys: [next.parsed] })).toContain("unknown key");
    const twin = aKey(1);
    expect(await refusal({ publicKeys: [twin.parsed, key.parsed] })).toBeNull();
  });

  it.each([
    ["an empty file", ""],
    ["a page of HTML", "<!doctype html><title>404</title>"],
    ["a very long file", `untrusted comment: ${"x".repeat(100_000)}\n`],
    ["a signature of signify alone", "untrusted comment: x\nRWQ=\n"],
  ])("is refused for %s in place of a signature", async (_, signature) => {
    expect(await refusal({ signature })).toContain("is not one of minisign");
  });
});

describe("a public key", () => {
  it("is read from its line and from the text of its file, with any white space around", () => {
    const texts = [key.publicKey, key.publicText, ` ${key.publicKey}\n`, key.publicText.trim()];
    texts.push(key.publicText.replaceAll("\n", "\r\n"));
    for (const text of texts) expect(parsePublicKey(text)).toEqual(key.parsed);
  });

  it("that is none is refused without a word of it, as it may be the secret key", () => {
    const wrong = ["", "RW", key.secretText, `${key.publicKey}A`, key.publicKey.slice(1), "ü"];
    for (const text of wrong) {
      expect(() => parsePublicKey(text)).toThrow(
        /^expected a public key: 56 characters that begin with RW, as crawldex keygen and minisign -G write them$/,
      );
    }
  });

  it("is one of at most two", () => {
    expect(parsePublicKeys([key.publicKey, key.publicText])).toHaveLength(2);
    expect(() => parsePublicKeys([])).toThrow("expected one or two public keys, found 0");
    expect(() => parsePublicKeys(Array(3).fill(key.publicKey))).toThrow("found 3");
  });
});

describe("a signing key", () => {
  it("is read from its line and from the text of its file", () => {
    const [, line = ""] = key.secretText.split("\n");
    for (const text of [line, key.secretText, `${line}\n`]) {
      expect(parseSigningKey(text).publicKey).toEqual(key.parsed);
    }
  });

  it("that is none, or damaged anywhere in it, is refused, and no message shows it", () => {
    const [, line = ""] = key.secretText.split("\n");
    const bytes = Buffer.from(line, "base64");
    const wrong = ["", "RW", key.publicKey, `${line}A`, line.slice(4), "x".repeat(212)];
    for (let at = 62; at < 126; at += 1) {
      wrong.push(Buffer.from(bytes.with(at, (bytes[at] ?? 0) ^ 1)).toString("base64"));
    }
    for (const text of wrong) {
      let message = "";
      try {
        parseSigningKey(text);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        message = String(error);
      }
      expect(message).toMatch(/signing key (?:must be a secret key|is damaged)/);
      for (let at = 0; at + 12 <= text.length; at += 12) {
        expect(message).not.toContain(text.slice(at, at + 12));
      }
    }
  });

  it("signs the same manifest with the same bytes", () => {
    const again = signManifest(encoder.encode(MANIFEST.toString()), ID, 5, key.signing);
    expect(again).toBe(good.signature);
  });
});
