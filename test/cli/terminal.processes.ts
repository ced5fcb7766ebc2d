import { link, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { drawsBar } from "../../cli/terminal.js";
import { aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { builtStore, manyListings } from "../store/trees.js";
import { HAS_SCRIPT, onTerminal } from "./pseudo-terminal.js";

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
  it("an error has its line and a caret, in colour; no control character of the input reaches the terminal", async () => {
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
    expect(shown).toContain(
      '  2 | {"host":"日本","x":"\\u001b]0;owned\\u0007\\u001b[2J\\u202e"}\n' +
        `    | ${" ".repeat(20)}^\n`,
    );
    expect(shown).toContain("2 errors, 0 warnings; nothing was written\n");
    expect(output).toContain("\x1b[31m^\x1b[39m");
    // Colours are all that is left of what a terminal acts upon.
    const texts = output.split(/\p{Cc}\[[0-9]+m|\n/u).join("");
    expect(texts).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it("a command ends with a summary of the result's figures", async () => {
    const { store, result } = await builtStore(manyListings(5));
    const { code, output } = await onTerminal(["verify", store]);
    expect(code).toBe(0);
    expect(left(output)).toMatch(
      new RegExp(
        `^The snapshot is good\\.\n  snapshot  ${result.id}\n  files +10\n  answers +13\n  size +\\S+ kB\n  time +\\S+ s\n$`,
      ),
    );
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
