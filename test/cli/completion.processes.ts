import { execFile, execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program } from "../../cli/program.js";
import { temporaryFolder } from "../fixtures.js";
import { COMMAND, crawldex } from "./spawned.js";

const run = promisify(execFile);

/** What a shell is told to offer for a line that the cursor ends. */
type Offer = (line: string) => Promise<string[]>;

/** Runs the completion in bash as readline does: with the line's words, and "=" as a word of its own. */
const IN_BASH = `
source "$1"
spec=$(complete -p crawldex)
[[ $spec == "complete -F "* ]] || exit 9
COMP_WORDS=("\${@:2}")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_crawldex
printf '%s\\n' "\${COMPREPLY[@]}"
`;

/** Types a line and a tab into an interactive zsh, and prints each match that it adds. */
const IN_ZSH = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT= ; autoload -Uz compinit; compinit -u -D; source $1; bindkey '^I' complete-word"
zpty -w shell 'compadd() {
  local -a hits
  if [[ "\${@[1,(i)(-|--)]}" == *-[OAD]\\ * ]]; then builtin compadd "$@"; return; fi
  builtin compadd -A hits "$@"; print -rl -- "ma""tch:"\${^hits}":"; builtin compadd "$@"
}'
zpty -w shell 'ended() { print "the"" end" }; zle -N ended; bindkey "^X" ended'
zpty -n -w shell "$2"$'\\t\\C-x'
while zpty -r shell text; do
  print -r -- $text
  [[ $text == *"the end"* ]] && break
done
zpty -d shell
`;

const SHELLS: Record<string, (script: string, folder: string) => Offer> = {
  bash: (script, cwd) => async (line) => {
    const words = line.split(" ").flatMap((word) => word.split(/(?==)|(?<==)/));
    const args = ["--norc", "-c", IN_BASH, "bash", script, ...words];
    return (await run("bash", args, { cwd })).stdout.split("\n").filter(Boolean);
  },
  zsh: (script, cwd) => async (line) => {
    const { stdout } = await run("zsh", ["-f", "-c", IN_ZSH, "zsh", script, line], {
      cwd,
      timeout: 30_000,
    });
    return [...new Set([...stdout.matchAll(/match:([^\r\n]*):/g)].map(([, word = ""]) => word))];
  },
  fish: (script, cwd) => async (line) => {
    const args = ["--no-config", "-c", `source ${script}; complete -C '${line}'`];
    const { stdout } = await run("fish", args, { cwd });
    return stdout
      .split("\n")
      .filter(Boolean)
      .map((offer) => offer.replace(/\t.*/, "").replace(/^--[a-z-]+=/, ""));
  },
};

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ["-c", "true"], { stdio: "ignore" });
    return true;
  } catch {
    process.stderr.write(`SKIPPED, ${shell} is not installed: its completion\n`);
    return false;
  }
}

describe.each(Object.keys(SHELLS))("completion in %s", (shell) => {
  const isThere = isInstalled(shell);
  let offered: Offer;
  let cleanUp: () => Promise<void>;
  let removeBin: () => Promise<void>;
  beforeAll(async () => {
    const folder = await temporaryFolder((remove) => {
      cleanUp = remove;
    });
    for (const name of ["published", "snap shots"]) await mkdir(join(folder, name));
    // The scripts ask the program on the path.
    const bin = await temporaryFolder((remove) => {
      removeBin = remove;
    });
    const program = `#!/bin/sh\nexec ${process.execPath} ${COMMAND} "$@"\n`;
    await writeFile(join(bin, "crawldex"), program, { mode: 0o755 });
    process.env.PATH = `${bin}:${process.env.PATH}`;
    await writeFile(join(folder, "purge.txt"), "");
    const { code, stdout } = await crawldex(["completion", shell]);
    expect(code).toBe(0);
    const script = join(folder, "script");
    await writeFile(script, stdout);
    const offer = SHELLS[shell]?.(script, folder);
    if (offer === undefined) throw new TypeError(`there is no ${shell}`);
    offered = async (line) => (await offer(line)).map((word) => word.replace(/\/$/, "")).sort();
  });

  afterAll(async () => {
    await cleanUp();
    await removeBin();
  });

  it.runIf(isThere)("offers the commands", async () => {
    expect(await offered("crawldex bu")).toEqual(["build"]);
    const all = [...program.commands.map((command) => command.name()), "help"].sort();
    expect(await offered("crawldex ")).toEqual(all);
    expect(await offered("crawldex help sc")).toEqual(["schema"]);
  });

  it.runIf(isThere)("offers each command's own options", async () => {
    expect(await offered("crawldex serve --cach")).toEqual(["--cache-dir", "--cache-mb"]);
    expect(await offered("crawldex build --cach")).toEqual([]);
    expect(await offered("crawldex rollback snapshots --re")).toEqual(["--restore-missing"]);
  });

  it.runIf(isThere)("offers the values of options and arguments", async () => {
    expect(await offered("crawldex schema l")).toEqual(["listing"]);
    expect(await offered("crawldex serve --log ")).toEqual(["json"]);
    expect(await offered("crawldex serve --log=")).toEqual(["json"]);
    expect(await offered("crawldex explain --reason re")).toEqual([
      "redirected",
      "removed",
      "restored",
    ]);
  });

  it.runIf(isThere)(
    "offers folders where a folder is expected, and files where a file is",
    async () => {
      const folders = ["published", "snap shots"];
      expect((await offered("crawldex build ")).map(unescaped)).toEqual(folders);
      expect((await offered("crawldex build published -o ")).map(unescaped)).toEqual(folders);
      expect((await offered("crawldex export site --store=")).map(unescaped)).toEqual(folders);
      expect(await offered("crawldex build --purge-list pur")).toEqual(["purge.txt"]);
      expect(await offered("crawldex serve --port ")).toEqual([]);
    },
  );
});

function unescaped(word: string): string {
  return word.replaceAll("\\ ", " ");
}
