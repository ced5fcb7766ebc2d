import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** As it is installed. */
export const COMMAND = fileURLToPath(new URL("../../dist/cli/index.js", import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real command to its end. */
export function crawldex(
  args: readonly string[],
  cwd?: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [COMMAND, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
