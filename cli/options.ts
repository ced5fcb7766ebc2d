import { type Command, InvalidArgumentError, Option } from "commander";
import { installedExtras } from "../src/extra.js";
import { type Option as FunctionOption, type Rule, STORE } from "../src/lib/options.js";
import { GENERATION, ID_PREFIX_MIN } from "../src/store/names.js";

/** The options of a function, by name. */
type Table = Readonly<Record<string, FunctionOption<unknown>>>;
/** The values of a function's options that a command line gives. */
type GivenOptions<T extends Table> = {
  readonly [N in keyof T]?: (T[N] extends FunctionOption<infer V> ? V : never) | undefined;
};

/** Lets a command take those options of a function that have a flag. */
export function takesOptions<C extends Command>(command: C, table: Table): C {
  for (const { rule, usual, flag } of Object.values(table)) {
    if (flag === undefined) continue;
    const option = new Option(flag.flags, flag.help);
    if (typeof usual !== "boolean" && usual !== undefined) option.default(usual);
    if (flag.env !== undefined) option.env(flag.env);
    if (rule.words !== undefined) option.choices(rule.words);
    else if (typeof usual !== "boolean") option.argParser(parserOf(command, option, rule));
    command.addOption(option);
  }
  return command;
}

function parserOf(command: Command, option: Option, rule: Rule<unknown>) {
  const parsed = (text: string, { fromText, accepts, expected, hint, isSecret } = rule) => {
    const value = fromText === undefined ? text : fromText(text);
    if (accepts(value)) return value;
    if (isSecret) command.error(`error: ${option.long} must be ${expected}`);
    throw new InvalidArgumentError(`It must be ${expected}${hint?.(value) || "."}`);
  };
  const { item } = rule;
  if (item === undefined) return (text: string) => parsed(text);
  return (text: string, former: unknown) => {
    return [...(Array.isArray(former) ? former : []), parsed(text, item)];
  };
}

/** The options of a function among those that a command was given. */
export function optionsIn<T extends Table>(table: T, given: GivenOptions<T>): GivenOptions<T> {
  const names = Object.keys(table).filter((name) => given[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, given[name]])) as GivenOptions<T>;
}

/** The option that a command's action finds under a name. @throws TypeError if there is none, which is a bug */
export function optionNamed(command: Command, name: string): Option {
  const found = command.options.find((option) => option.attributeName() === name);
  if (found === undefined) throw new TypeError(`${command.name()} has no option ${name}`);
  return found;
}

/** Refuses a wrong address without repeating it, because it may hold a password. */
export function requireUrl(command: Command, url: string, rule: Rule<string>): void {
  if (!rule.accepts(url)) command.error(`error: <url> must be ${rule.expected}`);
}

/** Lets a command take what extras add to it, such as an option that comes after those it has. */
export function takesExtras<C extends Command>(command: C): C {
  for (const { extendCommand } of installedExtras()) extendCommand?.(command);
  return command;
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
