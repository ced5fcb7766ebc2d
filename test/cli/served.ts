import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { COMMAND } from "./spawned.js";

export interface ServedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Where it answers; before that it has printed nothing on stdout. */
  readonly place: Promise<{ readonly host: string; readonly port: number; readonly url: string }>;
  /** What it has said on stderr. */
  readonly said: () => string;
  /** What it has printed on stdout. */
  readonly printed: () => string;
  /** When it has ended: with what, and how long after the first signal of `kill`. */
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly milliseconds: number;
  }>;
  kill(signal: NodeJS.Signals): void;
}

export interface ServeStart {
  /** Default: `serve`. */
  readonly command?: "serve" | "preview" | "try";
  readonly args?: readonly string[];
  /** Put before the command: flags of node. */
  readonly node?: readonly string[];
  /** Put before node: a shell's words. */
  readonly shell?: string;
  /** Whether it can be talked to, by a hook of `node`. */
  readonly hasChannel?: boolean;
  /** Whether it runs without `--json`: then it does not say where it answers. */
  readonly isPlain?: boolean;
}

/**
 * Starts the real `crawldex serve` on a free port. It is killed when the test ends.
 * @param store null if the command takes none
 */
export function serveProcess(store: string | null, start: ServeStart = {}): ServedProcess {
  const { args = [], node = [], shell = "", hasChannel = false, isPlain = false } = start;
  const { command = "serve" } = start;
  const words = [
    ...node,
    COMMAND,
    command,
    ...(store === null ? [] : [store]),
    "--port",
    "0",
    ...(isPlain ? [] : ["--json"]),
    ...args,
  ];
  const child = spawn("sh", ["-c", `${shell} exec "$0" "$@"`, process.execPath, ...words], {
    stdio: ["ignore", "pipe", "pipe", ...(hasChannel ? (["ipc"] as const) : [])],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let stdout = "";
  let stderr = "";
  let killed = 0;
  child.stderr?.on("data", (data: Buffer) => {
    stderr += data.toString();
  });
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    milliseconds: performance.now() - killed,
  }));
  const place = new Promise<Awaited<ServedProcess["place"]>>((resolve, reject) => {
    child.stdout?.on("data", (data: Buffer) => {
      stdout += data.toString();
      if (stdout.includes("\n") && !isPlain)
        resolve(JSON.parse(stdout.slice(0, stdout.indexOf("\n"))));
    });
    void ended.then(() => reject(new Error(`it has ended: ${stderr}`)));
  });
  place.catch(() => {});
  const kill = (signal: NodeJS.Signals) => {
    if (killed === 0) killed = performance.now();
    child.kill(signal);
  };
  return {
    child,
    pid: child.pid ?? 0,
    place,
    said: () => stderr,
    printed: () => stdout,
    ended,
    kill,
  };
}

/** Starts `crawldex serve`, as `serveProcess` does, and waits until it answers. */
export async function startServing(store: string, args: readonly string[]) {
  const served = serveProcess(store, { args });
  return { ...served, ...(await served.place) };
}
