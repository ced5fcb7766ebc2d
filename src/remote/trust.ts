import { type PublicKey, SignatureError, verifyManifest } from "../signing/verify.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { highestSigned, requireSignature } from "../store/signature.js";
import type { CheckedManifest } from "./manifests.js";

/** What a pull demands of a snapshot's signature. */
export class Trust {
  readonly #publicKeys: readonly PublicKey[];
  readonly #store: string;
  readonly #leastGeneration: number;

  private constructor(publicKeys: readonly PublicKey[], store: string, leastGeneration: number) {
    this.#publicKeys = publicKeys;
    this.#store = store;
    this.#leastGeneration = leastGeneration;
  }

  /** The local snapshots remember which generations were accepted. */
  static async after(store: string, publicKeys: readonly PublicKey[]): Promise<Trust> {
    return new Trust(publicKeys, store, await highestSigned(store, publicKeys));
  }

  /** Whether a local snapshot is signed as demanded: an earlier pull may have demanded less. */
  async accepts(id: string): Promise<boolean> {
    try {
      await requireSignature(this.#store, id, this.#publicKeys, this.#leastGeneration);
      return true;
    } catch (error) {
      if (error instanceof SignatureError || error instanceof BadSnapshotError) return false;
      throw error;
    }
  }

  /** @param signature null if there is none @throws SignatureError */
  async require({ id, bytes }: CheckedManifest, signature: Buffer | null): Promise<void> {
    await verifyManifest({
      ...{ manifest: bytes, id, signature: signature?.toString("utf8") ?? null },
      ...{ publicKeys: this.#publicKeys, leastGeneration: this.#leastGeneration },
    });
  }
}
