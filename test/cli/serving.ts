import { execFile } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { type ServedProcess, serveProcess } from "./served.js";

/** The real command at work, answering. */
export interface Serving extends Pick<ServedProcess, "said" | "ended" | "kill"> {
  readonly host: string;
  readonly port: number;
  /** Lines of stdout after the result. */
  readonly out: string[];
  /** Ids of the worker processes that live. */
  workers(): Promise<number[]>;
}

/** Starts `crawldex serve`, as `serveProcess` does, and waits until it answers. */
export async function startServing(store: string, args: readonly string[]): Promise<Serving> {
  const { child, pid, place, said, ended, kill } = serveProcess(store, { args });
  const { host, port } = await place;
  const out: string[] = [];
  if (child.stdout !== null) createInterface(child.stdout).on("line", (line) => out.push(line));
  return { host, port, out, said, ended, kill, workers: () => childrenOf(pid) };
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
