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
   * @returns its generation, and a function to call once it is adopted: from then on, older snapshots are refused
   * @throws SignatureError; BadSnapshotError
   */
  async check(id: string): Promise<{ generation: number; accept: () => void }> {
    const generation = await requireNewestSignature(
      this.#store,
      id,
      this.#publicKeys,
      this.#highest,
    );
    const accept = () => {
      this.#highest = generation;
    };
    return { generation, accept };
  }
}
