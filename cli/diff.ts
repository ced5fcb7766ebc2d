import { InvalidArgumentError } from "commander";
import { ID_PREFIX_MIN } from "../src/store/names.js";
import { CrawldexCommand } from "./command.js";
import { takesStore } from "./shared-options.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface DiffFlags extends OutputOptions {
  readonly store: string;
}

export const diffCommand = takesStore(
  new CrawldexCommand("diff", "Name the hosts added, changed and removed between two snapshots.", {
    examples: ["crawldex diff 1f0c", "crawldex diff 1f0c 93aa --store snapshots"],
    page: "operations.md",
  }),
)
  .argument("<id>", "the older snapshot's id, or an unambiguous prefix of it", idIn)
  .argument("[newer]", "the newer snapshot's id (default: the current snapshot)", idIn)
  .action(async (older: string, newer: string | undefined, options: DiffFlags) => {
    const terminal = new Terminal(options);
    const { diff } = await import("../src/upkeep/diff.js");
    const hosts = await diff(older, { to: newer, store: options.store });
    const { added, changed, removed } = hosts;
    terminal.result({ ok: true, ...hosts }, [
      ...added.map((host) => `+ ${host}`),
      ...changed.map((host) => `~ ${host}`),
      ...removed.map((host) => `- ${host}`),
      `${added.length} added, ${changed.length} changed, ${removed.length} removed`,
    ]);
  });

function idIn(text: string): string {
  if (text.length >= ID_PREFIX_MIN) return text;
  throw new InvalidArgumentError(`It must have at least ${ID_PREFIX_MIN} characters.`);
}
