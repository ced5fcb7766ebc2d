import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { COMMAND } from "./spawned.js";

/** The real command at work, answering. */
export interface Serving {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  /** Lines of stdout after the result, and of stderr. */
  readonly out: string[];
  readonly said: string[];
  /** Ids of the worker processes that live. */
  workers(): Promise<number[]>;
  signal(name: NodeJS.Signals): void;
  /** How it ended, when it has: code or signal. */
  readonly ended: Promise<number | string>;
}

/** Starts `crawldex serve` on a free port. It is killed, if it still lives, when the test is done. */
export async function startServing(
  store: string,
  options: readonly string[],
  finished: (cleanUp: () => Promise<void>) => void,
): Promise<Serving> {
  const args = [COMMAND, "serve", store, "--port", "0", "--json", ...options];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const pid = Number(child.pid);
  const ended = once(child, "exit").then(([code, signal]) => (code ?? signal) as number | string);
  finished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const [out, said] = [[] as string[], [] as string[]];
  const lines = createInterface(child.stdout);
  createInterface(child.stderr).on("line", (line) => said.push(line));
  const [first] = (await Promise.race([once(lines, "line"), ended.then(() => [""])])) as [string];
  if (first === "") throw new Error(`the server ended: ${said.join("\n")}`);
  lines.on("line", (line) => out.push(line));
  const { host, port } = JSON.parse(first) as { host: string; port: number };
  return {
    ...{ pid, host, port, out, said, ended },
    workers: () => childrenOf(pid),
    signal: (name) => child.kill(name),
  };
}

async function childrenOf(pid: number): Promise<number[]> {
  const found = await promisify(execFile)("pgrep", ["-P", String(pid)]).catch(() => null);
  return (found?.stdout ?? "").split("\n").filter(Boolean).map(Number);
}

/** Whether a process lives. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
