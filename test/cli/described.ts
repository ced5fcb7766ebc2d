import { expect } from "vitest";
import { resultSchema } from "../../.build/json-results.js";
import { program } from "../../cli/program.js";
import { compilerOfBothDrafts } from "../contract/both-drafts.js";

const compile = compilerOfBothDrafts();
const CHECKS = new Map(
  program.commands.map((command) => {
    const name = command.name();
    return [name, compile(JSON.parse(resultSchema(name)))];
  }),
);

/** Checks an object that a command printed with `--json` against the command's schema. @returns the object */
export function expectDescribed(command: string, stdout: string): Record<string, unknown> {
  const [line = "", ...rest] = stdout.split("\n");
  expect(rest).toEqual([""]);
  const object = JSON.parse(line) as Record<string, unknown>;
  const check = CHECKS.get(command);
  expect(check?.(object)).toEqual([]);
  return object;
}
