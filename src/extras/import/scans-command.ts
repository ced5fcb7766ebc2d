import { optionsIn } from "../../../cli/options.js";
import { type OutputOptions, plural, type Terminal } from "../../../cli/terminal.js";
import { type ImportScansOptions, SCANS } from "./scan-options.js";
import type { ScansResult } from "./scans.js";

/** What `crawldex import --from` is given besides the files. */
export interface ScansFlags extends OutputOptions, Omit<ImportScansOptions, "published"> {
  readonly from: string;
}

/** Imports scanners' files, and prints what became of them. */
export async function runScansImport(
  files: readonly string[],
  published: string,
  options: ScansFlags,
  terminal: Terminal,
): Promise<void> {
  const { importScans } = await import("./scans.js");
  const given = { ...optionsIn(SCANS, options), published };
  const result = await importScans(files, options.from, given);
  for (const warning of result.warnings) terminal.message(`warning: ${warning}`, "warning");
  terminal.result({ ok: true, ...result }, scansLines(result, published));
}

function scansLines(result: ScansResult, published: string): string[] {
  const { scanner, counts, scans, listings, checks, files } = result;
  const numbers = Object.entries(scans).map(([what, number]) => `${number} ${what}`);
  const total = scans.added + scans.updated + scans.unchanged;
  return [
    `${plural(total, "scan")} of ${scanner}: ${numbers.join(", ")}`,
    ...(listings.added > 0 ? [`${plural(listings.added, "listing")} added`] : []),
    ...(checks.length > 0 ? [`${plural(checks.length, "check")} added to standards.json`] : []),
    ...(listings.pinned > 0
      ? [
          `${plural(listings.pinned, "listing")} with scans of several scanners: those of ${scanner} ` +
            `${counts ? "count" : "do not count"}`,
        ]
      : []),
    ...(files.length > 0 ? [`written: ${files.join(", ")}`] : []),
    "next:",
    `  crawldex build ${published}`,
  ];
}
