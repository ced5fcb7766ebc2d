import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** As it is installed. */
export const COMMAND = fileURLToPath(new URL("../../dist/cli/index.js", import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real command to its end, as a process of its own. */
export function crawldexProcess(
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

/**
 * Runs the real command to its end, in a process that runs one command after the other: starting a process takes longer
 * than most commands do. For what depends on the process, such as signals, take `crawldexProcess`.
 */
export function crawldex(
  args: readonly string[],
  cwd = process.cwd(),
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const ended = last.then(() => runNext({ args, cwd, env: { ...process.env, ...env } }));
  last = ended.catch(() => {});
  return ended;
}

let last: Promise<unknown> = Promise.resolve();
let runner: ChildProcess | null = null;

/** Loads the command's entry anew for each run; what the entry loads stays loaded. */
const RUNNER = `
  let runs = 0;
  for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);
  process.on("disconnect", () => process.exit());
  process.on("message", async ({ args, cwd, env }) => {
    const printed = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      process[name].write = (text) => {
        printed[name] += text;
        return true;
      };
    }
    process.chdir(cwd);
    process.env = env;
    process.argv = [process.execPath, ${JSON.stringify(COMMAND)}, ...args];
    process.exitCode = undefined;
    runs += 1;
    await import(${JSON.stringify(pathToFileURL(COMMAND).href)} + "?run=" + runs);
    process.send({ code: process.exitCode ?? 0, ...printed });
  });
`;

function runNext(run: { args: readonly string[]; cwd: string; env: object }): Promise<Ended> {
  runner ??= startRunner();
  const child = runner;
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => {
      runner = null;
      reject(new Error(`crawldex ${run.args.join(" ")} ended the process with ${code}`));
    };
    child.once("exit", onExit);
    child.once("message", (ended) => {
      child.off("exit", onExit);
      resolve(ended as Ended);
    });
    child.send(run);
  });
}

/** Ends with this process, which does not wait for it. */
function startRunner(): ChildProcess {
  // A file, as threads that it starts take over the words that it is started with.
  const file = join(mkdtempSync(join(tmpdir(), "crawldex-test-")), "runner.mjs");
  writeFileSync(file, RUNNER);
  const child = spawn(process.execPath, [file], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.unref();
  child.channel?.unref();
  return child;
}
