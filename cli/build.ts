import { InvalidArgumentError } from "commander";
import { MAX_REMOVED, type MaxRemoved, parseMaxRemoved } from "../src/build/removal-limit.js";
import { NUMBERS, STORE } from "../src/options/defaults.js";
import { command, numberOf, stopSignal } from "./command.js";
import { bytes as inBytes } from "./drawing/amounts.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface Options extends OutputOptions {
  readonly out: string;
  readonly keep: number;
  readonly jobs?: number;
  readonly full?: boolean;
  readonly maxRemoved?: MaxRemoved;
  readonly strict?: boolean;
  readonly purgeList?: string;
}

export const buildCommand = command(
  "build",
  "Compile a published directory into a snapshot and make it current.",
  "crawldex build ./published --out snapshots",
)
  .argument("<published>", "the published directory's folder")
  .option("--out <store>", "the store's folder", STORE)
  .option(
    "--keep <count>",
    "snapshots that stay in the store",
    numberOf("keep"),
    NUMBERS.keep.usual,
  )
  .option(
    "--max-removed <limit>",
    "refuse to take away more of the published listings than this share or number, such as 20% or 50 (default: 20%, but fewer than 10 may always go)",
    removalLimitIn,
  )
  .option("--full", "trust nothing of the build before: read, compile and write everything")
  .option("--strict", "take warnings for errors: with one, nothing is published")
  .option("--jobs <count>", "worker threads (default: all cores)", numberOf("jobs"))
  .option("--purge-list <file>", "write the addresses that changed or went, one a line")
  .action(async (published: string, options: Options) => {
    const terminal = new Terminal(options);
    const { build } = await import("../src/build/build.js");
    const result = await build(published, {
      store: options.out,
      keep: options.keep,
      jobs: options.jobs,
      full: options.full,
      maxRemoved: options.maxRemoved,
      strict: options.strict,
      purgeList: options.purgeList,
      signal: stopSignal(),
      onProgress: terminal.progress(),
    });
    const { id, changed, counts, buckets, kept, bytes, warnings, warningCount } = result;
    const { uncheckedRemovals } = result;
    await terminal.findings(published, { ...result, problems: [], problemCount: 0 });
    if (uncheckedRemovals !== null) {
      const what = "how many listings this build took away could not be checked";
      terminal.message(`warning: ${what}: ${uncheckedRemovals}`, "warning");
    }
    const lines = [
      `snapshot ${id} ${changed ? "is current" : "was current already"}`,
      `${counts.listings} listings, ${counts.scans} scans read`,
      `${counts.reports} reports (${counts.searchable} in search), ${counts.historical} historical`,
      `${kept} of ${buckets} buckets kept from the build before`,
    ];
    const value = {
      ...{ ok: true, id, changed, counts, buckets, kept },
      ...{ warningCount, warnings, uncheckedRemovals },
    };
    terminal.result(value, lines, {
      title: changed ? "A new snapshot is current." : "The snapshot was current already.",
      rows: [
        { label: "snapshot", value: id },
        { label: "listings", value: counts.listings },
        { label: "scans", value: counts.scans },
        { label: "reports", value: counts.reports },
        { label: "in search", value: counts.searchable },
        { label: "historical", value: counts.historical },
        { label: "buckets", value: buckets, note: `${buckets - kept} made, ${kept} kept` },
        { label: "size", value: inBytes(bytes) },
      ],
    });
  });

function removalLimitIn(text: string): MaxRemoved {
  const limit = parseMaxRemoved(text);
  if (limit !== null) return limit;
  throw new InvalidArgumentError(`It must be ${MAX_REMOVED.expected}.`);
}
