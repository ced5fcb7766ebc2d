import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished, type TestContext } from "vitest";
import { hasCode } from "../../src/files/errors.js";
import { DIST } from "./product.js";

const COMMAND = join(DIST, "cli/index.js");

export interface Ran {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly milliseconds: number;
}

export interface Running {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ran>;
}

export interface Start {
  /** Put before `node`: a tool that runs it. */
  readonly under?: readonly string[];
  /** A text that runs in the process before the command. */
  readonly hook?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Starts the real command. */
export function start(
  args: readonly string[],
  { under = [], hook, env, cwd }: Start = {},
): Running {
  const imports =
    hook === undefined ? [] : ["--import", `data:text/javascript,${encodeURIComponent(hook)}`];
  const words = [...under, process.execPath, ...imports, COMMAND, ...args];
  const began = performance.now();
  const child = spawn(words[0] ?? "", words.slice(1), { env: { ...process.env, ...env }, cwd });
  // A build that a test lets wait must not outlive it.
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data: Buffer) => {
      output += data.toString();
    });
  }
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    output,
    milliseconds: performance.now() - began,
  }));
  return { pid: child.pid ?? 0, kill: (signal) => child.kill(signal), ended };
}

export function run(args: readonly string[], options?: Start): Promise<Ran> {
  return start(args, options).ended;
}

/** What the command needs to begin at all, in milliseconds: times are compared with it. */
export async function startingTime(): Promise<number> {
  const times = [];
  for (let i = 0; i < 3; i += 1) times.push((await run(["build", "--help"])).milliseconds);
  return times.sort((a, b) => a - b)[1] ?? 0;
}

/** A hook after which a build stops at its first fsync until a file is there, and says that it does. */
export function waitingFor(file: string): string {
  const calls = pathToFileURL(join(DIST, "src/files/calls.js")).href;
  return `
    import { existsSync, writeFileSync } from "node:fs";
    import { setTimeout } from "node:timers/promises";
    const { calls } = await import(${JSON.stringify(calls)});
    const { fsync } = calls;
    calls.fsync = async (descriptor) => {
      writeFileSync(${JSON.stringify(`${file}.waiting`)}, "");
      while (!existsSync(${JSON.stringify(file)})) await setTimeout(10);
      return fsync(descriptor);
    };
  `;
}

/** Skips a test where a tool, or a right, is missing, and says so. */
export function need(context: TestContext, what: "root" | (string & {})): void {
  const isThere =
    what === "root"
      ? process.platform === "linux" && process.getuid?.() === 0
      : spawnSync("sh", ["-c", `command -v ${what}`]).status === 0;
  if (isThere) return;
  process.stderr.write(`SKIPPED, ${what} is missing: ${context.task.name}\n`);
  context.skip(`${what} is missing`);
}

/** Mounts a file system in memory until the test ends; the test is skipped where that is not allowed. */
export function mountMemory(context: TestContext, folder: string, options: string): void {
  need(context, "root");
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
  if (mounted.status !== 0) {
    process.stderr.write(`SKIPPED, mount is not allowed: ${context.task.name}\n`);
    context.skip("mount is not allowed");
  }
  context.onTestFinished(() => {
    execFileSync("umount", [folder]);
  });
}

export function remount(folder: string, options: string): void {
  execFileSync("mount", ["-o", `remount,${options}`, folder]);
}

/** Writes a file until the disk has no space left. */
export function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (const bytes of [65_536, 4_096, 1]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(bytes, "x"));
      } catch (error) {
        if (!hasCode(error, ["ENOSPC"])) throw error;
      }
    }
  } finally {
    closeSync(file);
  }
}
