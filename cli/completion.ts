import { Argument } from "commander";
import { CrawldexCommand } from "./command.js";
import { bashScript } from "./completion/bash.js";
import { fishScript } from "./completion/fish.js";
import { wordsOf } from "./completion/words.js";
import { zshScript } from "./completion/zsh.js";
import { type OutputOptions, Terminal } from "./terminal.js";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

type Shell = keyof typeof SCRIPTS;

export const completionCommand = new CrawldexCommand(
  "completion",
  "Print a script that completes commands, options and folders in your shell.",
  {
    examples: [
      "crawldex completion bash >> ~/.bashrc",
      "crawldex completion fish > ~/.config/fish/completions/crawldex.fish",
    ],
    page: "command-line.md",
  },
)
  .addArgument(new Argument("<shell>", "your shell").choices(Object.keys(SCRIPTS)))
  .action((shell: Shell, options: OutputOptions, self: CrawldexCommand) => {
    const script = SCRIPTS[shell](wordsOf(self.parent ?? self));
    new Terminal(options).result({ ok: true, shell, script }, [script.trimEnd()]);
  });
