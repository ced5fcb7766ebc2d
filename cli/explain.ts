import { InvalidArgumentError } from "commander";
import { canonicalHostOf } from "../src/contract/host.js";
import { STORE } from "../src/options/defaults.js";
import { escapeControls } from "../src/published/checking/problem.js";
import { command } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface Options extends OutputOptions {
  readonly store: string;
}

export const explainCommand = command(
  "explain",
  "Say whether a host is published and in search, and if not, why.",
  "crawldex explain example.com",
)
  .argument("<host>", "a host, or an address that has one", hostIn)
  .option("--store <store>", "the store's folder", STORE)
  .action(async ({ given, host }: GivenHost, options: Options) => {
    const terminal = new Terminal(options);
    const { explain } = await import("../src/upkeep/explain.js");
    const explanation = await explain(host, { store: options.store });
    const { published, inSearch, reason, historical, locked, snapshot } = explanation;
    const lines = [
      ...(given === host ? [] : [`${escapeControls(given)} has the canonical form ${host}`]),
      `${host} is ${published ? "published" : "not published"} and ${inSearch ? "in" : "not in"} search`,
      reason,
      ...(historical.length > 0 ? [`historical reports: ${historical.join(", ")}`] : []),
      ...(locked.length > 0 ? [`scans that its plan does not open: ${locked.join(", ")}`] : []),
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
  if (host === null) throw new InvalidArgumentError("No canonical host can be made of it.");
  return { given, host };
}
