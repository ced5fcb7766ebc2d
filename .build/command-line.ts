/**
 * The parts of the documentation that are made from the commands, and from the codes of problems. A page names a part
 * by a pair of comments:
 *
 *     <!-- commands -->
 *     <!-- end -->
 *
 *     tsx .build/command-line.ts     # writes all parts anew, and docs/json
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CrawldexCommand, EXIT, EXIT_MEANINGS } from "../cli/command.js";
import { program } from "../cli/program.js";
import { PROBLEM_CODES } from "../src/input/checking/codes.js";
import { pages, readRows } from "./field-tables.js";
import { resultFields, resultSchema } from "./json-results.js";

const SCHEMAS = join(import.meta.dirname, "../docs/json");
const PARTS: Readonly<Record<string, () => string>> = {
  commands: () => commands().map(commandPart).join("\n"),
  "common options": () => optionRows(commands()[0], isCommon),
  "exit codes": exitCodes,
  "problem codes": problemCodes,
  "command list": commandList,
  reads: readRows,
};
const NAMES = Object.keys(PARTS).join("|");
const PART = new RegExp(`(<!-- (${NAMES}) -->\\n)[\\s\\S]*?(<!-- end -->)`, "g");

/** Returns a page with its parts as the commands have them now. */
export function withCommands(page: string): string {
  return page.replace(PART, (_, begin: string, name: string, end: string) => {
    return `${begin}${PARTS[name]?.() ?? ""}${end}`;
  });
}

/** The files of `docs/json`, with the text of each. */
export function schemaFiles(): Map<string, string> {
  return new Map(
    commands().map((command) => {
      const name = command.name();
      return [join(SCHEMAS, `${name}.schema.json`), resultSchema(name)];
    }),
  );
}

function commands(): CrawldexCommand[] {
  return program.commands.filter((command) => command instanceof CrawldexCommand);
}

function commandList(): string {
  const rows = commands().map((command) => {
    const usage = `crawldex ${command.name()} ${command.usage()}`.replace("[options] ", "");
    return `| ${code(usage)} | ${command.description()} |\n`;
  });
  return `| command | what it does |\n| --- | --- |\n${rows.join("")}`;
}

type Option = CrawldexCommand["options"][number];

/** Whether every command has an option. */
function isCommon({ flags }: Option): boolean {
  return commands().every(({ options }) => options.some((option) => option.flags === flags));
}

function commandPart(command: CrawldexCommand): string {
  const name = command.name();
  const results = resultFields(name).map((fields) =>
    fields.map((each) => `\`${each}\``).join(", "),
  );
  const options = optionRows(command, (option) => !isCommon(option));
  return `### crawldex ${name}

${command.description()}

\`\`\`sh
${command.examples.join("\n")}
\`\`\`

\`${`crawldex ${name} ${command.usage()}`}\`

${options === "" ? "" : `${options}\n`}With \`--json\`: ${results.join("; or ")} ([schema](json/${name}.schema.json)).
`;
}

function optionRows(
  command: CrawldexCommand | undefined,
  isWanted: (option: Option) => boolean,
): string {
  const rows = command?.options.filter(isWanted).map((option) => {
    const { flags, description, argChoices, envVar } = option;
    const value = option.defaultValueDescription ?? option.defaultValue;
    const notes = [
      ...(argChoices === undefined ? [] : [`one of ${argChoices.map(code).join(", ")}`]),
      ...(value === undefined ? [] : [`default ${code(String(value))}`]),
      ...(envVar === undefined ? [] : [`environment ${code(envVar)}`]),
    ];
    return `| ${[code(flags), [description, ...notes].join("; ")].join(" | ")} |\n`;
  });
  if (rows === undefined || rows.length === 0) return "";
  return `| option | what it does |\n| --- | --- |\n${rows.join("")}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function exitCodes(): string {
  const rows = Object.entries(EXIT_MEANINGS).map(
    ([name, meaning]) => `| ${EXIT[name as keyof typeof EXIT]} | ${meaning} |\n`,
  );
  return `| code | meaning |\n| --- | --- |\n${rows.join("")}`;
}

/** The errors, then the warnings. */
function problemCodes(): string {
  return Object.entries(PROBLEM_CODES)
    .map(([kind, codes]) => {
      const rows = Object.entries(codes).map(
        ([name, { meaning, remedy }]) => `| ${[code(name), meaning, remedy].join(" | ")} |\n`,
      );
      return `| ${kind} | what is wrong | what to do |\n| --- | --- | --- |\n${rows.join("")}`;
    })
    .join("\n");
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, page] of pages()) writeFileSync(path, withCommands(page));
  mkdirSync(SCHEMAS, { recursive: true });
  for (const [path, text] of schemaFiles()) writeFileSync(path, text);
}
