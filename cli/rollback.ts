import type { Command } from "commander";
import { command, stopSignal } from "./command.js";
import type { Row } from "./drawing/table.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface Options extends OutputOptions {
  readonly store?: string;
  readonly purgeList?: string;
}

export const rollbackCommand = command(
  "rollback",
  "Make the snapshot before the current one current again, under today's visibilities and plans.",
  "crawldex rollback snapshots",
)
  .argument("[snapshots]", "the store's folder (default: snapshots)")
  .option("--store <store>", "the store's folder, in another way")
  .option("--purge-list <file>", "write the addresses that caches must forget, one a line")
  .action(async (given: string | undefined, options: Options, self: Command) => {
    if (given !== undefined && options.store !== undefined) {
      self.error("error: the store is given twice");
    }
    const terminal = new Terminal(options);
    const { rollback } = await import("../src/store/rollback.js");
    const result = await rollback(given ?? options.store ?? "snapshots", {
      purgeList: options.purgeList,
      signal: stopSignal(),
      onProgress: terminal.progress(),
    });
    const { id, former, replaced, counts, listings, buckets, kept } = result;
    const { removed, withdrawn, withheld, restricted } = listings;
    const lines = [
      id === former
        ? `snapshot ${id} is current again, instead of ${replaced}`
        : `snapshot ${id} is current, with the content of ${former} instead of ${replaced}`,
      `${counts.reports} reports (${counts.searchable} in search), ${counts.historical} historical`,
      ...(id === former
        ? []
        : ["listings that today's visibilities and plans do not show as they were:"]),
      ...told(removed, "stay away: they have no report today"),
      ...told(withdrawn, "stay away: their former scan was withdrawn or is held back"),
      ...told(withheld, "stay withheld"),
      ...told(restricted, "are shown on their terms of today"),
      `${kept} of ${buckets} buckets kept from the former snapshot`,
      "the next build publishes its input again",
    ];
    terminal.result({ ok: true, ...result }, lines, {
      title: "The content of the former snapshot is current again.",
      rows: [
        { label: "snapshot", value: id },
        { label: "former", value: former },
        { label: "instead of", value: replaced },
        { label: "reports", value: counts.reports },
        { label: "in search", value: counts.searchable },
        { label: "historical", value: counts.historical },
        { label: "buckets", value: buckets, note: `${buckets - kept} made, ${kept} kept` },
        ...fate("removed", removed, "they have no report today"),
        ...fate("withdrawn", withdrawn, "their former scan is no longer published"),
        ...fate("withheld", withheld, "they are withheld today"),
        ...fate("restricted", restricted, "shown on their terms of today"),
      ],
      notes: ["The next build publishes its input again."],
    });
  });

/** A row of the summary, where there are listings with this fate. */
function fate(label: string, value: number, note: string): Row[] {
  return value === 0 ? [] : [{ label, value, note }];
}

function told(count: number, what: string): string[] {
  return count === 0 ? [] : [`  ${count} ${what}`];
}
