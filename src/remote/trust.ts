import { type PublicKey, SignatureError, verifyManifest } from "../signing/verify.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { highestSigned, requireSignature } from "../store/signature.js";
import { RemoteRefusedError } from "./errors.js";

/** What a pull demands of signatures. Of all numbers, only those in verified signatures count. */
export class Trust {
  readonly #publicKeys: readonly PublicKey[];
  readonly #store: string;
  /** The highest signed generation of the local snapshots; 0 if none is signed. */
  readonly highest: number;

  private constructor(publicKeys: readonly PublicKey[], store: string, highest: number) {
    this.#publicKeys = publicKeys;
    this.#store = store;
    this.highest = highest;
  }

  /** The local snapshots remember which generations were accepted. */
  static async after(store: string, publicKeys: readonly PublicKey[]): Promise<Trust> {
    return new Trust(publicKeys, store, await highestSigned(store, publicKeys));
  }

  /** The signed generation of a local snapshot; null if it is not signed as demanded: an earlier pull may have demanded less. */
  async localGeneration(id: string): Promise<number | null> {
    try {
      return await requireSignature(this.#store, id, this.#publicKeys, this.highest);
    } catch (error) {
      if (error instanceof SignatureError || error instanceof BadSnapshotError) return null;
      throw error;
    }
  }

  /**
   * Checks the signature of a manifest that an origin offers. The manifest is not parsed.
   * @param origin its address, for messages
   * @param signature null if there is none
   * @returns its signed generation
   * @throws SignatureError; RemoteRefusedError if the store has had a newer generation
   */
  async require(
    origin: string,
    id: string,
    manifest: Buffer,
    signature: string | null,
  ): Promise<number> {
    const signed = { manifest, id, signature, publicKeys: this.#publicKeys };
    const { generation } = await verifyManifest(signed);
    if (generation >= this.highest) return generation;
    throw new RemoteRefusedError(
      `${origin} offers a snapshot signed as generation ${generation}, but ${this.#store} has generation ${this.highest} already: someone may be replaying an old snapshot; if the origin was really set back, pull into a new store`,
    );
  }
}
