import type { Command } from "commander";
import type { RollbackListings } from "../src/upkeep/rollback-bucket.js";
import type { KeptBack } from "../src/upkeep/rollback-rule.js";
import { command, stopSignal } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface Options extends OutputOptions {
  readonly store?: string;
  readonly purgeList?: string;
  readonly restoreMissing?: boolean;
}

/** How many hosts a line names. */
const HOSTS_NAMED = 10;

/** A note for every rollback. */
const NEXT_BUILD =
  "the next build publishes its input again; plans and ownership that have changed since apply again then";

export const rollbackCommand = command(
  "rollback",
  "Publish the former snapshot's answers again, except for listings removed or withheld since.",
  "crawldex rollback snapshots",
)
  .argument("[snapshots]", "the store's folder (default: snapshots)")
  .option("--store <store>", "the store's folder, in another way")
  .option("--restore-missing", "bring back listings that the last build's input does not have")
  .option("--purge-list <file>", "write the addresses that caches must forget, one a line")
  .action(async (given: string | undefined, options: Options, self: Command) => {
    if (given !== undefined && options.store !== undefined) {
      self.error("error: the store is given twice");
    }
    const terminal = new Terminal(options);
    const { rollback } = await import("../src/upkeep/rollback.js");
    const result = await rollback(given ?? options.store, {
      restoreMissing: options.restoreMissing,
      purgeList: options.purgeList,
      signal: stopSignal(),
      onProgress: terminal.progress(),
    });
    const { id, former, replaced, counts, listings, buckets, kept } = result;
    const fates = fatesOf(listings);
    const lines = [
      id === former
        ? `snapshot ${id} is current again, instead of ${replaced}`
        : `snapshot ${id} is current, with the answers of ${former} instead of ${replaced}`,
      `${counts.reports} reports (${counts.searchable} in search), ${counts.historical} historical`,
      ...fates.map(({ label, reason, hosts }) => {
        const why = reason === "" ? "" : `, ${reason}`;
        return `  ${label}${why}: ${hosts.length} (${named(hosts)})`;
      }),
      `${kept} of ${buckets} buckets kept from the former snapshot`,
      NEXT_BUILD,
    ];
    terminal.result({ ok: true, ...result }, lines, {
      title: "The answers of the former snapshot are current again.",
      rows: [
        { label: "snapshot", value: id },
        { label: "former", value: former },
        { label: "instead of", value: replaced },
        { label: "reports", value: counts.reports },
        { label: "in search", value: counts.searchable },
        { label: "historical", value: counts.historical },
        { label: "buckets", value: buckets, note: `${buckets - kept} made, ${kept} kept` },
        ...fates.map(({ label, reason, hosts }) => {
          const note = [reason, named(hosts)].filter((part) => part !== "").join(": ");
          return { label, value: hosts.length, note };
        }),
      ],
      notes: [`${NEXT_BUILD.replace("t", "T")}.`],
    });
  });

/** Why a listing does not get the former answers. */
const REASONS: { readonly [why in KeptBack]: string } = {
  blocked: "stated as blocked",
  "opted-out": "stated as opted-out",
  redirected: "stated as redirected",
  removed: "stated as removed",
  deleted: "stated as deleted",
  missing: "missing from the last build's input (--restore-missing brings them back)",
  new: "not in the former snapshot",
};

/** Listings that a rollback treats alike for the same reason. */
interface Fate {
  readonly label: string;
  readonly reason: string;
  readonly hosts: readonly string[];
}

function fatesOf({ back, withheld, away }: RollbackListings): Fate[] {
  const fates: Fate[] = [{ label: "come back", reason: "", hosts: back }];
  for (const [label, listings] of Object.entries({
    "stay withheld": withheld,
    "stay away": away,
  })) {
    for (const [why, reason] of Object.entries(REASONS)) {
      const hosts = listings.filter((one) => one.why === why).map(({ host }) => host);
      fates.push({ label: why === "new" ? "go" : label, reason, hosts });
    }
  }
  return fates.filter(({ hosts }) => hosts.length > 0);
}

function named(hosts: readonly string[]): string {
  const more = hosts.length > HOSTS_NAMED ? ` and ${hosts.length - HOSTS_NAMED} more` : "";
  return `${hosts.slice(0, HOSTS_NAMED).join(", ")}${more}`;
}
