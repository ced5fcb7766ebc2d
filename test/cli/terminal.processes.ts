import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { link, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { drawsBar } from "../../cli/terminal.js";
import { aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { manyListings } from "../store/trees.js";
import { COMMAND } from "./spawned.js";

/** Whether there is util-linux's `script`, which gives a command a terminal of its own. */
const HAS_SCRIPT = /util-linux/.test(spawnSync("script", ["--version"]).stdout?.toString() ?? "");

interface Screen {
  /** As a shell tells it: of what a signal ended, 128 and the signal's number. */
  readonly code: number | null;
  /** All that was written to the terminal. */
  readonly output: string;
}

interface TerminalOptions {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with what is on the terminal so far, as it grows. */
  readonly onOutput?: (output: string, child: ChildProcess) => void;
}

/** Runs the real command in a pseudo-terminal, with none of the caller's wishes for colours. */
async function onTerminal(
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

if (!HAS_SCRIPT) {
  process.stderr.write("SKIPPED, there is no script of util-linux: commands on a terminal\n");
}

const BAR = /reading \w+\S* \S*[█░]+/;

/** Checks a directory so large that it takes a while, and nobody waits for its end. */
async function endless(folder: string): Promise<string[]> {
  const published = await writePublished(folder, manyListings(2_000));
  const [first = ""] = await readdir(join(published, "scans"));
  for (let copy = 0; copy < 300; copy += 1) {
    await link(join(published, "scans", first), join(published, `scans/copy-${copy}.ndjson`));
  }
  return ["validate", published];
}

/** The output without colours, and without what was cleared or drawn over. */
function left(output: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const plain = output.replaceAll(/\x1b\[[0-9;?]*[a-zA-Z]/g, "");
  return plain.replaceAll(/[^\n]*\r/g, "");
}

describe("a bar", () => {
  it("is drawn on a terminal that can move its cursor, unless an option or a variable forbids it", () => {
    const usual = { TERM: "xterm-256color" };
    expect(drawsBar(true, {}, usual)).toBe(true);
    expect(drawsBar(true, {}, { ...usual, CI: "false", NO_COLOR: "" })).toBe(true);
    expect(drawsBar(false, {}, usual)).toBe(false);
    for (const options of [{ json: true }, { quiet: true }]) {
      expect(drawsBar(true, options, usual)).toBe(false);
    }
    for (const env of [{ CI: "true" }, { CI: "1" }, { NO_COLOR: "1" }, { TERM: "dumb" }]) {
      expect(drawsBar(true, {}, { ...usual, ...env })).toBe(false);
    }
  });
});

describe.runIf(HAS_SCRIPT)("on a terminal", () => {
  it("an error is in colour; no control character of the input reaches the terminal", async () => {
    const folder = await temporaryFolder();
    const published = await writePublished(join(folder, "in"), aPublishedDirectory());
    const evil = "\x1b]0;owned\x07\x1b[2J\u202e";
    await writeFile(
      join(published, "listings/bad.ndjson"),
      `\ufeff\n{"host":"日本","x":"${evil}"}\n`,
    );
    await writeFile(join(published, `listings/${evil}.json`), '{"host":');
    // Colours, but no bar: how far it comes depends on the machine.
    const env = { CI: "true", FORCE_COLOR: "1" };
    const args = ["build", published, "--out", join(folder, "out")];
    const { code, output } = await onTerminal(args, { env });
    expect(code).toBe(3);
    const shown = left(output);
    expect(shown).toContain("listings/\\u001b]0;owned\\u0007\\u001b[2J\\u202e.json:1:9  $");
    expect(shown).toContain("2 errors, 0 warnings; nothing was written\n");
    expect(output).toContain("\x1b[31merror: ");
    // Colours are all that is left of what a terminal acts upon.
    const texts = output.split(/\p{Cc}\[[0-9]+m|\n/u).join("");
    expect(texts).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it("the bar fits the terminal's width, and Ctrl-C ends the command as it would without a bar", async () => {
    const folder = await temporaryFolder();
    let pressed = false;
    const { code, output } = await onTerminal(await endless(folder), {
      columns: 70,
      onOutput: (soFar, child) => {
        if (pressed || !BAR.test(soFar)) return;
        pressed = true;
        child.stdin?.write("\x03");
      },
    });
    expect(code).toBe(130);
    for (const line of output.split("\r")) expect(left(line).length).toBeLessThanOrEqual(69);
  });
});
