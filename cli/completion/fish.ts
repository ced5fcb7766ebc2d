import type { CompletedOption, CompletedProgram, CompletedValues } from "./words.js";

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
