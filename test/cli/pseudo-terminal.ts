import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { COMMAND } from "./spawned.js";

/** Whether there is util-linux's `script`, which gives a command a terminal of its own. */
export const HAS_SCRIPT = /util-linux/.test(
  spawnSync("script", ["--version"]).stdout?.toString() ?? "",
);

export interface Screen {
  /** As a shell tells it: of what a signal ended, 128 and the signal's number. */
  readonly code: number | null;
  /** All that was written to the terminal. */
  readonly output: string;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with what is on the terminal so far, as it grows. */
  readonly onOutput?: (output: string, child: ChildProcess) => void;
}

/** Runs the real command in a pseudo-terminal, with none of the caller's wishes for colours. */
export async function onTerminal(
  args: readonly string[],
  { columns = 100, env = {}, onOutput = () => {} }: TerminalOptions = {},
): Promise<Screen> {
  const words = [process.execPath, COMMAND, ...args].map((word) => `'${word}'`);
  const line = `stty cols ${columns} rows 30; exec ${words.join(" ")}`;
  const { CI: _, NO_COLOR: __, FORCE_COLOR: ___, ...inherited } = process.env;
  const child = spawn("script", ["-qefc", line, "/dev/null"], {
    env: { ...inherited, SHELL: "/bin/sh", TERM: "xterm-256color", ...env },
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    onOutput(output, child);
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: output.replaceAll("\r\n", "\n") };
}
