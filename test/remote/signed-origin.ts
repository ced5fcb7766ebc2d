import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { signManifest } from "../../src/signing/sign.js";
import { temporaryFolder } from "../fixtures.js";
import { aKeyPair } from "../signing/keys.js";
import { builtStore, manyListings } from "../store/trees.js";
import { type Files, filesIn } from "./hosts.js";

/** What an honest origin has: signed snapshots, generations and a hint. */
export interface SignedOrigin {
  readonly files: Files;
  readonly publicKeys: readonly string[];
  /** Signs the snapshot as a later generation, which becomes the newest. */
  publishAgain(generation: number): Promise<void>;
  readonly id: string;
}

/** An origin with one snapshot, signed as generation 1. */
export async function signedOrigin(): Promise<SignedOrigin> {
  // It goes with the folder of all temporary files.
  const keep = () => {};
  const { store, result } = await builtStore(manyListings(12), {}, keep);
  const { signingKey, publicKey } = await aKeyPair(await temporaryFolder(keep));
  const { id } = result;
  const texts = new Map<string, string>();
  const publishAgain = async (generation: number) => {
    const manifest = await readFile(join(store, id, "manifest.json"));
    const pointer = { format: 1, id, generation };
    texts.set(`${id}/manifest.json.minisig`, signManifest(manifest, id, generation, signingKey));
    texts.set(`generations/${generation}.json`, JSON.stringify(pointer));
    texts.set("current.json", JSON.stringify(pointer));
  };
  await publishAgain(1);
  const inStore = filesIn(store);
  const files: Files = async (path) => {
    const text = texts.get(path);
    return text === undefined ? inStore(path) : Buffer.from(text);
  };
  return { files, id, publicKeys: [publicKey], publishAgain };
}
