import { Argument, type Command } from "commander";
import { CrawldexCommand } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

/** Each script passes the typed words to `crawldex completion <shell> -- <words>`, which prints what may follow. */
const SCRIPTS = {
  bash: `_crawldex() {
  local IFS=$'\\n' typed=\${COMP_WORDS[COMP_CWORD]} found
  [[ $typed == "=" ]] && typed=""
  found=$(crawldex completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" ".\${COMP_WORDS[COMP_CWORD]}" \
2>/dev/null | cut -f 1)
  COMPREPLY=()
  case $found in
    :folder) found=$(compgen -d -- "$typed") ;;
    :file) found=$(compgen -f -- "$typed") ;;
    *) COMPREPLY=($(compgen -W "$found" -- "$typed")); return ;;
  esac
  compopt -o filenames 2>/dev/null
  COMPREPLY=($found)
}
complete -F _crawldex crawldex`,
  zsh: `#compdef crawldex
_crawldex() {
  local -a found=("\${(@f)$(crawldex completion zsh -- "\${(@)words[2,CURRENT-1]}" ".$words[CURRENT]" 2>/dev/null)}")
  [[ $PREFIX == --*=* ]] && compset -P 1 '*='
  case $found[1] in
    "") return 1 ;;
    :folder) _files -/ ;;
    :file) _files ;;
    *) found=("\${(@)found//:/\\\\:}"); found=("\${(@)found/$'\\t'/:}"); _describe crawldex found ;;
  esac
}
if [[ $funcstack[1] == _crawldex ]]; then _crawldex "$@"; else compdef _crawldex crawldex; fi`,
  fish: `function __crawldex
    set -l typed (commandline -ct)
    set -l found (crawldex completion fish -- (commandline -opc)[2..] ".$typed" 2>/dev/null)
    set -l begin (string match -r -- "^--[^=]*=" "$typed")
    switch "$found[1]"
        case :folder
            printf '%s\\n' "$begin"(__fish_complete_directories (string replace -- "$begin" "" "$typed") "")
        case :file
            printf '%s\\n' "$begin"(__fish_complete_path (string replace -- "$begin" "" "$typed"))
        case '*'
            printf '%s\\n' "$begin"$found
    end
end
complete -c crawldex -f -a '(__crawldex)'`,
} as const;

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
  .argument("[words...]", "what is typed after crawldex: print what may follow (the script asks)")
  .allowExcessArguments()
  .action((shell: Shell, words: string[], options: OutputOptions, self: CrawldexCommand) => {
    const script = SCRIPTS[shell];
    const lines = words.length === 0 ? [script] : followingLines(self.parent ?? self, words);
    new Terminal(options).result({ ok: true, shell, script }, lines);
  });

/** Arguments and values of options that are folders, by the name in their description. */
const FOLDERS = ["folder", "published", "site", "store"];

/**
 * What may follow, one per line: a word, a tab and its description; or `:folder` or `:file` alone.
 * @param given the words after the program's name; the last one is being typed, and has a dot before it
 */
function followingLines(program: Command, given: readonly string[]): string[] {
  const all = [...given.slice(0, -1), given.at(-1)?.slice(1) ?? ""];
  // Shells give `--store=x` as one word, or as three.
  const words = all
    .flatMap((word) => (word.startsWith("--") ? word.split("=") : [word]))
    .filter((one) => one !== "=");
  if (all.at(-1) === "=") words.push("");
  const typed = words.pop() ?? "";
  const lines = linesAfter(program, words, typed.startsWith("-"));
  return lines.filter((line) => line.startsWith(":") || line.startsWith(typed));
}

function linesAfter(program: Command, words: readonly string[], isOption: boolean): string[] {
  const at = words.findIndex((word) => !word.startsWith("-"));
  if (at < 0 && isOption) return optionLines(program);
  const commands = program.commands.map((one) => `${one.name()}\t${one.description()}`);
  if (at < 0) return [...commands, "help\tdisplay help for command"];
  if (words[at] === "help") return commands;
  const command = program.commands.find((one) => one.name() === words[at]);
  if (command === undefined) return [];
  /** The option that a word names, if a value follows. */
  const optionWithValue = (word = "") =>
    command.options.find(
      ({ short, long, flags }) => [short, long].includes(word) && /[<[]/.test(flags),
    );
  const option = optionWithValue(words.at(-1));
  if (option !== undefined) {
    const [, name = ""] = /[<[]([a-z]+)/.exec(option.flags) ?? [];
    return valueLines(name, option.argChoices);
  }
  if (isOption) return optionLines(command);
  const before = words
    .slice(at + 1)
    .filter((word, i) => !word.startsWith("-") && optionWithValue(words[at + i]) === undefined);
  const argument = command.registeredArguments[before.length];
  return argument === undefined ? [] : valueLines(argument.name(), argument.argChoices);
}

function optionLines(command: Command): string[] {
  const options = command.createHelp().visibleOptions(command);
  return options.flatMap(({ short, long, description }) =>
    [short, long].flatMap((name) => (name ? [`${name}\t${description}`] : [])),
  );
}

function valueLines(name: string, choices: readonly string[] | undefined): string[] {
  if (choices !== undefined) return [...choices];
  if (FOLDERS.includes(name)) return [":folder"];
  return name === "file" ? [":file"] : [];
}
