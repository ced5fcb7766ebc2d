import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { messageOf } from "../src/files/errors.js";
import { readRegularSync } from "../src/files/regular.js";
import { STORE } from "../src/options/defaults.js";
import { GENERATION, ID_PREFIX_MIN } from "../src/store/names.js";

const PUBLIC_KEY_VARIABLE = "CRAWLDEX_PUBLIC_KEY";
const SIGNING_KEY_VARIABLE = "CRAWLDEX_SIGNING_KEY";

/** The options of a command that checks signatures. */
export interface PublicKeyOptions {
  /** The texts of the public keys; undefined if none is configured. */
  readonly publicKey?: readonly string[];
}

/**
 * Lets a command take one or two public keys: as `--public-key`, else from the environment. The command's action finds
 * their texts as `options.publicKey`.
 */
export function takesPublicKeys<C extends Command>(command: C): C {
  const option = new Option(
    "--public-key <file>",
    "a public key, or a file with one: refuse snapshots that are not signed with it; give two while you exchange keys",
  );
  command.addOption(
    option.env(PUBLIC_KEY_VARIABLE).argParser((value, before: readonly string[] = []) => {
      return [...before, value];
    }),
  );
  return command.hook("preAction", async (self) => {
    const { publicKey } = self.opts<PublicKeyOptions>();
    if (publicKey === undefined) return;
    const isTyped = self.getOptionValueSource("publicKey") === "cli";
    await usage(self, isTyped ? "--public-key" : PUBLIC_KEY_VARIABLE, async () => {
      const { parsePublicKeys } = await import("../src/signing/verify.js");
      const texts = publicKey.flatMap(keysIn);
      parsePublicKeys(texts);
      self.setOptionValue("publicKey", texts);
    });
  });
}

/** The signing key in the environment; undefined if there is none. A malformed one is a usage error. */
export async function signingKey(command: Command): Promise<string | undefined> {
  const text = process.env[SIGNING_KEY_VARIABLE];
  if (text !== undefined) {
    await usage(command, SIGNING_KEY_VARIABLE, async () => {
      const { parseSigningKey } = await import("../src/signing/sign.js");
      parseSigningKey(text);
    });
  }
  return text;
}

/** Turns an error about a key into a usage error. */
async function usage(command: Command, source: string, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    command.error(`error: ${source}: ${messageOf(error)}`);
  }
}

/** The keys in a file, or in a text: separated by white space, with or without the comment lines of their files. */
function keysIn(value: string): string[] {
  const text = existsSync(value) ? keyFile(value) : value;
  const lines = text.replaceAll(/^untrusted comment:.*$/gm, "").trim();
  return lines.split(/\s+/);
}

/** Bytes of a file with public keys, which has a few hundred. */
const KEY_FILE_MAX = 64 * 1024;

function keyFile(path: string): string {
  try {
    return readRegularSync(path, KEY_FILE_MAX).toString("utf8");
  } catch (error) {
    throw new Error(`the file ${path} cannot be read: ${messageOf(error)}`);
  }
}

/** Reads the name of a snapshot: its id, the beginning of its id, or its generation. */
export function snapshotName(text: string): string {
  if (text.length >= ID_PREFIX_MIN || GENERATION.test(text)) return text;
  throw new InvalidArgumentError(
    `It must be a generation, or at least ${ID_PREFIX_MIN} characters of an id.`,
  );
}

const STORE_VARIABLE = "CRAWLDEX_STORE";

/**
 * Lets a command take the store's folder: as `--store`, else from the environment, else the usual one. The command's
 * action finds it as `options.store`. It is a usage error to name it twice.
 * @param also another way to name it: the command's argument `[store]`, or the options `-o` and `--out`
 */
export function takesStore<C extends Command>(command: C, also?: "argument" | "out"): C {
  if (also === "argument") command.argument("[store]", "the store's folder, like --store");
  const store = storeOption("--store <folder>", "the store's folder");
  command.addOption(store.default([], STORE).env(STORE_VARIABLE));
  if (also === "out") command.addOption(storeOption("-o, --out <folder>", "the same as --store"));
  return command.hook("preAction", (self) => {
    const { store, out = [] } = self.opts<{ store: readonly string[]; out?: readonly string[] }>();
    const argument = also === "argument" ? self.args : [];
    const isTyped = self.getOptionValueSource("store") === "cli";
    const typed = [...argument, ...(isTyped ? store : []), ...out];
    if (typed.length > 1) {
      self.error(`error: the store is given twice: ${typed.join(" and ")}`);
    }
    self.setOptionValue("store", typed[0] ?? store[0] ?? STORE);
  });
}

/** An option that collects its values, so that a second one is noticed. */
function storeOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((folder, former: readonly string[] = []) => {
    if (folder === "") throw new InvalidArgumentError("It is empty.");
    return [...former, folder];
  });
}
