import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./paths.js";

/**
 * Runs a compiled script of the benchmark in a process of its own. It gets its input as JSON in its first
 * argument and gives its output as JSON on standard output.
 * @throws Error where the process fails
 */
export async function runChild<Output>(
  script: string,
  input: object,
  options: readonly string[] = [],
): Promise<Output> {
  const path = join(ROOT, "dist/test/bench", script);
  const child = spawn(process.execPath, [...options, path, JSON.stringify(input)], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (status !== 0) throw new Error(`${script} ended with ${status}`);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Output;
}

/** The input of the process that runs this. */
export function childInput<Input>(): Input {
  return JSON.parse(process.argv[2] ?? "{}") as Input;
}

/** Hands the output to the process that started this one. */
export function childOutput(output: object): void {
  process.stdout.write(JSON.stringify(output));
}
