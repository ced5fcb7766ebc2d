import type { CompletedOption, CompletedProgram, CompletedValues } from "./completion.js";

/** A script for bash 3.2 and later. It needs no other package. */
export function bashScript({ options, commands }: CompletedProgram): string {
  const namesOf = (all: typeof options) => all.flatMap(({ names }) => names).join(" ");
  const withValues = commands.flatMap(({ name, options: all }) =>
    all.flatMap(({ names, values }) =>
      values === null ? [] : names.map((each) => ({ words: `${name} ${each}`, values })),
    ),
  );
  const inOrder = commands.flatMap(({ name, arguments: all }) =>
    all.map((values, i) => ({ words: `${name} ${i}`, values })),
  );
  return `# bash completion for crawldex
_crawldex_words() { # options of compgen that give the words
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$@" -- "$typed")
}

_crawldex_paths() { # as above
  compopt -o filenames 2>/dev/null
  _crawldex_words "$@"
}

_crawldex() {
  local typed=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}
  local command="" arguments=0 i word
  COMPREPLY=()
  # In bash, "=" is a word of its own.
  if [[ $typed == "=" ]]; then typed=""
  elif [[ $before == "=" ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$command $word" in
      " "-*) ;;
      " "*) command=$word ;;
      ${casePattern(withValues.map(({ words }) => words))})
        [[ \${COMP_WORDS[i + 1]} == "=" ]] && ((i++))
        ((i++))
        ;;
      *" "[-=]*) ;;
      *) ((arguments++)) ;;
    esac
  done
  case "$command $before" in
${casesOf(withValues, " return")}
  esac
  if [[ $typed == -* ]]; then
    case $command in
      "") _crawldex_words -W "${namesOf(options)}" ;;
${commands.map(({ name, options: all }) => `      ${name}) _crawldex_words -W "${namesOf(all)}" ;;`).join("\n")}
    esac
    return
  fi
  case "$command $arguments" in
    " "*) _crawldex_words -W "${commands.map(({ name }) => name).join(" ")}" ;;
${casesOf(inOrder, "")}
  esac
}

complete -F _crawldex crawldex
`;
}

/** Cases of a `case` statement: those with the same values share one. */
function casesOf(all: readonly { words: string; values: CompletedValues }[], end: string): string {
  const byAction = new Map<string, string[]>();
  for (const { words, values } of all) {
    const action = bashAction(values);
    byAction.set(action, [...(byAction.get(action) ?? []), words]);
  }
  return [...byAction]
    .map(([action, words]) => `    ${casePattern(words)}) ${action};${end} ;;`)
    .join("\n")
    .replaceAll("; ;;", " ;;");
}

function casePattern(words: readonly string[]): string {
  return words.map((each) => `"${each}"`).join(" | ");
}

function bashAction(values: CompletedValues): string {
  if (values === "text") return ":";
  if (values === "folder") return "_crawldex_paths -d";
  return values === "file" ? "_crawldex_paths -f" : `_crawldex_words -W "${values.join(" ")}"`;
}

/** A script for fish 3. */
export function fishScript({ options, commands }: CompletedProgram): string {
  const lines = commands.flatMap(({ name, description, options: all, arguments: values }) => [
    `complete -c crawldex -n '__crawldex_at ""' -a ${name} -d ${inFishQuotes(description)}`,
    ...all.map((option) => optionLine(name, option)),
    ...values.flatMap((each) => (each === "text" ? [] : [`${start(name)}${fishAction(each)}`])),
  ]);
  return `# fish completion for crawldex
function __crawldex_at --description "whether a command is the one that is typed"
    for word in (commandline -opc)[2..]
        string match -q -- "-*" $word; and continue
        test "$word" = "$argv[1]"
        return
    end
    test -z "$argv[1]"
end

function __crawldex_folders
    __fish_complete_directories (commandline -ct | string replace -r -- "^--[^=]*=" "")
end

complete -c crawldex -f
${[...options.map((option) => optionLine("", option)), ...lines].join("\n")}
`;
}

function start(command: string): string {
  return `complete -c crawldex -n '__crawldex_at ${command || '""'}'`;
}

function optionLine(command: string, { names, description, values }: CompletedOption): string {
  const named = names.map((name) => {
    return name.startsWith("--") ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`;
  });
  const value = values === null ? "" : ` ${values === "file" ? "-r" : "-x"}${fishAction(values)}`;
  return `${start(command)}${named.join("")}${value} -d ${inFishQuotes(description)}`;
}

function fishAction(values: CompletedValues): string {
  if (values === "text") return "";
  if (values === "folder") return " -a '(__crawldex_folders)'";
  return values === "file" ? " -F" : ` -a ${inFishQuotes(values.join(" "))}`;
}

/** Within single quotes, fish reads only `\\` and `\'` as escapes. */
function inFishQuotes(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

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
