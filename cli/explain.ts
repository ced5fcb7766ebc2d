import { InvalidArgumentError } from "commander";
import { canonicalHostOf } from "../src/contract/host.js";
import { escapeControls } from "../src/published/checking/problem.js";
import { command } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface ExplainFlags extends OutputOptions {
  readonly store: string;
}

export const explainCommand = command(
  "explain",
  "Say whether a host is published and in search, and if not, why.",
  "crawldex explain example.com",
)
  .argument("<host>", "a host, or an address that contains one", hostIn)
  .option("--store <store>", "the store's folder", "snapshots")
  .action(async ({ given, host }: GivenHost, options: ExplainFlags) => {
    const terminal = new Terminal(options);
    const { explain } = await import("../src/upkeep/explain.js");
    const explanation = await explain(options.store, host);
    const { published, inSearch, reason, historical, locked, snapshot } = explanation;
    const lines = [
      ...(given === host ? [] : [`${escapeControls(given)} has the canonical form ${host}`]),
      `${host} is ${published ? "published" : "not published"} and ${inSearch ? "in" : "not in"} search`,
      reason,
      ...(historical.length > 0 ? [`historical reports: ${historical.join(", ")}`] : []),
      ...(locked.length > 0 ? [`scans that its plan does not include: ${locked.join(", ")}`] : []),
      `snapshot ${snapshot}`,
    ];
    terminal.result({ ok: true, given, ...explanation }, lines);
  });

interface GivenHost {
  readonly given: string;
  readonly host: string;
}

function hostIn(given: string): GivenHost {
  const host = canonicalHostOf(given);
  if (host === null)
    throw new InvalidArgumentError("It is neither a host nor an address that contains one.");
  return { given, host };
}
