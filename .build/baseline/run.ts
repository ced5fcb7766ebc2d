/** Runs programs of the compiled tree that a baseline is taken of. */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";

/** The time of all publications, in seconds since 1970: later than all scans, so that none is in the future. */
const SOURCE_DATE_EPOCH = "1893456000";
const OUTPUT_BYTES_MAX = 2 ** 28;

/** Runs a command of crawldex. @returns its result @throws Error if it fails */
export function runCommand(dist: string, args: readonly string[]): Record<string, unknown> {
  const output = execFileSync(
    process.execPath,
    [join(dist, "cli/index.js"), ...args, "--json", "-q"],
    {
      env: { ...process.env, SOURCE_DATE_EPOCH },
      maxBuffer: OUTPUT_BYTES_MAX,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  return JSON.parse(output.toString()) as Record<string, unknown>;
}

/** Runs a script of the tree's package.json, or a tool of it. @returns the exit code and the output */
export function runTool(
  dist: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): { readonly status: number | null; readonly output: string } {
  const { status, stdout } = spawnSync(command, args, {
    cwd: join(dist, ".."),
    env: { ...process.env, ...environment },
    encoding: "utf8",
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { status, output: stdout };
}
