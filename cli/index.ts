#!/usr/bin/env node
import { EXIT, failure } from "./command.js";
import { program, START_HERE } from "./program.js";
import { type OutputOptions, outliveReaders } from "./terminal.js";

const ABOUT =
  "crawldex publishes a directory of websites as pages, a search and a JSON API, without a database.";
const MORE = "With npx, write npx before each command. crawldex --help lists all commands.";

outliveReaders();
if (process.argv.length === 2) {
  process.stderr.write(`${ABOUT}\n\n${START_HERE}\n\n${MORE}\n`);
  process.exitCode = EXIT.usage;
} else {
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = await failure(error, givenOptions());
  }
}

/** Looks at the raw arguments, because parsing them may be what failed. */
function givenOptions(): OutputOptions {
  const has = (...words: string[]) => words.some((word) => process.argv.includes(word));
  return { json: has("--json"), quiet: has("-q", "--quiet") };
}
