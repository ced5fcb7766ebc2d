import type { StoredSnapshotFacts } from "../src/upkeep/snapshots.js";
import { CrawldexCommand } from "./command.js";
import { takesStore } from "./options.js";
import { changesSentence, reportsSentence } from "./publication.js";
import { type OutputOptions, Terminal } from "./terminal.js";

export const snapshotsCommand = takesStore(
  new CrawldexCommand(
    "snapshots",
    "List the snapshots of a store, the newest first, with what each one changed.",
    {
      examples: ["crawldex snapshots", "crawldex snapshots --store /var/lib/crawldex/snapshots"],
      page: "operations.md",
    },
  ),
  "argument",
).action(async (_store: unknown, options: OutputOptions & { readonly store: string }) => {
  const terminal = new Terminal(options);
  const { snapshots } = await import("../src/upkeep/snapshots.js");
  const found = await snapshots(options.store);
  terminal.result({ ok: true, snapshots: found }, found.flatMap(snapshotLines));
});

function snapshotLines(snapshot: StoredSnapshotFacts): string[] {
  const { id, generation, writtenAt, isCurrent, counts, changes } = snapshot;
  const facts = [
    ...(isCurrent ? ["current"] : []),
    ...(generation === null ? [] : [`generation ${generation}`]),
    ...(writtenAt === null ? [] : [`written ${writtenAt}`]),
  ];
  const holds =
    counts === null
      ? "damaged: crawldex verify checks the current snapshot"
      : reportsSentence(counts);
  return [
    `${id}  ${facts.join(", ")}`,
    `  ${holds}`,
    ...(changes === null ? [] : [`  ${changesSentence(changes)}`]),
  ];
}
