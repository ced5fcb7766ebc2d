import type { Command } from "commander";

const PUBLIC_KEY_VARIABLE = "CRAWLDEX_PUBLIC_KEY";
const SIGNING_KEY_VARIABLE = "CRAWLDEX_SIGNING_KEY";

/** The commands that check signatures, and those that make them. */
const READERS: readonly string[] = ["pull", "serve", "verify"];
const SIGNERS: readonly string[] = ["build", "push", "rollback", "withdraw"];

/** Lets a command take the keys that it needs. */
export function takeKeys(command: Command): void {
  if (READERS.includes(command.name())) takePublicKeys(command);
  if (SIGNERS.includes(command.name())) takeSigningKey(command);
}

/**
 * Lets a command take one or two public keys: as `--public-key`, else from the environment. The command's action finds
 * their texts as `options.publicKeys`.
 */
function takePublicKeys(command: Command): void {
  const option = command.createOption(
    "--public-key <file>",
    "a public key, or a file with one: refuse snapshots that are not signed with it; give two while you exchange keys",
  );
  command.addOption(
    option.env(PUBLIC_KEY_VARIABLE).argParser((value, before: readonly string[] = []) => {
      return [...before, value];
    }),
  );
  command.hook("preAction", async (self) => {
    const { publicKey } = self.opts<{ publicKey?: readonly string[] }>();
    if (publicKey === undefined) return;
    const isTyped = self.getOptionValueSource("publicKey") === "cli";
    await usage(self, isTyped ? "--public-key" : PUBLIC_KEY_VARIABLE, async () => {
      const { publicKeysIn } = await import("./key-files.js");
      self.setOptionValue("publicKeys", publicKeysIn(publicKey));
    });
  });
}

/** Lets a command find the signing key of the environment, if there is one, as `options.signingKey`. */
function takeSigningKey(command: Command): void {
  command.hook("preAction", async (self) => {
    const text = process.env[SIGNING_KEY_VARIABLE];
    if (text === undefined) return;
    await usage(self, SIGNING_KEY_VARIABLE, async () => {
      const { parseSigningKey } = await import("./sign.js");
      parseSigningKey(text);
    });
    self.setOptionValue("signingKey", text);
  });
}

/** Turns an error about a key into a usage error. */
async function usage(command: Command, source: string, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    command.error(`error: ${source}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
