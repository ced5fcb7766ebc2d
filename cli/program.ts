import "./extras.js";
import { readFileSync } from "node:fs";
import { Command, CommanderError, Option } from "commander";
import { type Extra, type ExtraCommand, installedExtras } from "../src/extra.js";
import { PACKAGE_FILE } from "../src/files/paths.js";
import { buildCommand } from "./build.js";
import { documentationAt, EXIT, SAFE_ERRORS } from "./command.js";
import { completionCommand } from "./completion.js";
import { diffCommand } from "./diff.js";
import { explainCommand } from "./explain.js";
import { exportCommand } from "./export.js";
import { initCommand } from "./init.js";
import { previewCommand } from "./preview.js";
import { rollbackCommand } from "./rollback.js";
import { sampleCommand } from "./sample.js";
import { schemaCommand } from "./schema.js";
import { serveCommand } from "./serve.js";
import { snapshotsCommand } from "./snapshots.js";
import { tryCommand } from "./try.js";
import { validateCommand } from "./validate.js";
import { verifyCommand } from "./verify.js";
import { withdrawCommand } from "./withdraw.js";

/** For people who do not know the program yet. */
export const START_HERE = `Start here:
  crawldex try               # serves a sample of 500 websites until you press Ctrl-C
  crawldex init published    # writes a minimal published directory
  crawldex build published   # checks it and publishes it into ./snapshots
  crawldex serve             # serves it at http://127.0.0.1:3000
  crawldex explain           # says which listings are not in search, and why`;

const VERSION = packageVersion();

/** The commands of the core, in the order of the help. */
export const CORE_COMMANDS: readonly Command[] = [
  buildCommand,
  validateCommand,
  serveCommand,
  exportCommand,
  previewCommand,
  verifyCommand,
  snapshotsCommand,
  diffCommand,
  rollbackCommand,
  withdrawCommand,
  explainCommand,
  tryCommand,
  initCommand,
  sampleCommand,
  schemaCommand,
  completionCommand,
];

/** The commands of the extras. */
export const extraCommands: readonly ExtraCommand[] = await commandsOf(installedExtras());

/** The whole command line. */
export const program = new Command("crawldex")
  .description("Turns a published directory of scanned websites into a read-only JSON API.")
  .version(VERSION, "-V, --version", "print the version (-v does, too)")
  .addOption(new Option("-v").hideHelp())
  .on("option:v", () => {
    process.stdout.write(`${VERSION}\n`);
    throw new CommanderError(EXIT.done, "commander.version", VERSION);
  })
  .addHelpText("after", `\n${START_HERE}\n\n${documentationAt("command-line.md")}`)
  .exitOverride()
  .configureOutput(SAFE_ERRORS)
  .showHelpAfterError("(see --help)");
for (const command of allCommands(extraCommands)) program.addCommand(command);
for (const { changeCommands } of installedExtras()) {
  for (const [name, change] of Object.entries((await changeCommands?.()) ?? {})) {
    change(coreCommand(name));
  }
}

async function commandsOf(extras: readonly Extra[]): Promise<ExtraCommand[]> {
  return (await Promise.all(extras.map(({ commands }) => commands?.() ?? []))).flat();
}

/** All commands in the order of the help. */
function allCommands(added: readonly ExtraCommand[]): readonly Command[] {
  const all = [...CORE_COMMANDS];
  for (const { command, after } of added) {
    const before = all.findIndex((one) => one.name() === after);
    all.splice(before < 0 ? all.length : before + 1, 0, command);
  }
  return all;
}

/** @throws TypeError if there is none of this name, which is a bug */
function coreCommand(name: string): Command {
  const command = CORE_COMMANDS.find((one) => one.name() === name);
  if (command === undefined) throw new TypeError(`there is no command ${name}`);
  return command;
}

function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(PACKAGE_FILE, "utf8"));
  return version;
}
