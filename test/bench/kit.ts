import { appendFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { ROOT } from "./engine/paths.js";

/* What every benchmark says and where. */

/** The machine, in a line. */
export const MACHINE = `${availableParallelism()} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GB, node ${process.version}`;

/** The title of a section of RESULTS.md. */
export function dated(title: string): string {
  return `## ${new Date().toISOString().slice(0, 10)}: ${title}`;
}

/** Prints a section, and adds it to RESULTS.md unless it is only to be printed. */
export function report(parts: readonly string[], isPrintedOnly = false): void {
  const section = `\n${parts.join("\n\n")}\n`;
  process.stdout.write(section);
  if (!isPrintedOnly) appendFileSync(join(ROOT, "test/bench/RESULTS.md"), section);
}

/** Says on standard error how far a benchmark is. */
export function note(message: string): void {
  process.stderr.write(`${Math.round(process.uptime())} s: ${message}\n`);
}
