import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { program } from "../../cli/program.js";
import { aPublishedDirectory } from "../fixtures.js";
import { builtStore } from "../store/trees.js";
import { crawldex } from "./spawned.js";

describe("the help", () => {
  it.each(program.commands.map((command) => command.name()))(
    "of %s has two examples, the exit codes, and a page of the documentation that exists",
    async (name) => {
      const { code, stdout } = await crawldex([name, "--help"]);
      expect(code).toBe(0);
      const [, examples = ""] = /\nExamples:\n((?: {2}\$ .*\n)+)/.exec(stdout) ?? [];
      const lines = examples.trim().split("\n");
      expect(lines).toHaveLength(2);
      for (const line of lines) expect(line).toMatch(new RegExp(`\\$ crawldex ${name}( |$)`));
      expect(stdout).toMatch(/\nExit codes:\n {2}0 {2}done\n(?: {2}[1-6] {2}.+\n){6}/);
      const [, page = ""] = /\nDocumentation: (.+\.md)\n/.exec(stdout) ?? [];
      expect(existsSync(page)).toBe(true);
    },
  );

  it("of the bare command says in ten lines what it is and where to start, as wrong usage", async () => {
    const { code, stdout, stderr } = await crawldex([]);
    expect([code, stdout]).toEqual([2, ""]);
    const first = [...stderr.matchAll(/^ {2}crawldex (\w+)/gm)].map(([, name]) => name);
    expect(first).toEqual(["try", "init", "build", "serve", "explain"]);
    expect(stderr.trim().split("\n")).toHaveLength(10);
    expect(stderr).toMatch(/^crawldex publishes a directory of websites /);
    expect(stderr).toContain("crawldex --help lists all commands");
    expect((await crawldex(["--help"])).stdout).toContain(stderr.split("\n\n")[1]);
  });

  it("of an unknown command or option suggests the one that was meant", async () => {
    expect((await crawldex(["biuld"])).stderr).toContain("(Did you mean build?)");
    const option = await crawldex(["build", "in", "--purgelist", "x", "--json"]);
    expect(option.stderr).toContain("(Did you mean --purge-list?)");
    expect(JSON.parse(option.stdout)).toMatchObject({ ok: false });
  });
});

describe("short flags", () => {
  it.each(["-v", "-V", "--version"])("%s prints the version", async (flag) => {
    const { code, stdout, stderr } = await crawldex([flag]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("-q is --quiet", async () => {
    const { folder } = await builtStore(aPublishedDirectory());
    const quiet = await crawldex(["build", "published", "-q"], folder);
    expect(quiet).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

describe("colours", () => {
  const RED = "\u001b[31m";
  const failing = ["build", join("no", "such", "folder")];

  it("are used with --color or FORCE_COLOR, and left out with --no-color or NO_COLOR", async () => {
    const stderr = async (args: string[], env: NodeJS.ProcessEnv) =>
      (await crawldex([...failing, ...args], undefined, { NO_COLOR: undefined, ...env })).stderr;
    const colour = { FORCE_COLOR: "1" };
    expect(await stderr([], { FORCE_COLOR: undefined })).not.toContain(RED);
    expect(await stderr([], colour)).toContain(RED);
    expect(await stderr(["--color"], { FORCE_COLOR: undefined, NO_COLOR: "1" })).toContain(RED);
    expect(await stderr(["--no-color"], colour)).not.toContain(RED);
    expect(await stderr(["--no-color"], colour)).toContain("error: ");
  });
});
