#!/usr/bin/env node
import { EXIT, failure } from "./command.js";
import { program, START_HERE } from "./program.js";
import { type OutputOptions, outliveReaders } from "./terminal.js";

outliveReaders();
if (process.argv.length === 2) {
  process.stderr.write(`${START_HERE}\n\ncrawldex --help lists all commands.\n`);
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
