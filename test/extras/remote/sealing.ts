import { afterAll, beforeAll } from "vitest";
import { type Extra, type ExtraOption, installExtras } from "../../../src/extra.js";
import { EXTRAS } from "../../../src/extras/index.js";
import { optional, text } from "../../../src/lib/options.js";
import { SignatureError, type SignManifest } from "../../../src/store/signature.js";

declare module "../../../src/store/signers.js" {
  interface ExtraSignOptions {
    /** The name that seals are made with. */
    readonly sealedBy?: string | undefined;
  }
  interface ExtraVerifyOptions {
    /** The name that seals must have. */
    readonly sealedWith?: string | undefined;
  }
}

const SEAL = /^sealed by (.+), generation:(\d+) id:(.+)\n$/;

/** Makes seals: signatures that anybody can forge, for tests of what becomes of signatures. */
export const sealOf =
  (name: string): SignManifest =>
  (_manifest, id, generation) =>
    `sealed by ${name}, generation:${generation} id:${id}\n`;

const byName = { ...optional(text("a name")), after: "store" };
const sealedBy: Record<string, ExtraOption> = { sealedBy: byName };
const sealedWith: Record<string, ExtraOption> = { sealedWith: byName };

const sealing: Extra = {
  name: "sealing",
  options: { build: sealedBy, push: sealedBy, pull: sealedWith, serve: sealedWith },
  signer: async (options) =>
    options.sealedBy === undefined ? undefined : sealOf(options.sealedBy),
  verifier: async (options) => {
    if (options.sealedWith === undefined) return undefined;
    return async ({ id, signature, leastGeneration = 0 }) => {
      const [, name, generation, sealed] = SEAL.exec(signature ?? "") ?? [];
      if (name !== options.sealedWith || sealed !== id) {
        throw new SignatureError(`snapshot ${id} is not sealed`);
      }
      if (Number(generation) < leastGeneration) {
        throw new SignatureError(`snapshot ${id} is sealed as the older generation ${generation}`);
      }
      return Number(generation);
    };
  },
};

/** Adds seals to the extras of the tests of a file. */
export function withSeals(): void {
  beforeAll(() => installExtras([...EXTRAS, sealing]));
  afterAll(() => installExtras(EXTRAS));
}
