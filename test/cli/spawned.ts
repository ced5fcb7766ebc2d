import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** As it is installed. */
export const COMMAND = fileURLToPath(new URL("../../dist/src/bin/index.js", import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real command to its end. */
export function crawldex(args: readonly string[], cwd?: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { cwd }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
