import { type Command, InvalidArgumentError, Option } from "commander";
import { STORE } from "../src/options/defaults.js";

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
