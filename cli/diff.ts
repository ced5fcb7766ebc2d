import { CrawldexCommand } from "./command.js";
import { snapshotName, takesStore } from "./options.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface DiffFlags extends OutputOptions {
  readonly store: string;
}

export const diffCommand = takesStore(
  new CrawldexCommand("diff", "Name the hosts added, changed and removed between two snapshots.", {
    examples: ["crawldex diff 1f0c", "crawldex diff 41 42 --store snapshots"],
    page: "operations.md",
  }),
)
  .argument(
    "<older>",
    "the older snapshot: its generation, or an unambiguous prefix of its id",
    snapshotName,
  )
  .argument("[newer]", "the newer snapshot (default: the current one)", snapshotName)
  .action(async (older: string, newer: string | undefined, options: DiffFlags) => {
    const terminal = new Terminal(options);
    const { diff } = await import("../src/upkeep/snapshots.js");
    const hosts = await diff(older, { to: newer, store: options.store });
    const { added, changed, removed } = hosts;
    terminal.result({ ok: true, ...hosts }, [
      ...added.map((host) => `+ ${host}`),
      ...changed.map((host) => `~ ${host}`),
      ...removed.map((host) => `- ${host}`),
      `${added.length} added, ${changed.length} changed, ${removed.length} removed`,
    ]);
  });
