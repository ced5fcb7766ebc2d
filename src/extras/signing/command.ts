import { CrawldexCommand } from "../../../cli/command.js";
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
