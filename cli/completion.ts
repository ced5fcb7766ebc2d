import { Argument, type Command } from "commander";
import { CrawldexCommand } from "./command.js";
import { bashScript, fishScript, zshScript } from "./shells.js";
import { type OutputOptions, Terminal } from "./terminal.js";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

type Shell = keyof typeof SCRIPTS;

export const completionCommand = new CrawldexCommand(
  "completion",
  "Print a script that completes commands, options and folders in your shell.",
  {
    examples: [
      "crawldex completion bash >> ~/.bashrc",
      "crawldex completion fish > ~/.config/fish/completions/crawldex.fish",
    ],
    page: "command-line.md",
  },
)
  .addArgument(new Argument("<shell>", "your shell").choices(Object.keys(SCRIPTS)))
  .action((shell: Shell, options: OutputOptions, self: CrawldexCommand) => {
    const script = SCRIPTS[shell](wordsOf(self.parent ?? self));
    new Terminal(options).result({ ok: true, shell, script }, [script.trimEnd()]);
  });

/** The values of an option or argument: one of a few words, a path, or any other text, which no shell can complete. */
export type CompletedValues = readonly string[] | "folder" | "file" | "text";

/** An option of a command. */
export interface CompletedOption {
  /** `-q` and `--quiet`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Null for a flag, which has no value. */
  readonly values: CompletedValues | null;
  readonly isRepeatable: boolean;
}

/** What can follow a command. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** The values of each argument, in order. */
  readonly arguments: readonly CompletedValues[];
}

/** The whole command line, with `help` and the options that stand before a command. */
export interface CompletedProgram {
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
}

/** Arguments and values of options that are folders, by the name in their description. */
const FOLDERS = ["folder", "published", "site", "store"];

function wordsOf(program: Command): CompletedProgram {
  const names = program.commands.map((command) => command.name());
  const commands = program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: optionsOf(command),
    arguments: command.registeredArguments.map((one) => valuesOf(one.name(), one.argChoices)),
  }));
  const help = { name: "help", description: "display help for command", options: [] };
  return {
    options: optionsOf(program),
    commands: [...commands, { ...help, arguments: [names] }],
  };
}

function optionsOf(command: Command): CompletedOption[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map(({ short, long, description, flags, argChoices, variadic }) => {
      const [, value] = /[<[]([a-z]+)/.exec(flags) ?? [];
      return {
        names: [short, long].flatMap((name) => name ?? []),
        description,
        values: value === undefined ? null : valuesOf(value, argChoices),
        isRepeatable: variadic,
      };
    });
}

function valuesOf(name: string, choices: readonly string[] | undefined): CompletedValues {
  if (choices !== undefined) return choices;
  if (FOLDERS.includes(name)) return "folder";
  return name === "file" ? "file" : "text";
}
