import { program } from "../../cli/program.js";

/** The commands, by name. */
const COMMANDS = new Map(program.commands.map((command) => [command.name(), command]));

/** The command lines of crawldex in a text: each from the command's name to the end of the command. */
export function commandLines(text: string): string[] {
  const asLists = text.replace(/(?:args|command): \[([^\]]*)\]/g, (_, words: string) => {
    return `crawldex ${words.replaceAll(",", "")}`;
  });
  return [...asLists.matchAll(/\bcrawldex ([a-z]+(?: [^\n|;&>`#]*)?)/g)]
    .map(([, line = ""]) => line.trim())
    .filter((line) => COMMANDS.has(line.split(" ")[0] ?? "") || line.includes(" --"));
}

/** The words of a command line that the command does not know. */
export function wrongWords(line: string): string[] {
  const [name = "", ...words] = line.split(/\s+/);
  const command = COMMANDS.get(name);
  if (command === undefined) return [`crawldex ${name}`];
  const known = command.options.flatMap(({ long, short }) => [long, short]);
  return words
    .filter((word) => /^--?[a-z]/.test(word) && !known.includes(word.replace(/=.*/, "")))
    .map((word) => `crawldex ${name} ${word}`);
}
