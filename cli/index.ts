#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { PACKAGE_FILE } from "../src/files/package.js";
import { buildCommand } from "./build.js";
import { failure, SAFE_ERRORS } from "./command.js";
import { diffCommand } from "./diff.js";
import { explainCommand } from "./explain.js";
import { exportCommand } from "./export.js";
import { initCommand } from "./init.js";
import { rollbackCommand } from "./rollback.js";
import { sampleCommand } from "./sample.js";
import { schemaCommand } from "./schema.js";
import { serveCommand } from "./serve.js";
import { type OutputOptions, outliveReaders } from "./terminal.js";
import { validateCommand } from "./validate.js";
import { verifyCommand } from "./verify.js";

const program = new Command("crawldex")
  .description("Turns a published directory of scanned websites into a read-only JSON API.")
  .version(packageVersion())
  .exitOverride()
  .configureOutput(SAFE_ERRORS)
  .showHelpAfterError("(see --help)")
  .addCommand(buildCommand)
  .addCommand(validateCommand)
  .addCommand(serveCommand)
  .addCommand(exportCommand)
  .addCommand(verifyCommand)
  .addCommand(diffCommand)
  .addCommand(rollbackCommand)
  .addCommand(explainCommand)
  .addCommand(initCommand)
  .addCommand(sampleCommand)
  .addCommand(schemaCommand);

outliveReaders();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await failure(error, givenOptions());
}

/** Looks at the raw arguments, because parsing them may be what failed. */
function givenOptions(): OutputOptions {
  return { json: process.argv.includes("--json"), quiet: process.argv.includes("--quiet") };
}

function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(PACKAGE_FILE, "utf8"));
  return version;
}
