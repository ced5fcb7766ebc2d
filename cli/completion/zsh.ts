import type { CompletedOption, CompletedProgram, CompletedValues } from "./words.js";

/** A script for zsh, to be sourced or to be put into a folder of `$fpath` as `_crawldex`. */
export function zshScript({ options, commands }: CompletedProgram): string {
  const cases = commands.map(
    ({ name, options: all, arguments: values }) => `    ${name})
      _arguments -s ${[...all.map(optionSpec), ...values.map(argumentSpec)].join(" \\\n        ")}
      ;;`,
  );
  const named = commands.map(({ name, description }) =>
    inZshQuotes(`${name}:${escaped(description)}`),
  );
  return `#compdef crawldex

_crawldex_commands() {
  local -a commands=(
    ${named.join("\n    ")}
  )
  _describe -t commands command commands
}

_crawldex() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C ${options.map(optionSpec).join(" \\\n    ")} \\
    '1:command:_crawldex_commands' \\
    '*::argument:->arguments'
  [[ $state == arguments ]] || return
  case $words[1] in
${cases.join("\n")}
  esac
}

if [[ $funcstack[1] == _crawldex ]]; then _crawldex "$@"; else compdef _crawldex crawldex; fi
`;
}

function optionSpec({ names, description, values, isRepeatable }: CompletedOption): string {
  const said = inZshQuotes(
    `[${escaped(description)}]${values === null ? "" : `:value:${zshAction(values)}`}`,
  );
  const shown = names.map((name) => {
    if (values === null) return name;
    return name.startsWith("--") ? `${name}=` : `${name}+`;
  });
  if (shown.length === 1) return `${isRepeatable ? "\\*" : ""}${shown[0]}${said}`;
  return `${inZshQuotes(`(${names.join(" ")})`)}{${shown.join(",")}}${said}`;
}

function argumentSpec(values: CompletedValues, i: number): string {
  return inZshQuotes(`${i + 1}:argument:${zshAction(values)}`);
}

function zshAction(values: CompletedValues): string {
  if (values === "text") return " ";
  if (values === "folder") return "_files -/";
  return values === "file" ? "_files" : `(${values.join(" ")})`;
}

/** Escapes a description for a specification of `_arguments` or `_describe`. */
function escaped(text: string): string {
  return text.replace(/[\\[\]:]/g, "\\$&");
}

function inZshQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
