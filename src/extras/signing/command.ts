import { type Command, CommanderError } from "commander";
import { CrawldexCommand, EXIT } from "../../../cli/command.js";
import { type OutputOptions, Terminal } from "../../../cli/terminal.js";
import type { ExtraCommand } from "../../extra.js";
import { KEY_NAME } from "./options.js";

const keygenCommand = new CrawldexCommand(
  "keygen",
  "Make a key pair that signs snapshots, in minisign's format.",
  {
    examples: ["crawldex keygen", "crawldex keygen keys/directory"],
    page: "signing.md",
  },
)
  .argument("[name]", "path of the key files, without .key or .pub", KEY_NAME)
  .action(async (name: string, options: OutputOptions) => {
    const { keygen } = await import("./sign.js");
    const { publicKey, publicKeyFile, secretKeyFile } = await keygen(name);
    const value = { ok: true, publicKey, publicKeyFile, secretKeyFile };
    new Terminal(options).result(value, [
      `public key ${publicKey}`,
      `${publicKeyFile} has the public key: give it to everyone who reads your snapshots`,
      `${secretKeyFile} has the secret key, without a password: keep it secret, and keep a copy`,
      "try:",
      `  CRAWLDEX_SIGNING_KEY="$(cat ${secretKeyFile})" crawldex build <published>`,
      `  crawldex verify --public-key ${publicKeyFile}`,
    ]);
  });

export const commands: readonly ExtraCommand[] = [
  {
    command: keygenCommand,
    after: "schema",
    results: async () => (await import("./results.js")).results,
  },
];

interface ProofFlags extends OutputOptions {
  readonly proof?: string;
  readonly answer?: string;
  readonly publicKeys?: readonly string[];
}

/** Lets `verify` check a proof in place of a store. */
function takeProof(command: Command): void {
  command.option("--proof <file>", "check this answer of /api/proof instead of a store, offline");
  command.option("--answer <file>", "with --proof: the answer that it has to prove");
  command.hook("preAction", async () => {
    const flags = command.opts<ProofFlags>();
    if (flags.proof === undefined) {
      if (flags.answer === undefined) return;
      command.error("error: option '--answer <file>' needs option '--proof <file>'");
    }
    await checkProof(command, flags, flags.proof);
    throw new CommanderError(EXIT.done, "crawldex.proven", "");
  });
}

async function checkProof(command: Command, flags: ProofFlags, proof: string): Promise<void> {
  const { answer, publicKeys } = flags;
  if (publicKeys === undefined) {
    command.error(
      "error: option '--proof <file>' needs option '--public-key <file>', of the publisher",
    );
  }
  if (command.args.length > 0 || command.getOptionValueSource("store") === "cli") {
    command.error("error: name either a store or a proof to check, not both");
  }
  const { answerIn, proofIn } = await import("./proof-files.js");
  const { verifyProof } = await import("./verify-proof.js");
  const bytes = answer === undefined ? undefined : answerIn(answer);
  const proven = await verifyProof(proofIn(proof), { publicKeys, answer: bytes });
  const { directory, baseUrl, generation, address, sha256 } = proven;
  const isAnswerChecked = bytes !== undefined;
  new Terminal(flags).result({ ok: true, ...proven, isAnswerChecked }, [
    `proven: generation ${generation} of ${directory}, as its publisher has signed it, answers`,
    `  ${baseUrl}${address}`,
    `with bytes whose sha256 is ${sha256}`,
    isAnswerChecked
      ? `${answer} has these bytes`
      : "compare that with the answer that you have, or name its file with --answer",
  ]);
}

/** By name, what changes commands of the core. */
export const changes: Readonly<Record<string, (command: Command) => void>> = { verify: takeProof };
