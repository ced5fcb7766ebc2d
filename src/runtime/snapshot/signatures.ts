import type { PublicKey } from "../../signing/verify.js";
import { requireNewestSignature } from "../../store/signature.js";

/** Checks the signatures of the snapshots that a server is about to adopt. */
export class Signatures {
  readonly #store: string;
  readonly #publicKeys: readonly PublicKey[];
  /** The highest generation of the adopted snapshots. */
  #highest = 0;

  constructor(store: string, publicKeys: readonly PublicKey[]) {
    this.#store = store;
    this.#publicKeys = publicKeys;
  }

  /**
   * Checks a snapshot's signature.
   * @returns a function to call once the snapshot is adopted: from then on, older snapshots are refused
   * @throws SignatureError; BadSnapshotError
   */
  async check(id: string): Promise<() => void> {
    const generation = await requireNewestSignature(
      this.#store,
      id,
      this.#publicKeys,
      this.#highest,
    );
    return () => {
      this.#highest = generation;
    };
  }
}
