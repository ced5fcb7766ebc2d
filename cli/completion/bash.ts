import type { CompletedProgram, CompletedValues } from "./words.js";

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
