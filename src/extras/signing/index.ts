import type { Extra, ExtraOption } from "../../extra.js";
import { PROOF_READS } from "./edge.js";
import { takeKeys } from "./flags.js";
import { PUBLIC_KEYS_OPTION, SIGNING_KEY_OPTION } from "./options.js";

declare module "../../store/signers.js" {
  interface ExtraSignOptions {
    /**
     * A secret key of minisign without a password, such as `keygen` makes: the text of its file, or its base64 line.
     * The snapshot's manifest is signed with it. Default: the snapshot is not signed, and a push copies its signature.
     */
    readonly signingKey?: string | undefined;
  }
  interface ExtraVerifyOptions {
    /**
     * One or two public keys. A snapshot that is not signed with one of them, or is older than one that the store has
     * had or that was served, is refused: neither pulled nor served. Default: signatures are not checked.
     */
    readonly publicKeys?: readonly string[] | undefined;
  }
}

const signingKey = { signingKey: { ...SIGNING_KEY_OPTION, after: "dryRun" } };
const publicKeys = { publicKeys: { ...PUBLIC_KEYS_OPTION, after: "store" } };

/** Signs snapshots, refuses those that are not signed with a public key, and proves single answers. */
export const signing: Extra = {
  name: "signing",
  reads: PROOF_READS,
  descriptions: async () => (await import("./bodies.js")).PROOF_DESCRIPTIONS,
  options: {
    build: signingKey,
    joinParts: signingKey,
    rollback: signingKey,
    withdraw: signingKey,
    push: signingKey,
    pull: publicKeys,
    serve: publicKeys,
    verify: publicKeys,
  } satisfies Readonly<Record<string, Readonly<Record<string, ExtraOption>>>>,
  signer: async (options) =>
    options.signingKey === undefined
      ? undefined
      : (await import("./sign.js")).signerOf(options.signingKey),
  verifier: async (options) =>
    options.publicKeys === undefined
      ? undefined
      : (await import("./verify.js")).verifierOf(options.publicKeys),
  extendCommand: takeKeys,
  commands: async () => (await import("./command.js")).commands,
  changeCommands: async () => (await import("./command.js")).changes,
  results: async () => ({ verify: (await import("./results.js")).proofResults }),
  exits: { KeyExistsError: "usage", SignatureError: "badSnapshot", ProofError: "badSnapshot" },
};
