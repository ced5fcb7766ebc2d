import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";

export const LOOPBACK = "127.0.0.1";

/** Why a server cannot run on this machine. Tests that need it are skipped with this reason. */
export class Unavailable extends Error {
  override name = "Unavailable";
}

/** A server process that ends together with this one. */
export interface Process {
  readonly pid: number;
  /** Resolves once the process is gone. Its data is of no further use, so that it is killed at once. */
  stop(): Promise<void>;
  /** @throws with the end of its log if the process has ended by itself */
  check(): void;
}

/** Linux ends a child with its parent, even if the parent itself is killed. */
const UNTIL_PARENT_ENDS = ["setpriv", "--pdeathsig", "KILL", "--"];
const hasSetpriv = process.platform === "linux" && spawnSync("setpriv", ["--version"]).status === 0;
const LOG_LINES = 20;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a server in the foreground; both its outputs go to the file `log`. */
export function startProcess(
  words: readonly string[],
  { env = {}, log }: { readonly env?: NodeJS.ProcessEnv; readonly log: string },
): Process {
  const [command = "", ...args] = hasSetpriv ? [...UNTIL_PARENT_ENDS, ...words] : words;
  const output = openSync(log, "a");
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", output, output],
  });
  running.add(child);
  const ended = once(child, "exit").finally(() => running.delete(child));
  // A failed start is reported by check().
  ended.catch(() => {});
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill("SIGKILL");
      await ended.catch(() => {});
    },
    check: () => {
      if (running.has(child)) return;
      const last = readFileSync(log, "utf8").trimEnd().split("\n").slice(-LOG_LINES).join("\n");
      throw new Error(`${words[0]} has ended (${child.exitCode ?? child.signalCode}):\n${last}`);
    },
  };
}

/**
 * For a program that another one starts: a command that runs it, and ends it together with this process.
 * @returns the path of an executable file
 */
export async function boundCommand(path: string): Promise<string> {
  if (!hasSetpriv) return path;
  const script = join(await mkdtemp(join(tmpdir(), "bound-")), basename(path));
  const text = `#!/bin/sh\nexec ${UNTIL_PARENT_ENDS.join(" ")} '${path}' "$@"\n`;
  await writeFile(script, text, { mode: 0o755 });
  return script;
}

/** Asks until `isReady` answers true. @throws after `seconds`, or as soon as one of the processes has ended */
export async function untilReady(
  isReady: () => boolean | Promise<boolean>,
  { processes, seconds }: { readonly processes: readonly Process[]; readonly seconds: number },
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await isReady())) {
    for (const one of processes) one.check();
    if (performance.now() > end) throw new Error(`a server is not ready after ${seconds} s`);
    await setTimeout(100);
  }
}

/** Whether an address answers at all, with any status. */
export function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return true;
    },
    () => false,
  );
}

/** Ports of the loopback that are free now, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, LOOPBACK));
  return Promise.all(
    servers.map(async (server) => {
      await once(server, "listening");
      const address = server.address();
      // All are taken before the first one is given back.
      await Promise.all(servers.map((one) => one.listening || once(one, "listening")));
      server.close();
      return typeof address === "object" && address !== null ? address.port : 0;
    }),
  );
}
