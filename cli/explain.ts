import { type Command, InvalidArgumentError, Option } from "commander";
import { canonicalHostOf } from "../src/contract/host.js";
import { escapeControls } from "../src/input/checking/problem.js";
import type { Explanation } from "../src/upkeep/explain.js";
import { CrawldexCommand } from "./command.js";
import { takesStore } from "./options.js";
import { leftOutSentence } from "./publication.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface ExplainFlags extends OutputOptions {
  readonly store: string;
  readonly reason?: readonly string[];
}

/** Every `why` that a listing which is not in search may have. */
export const LEFT_OUT_WORDS = [
  "blocked",
  "opted-out",
  "redirected",
  "removed",
  "deleted",
  "withdrawn",
  "unscanned",
  "moved",
  "former",
  "restored",
  "unknown",
] as const satisfies readonly Explanation["why"][];

export const explainCommand = takesStore(
  new CrawldexCommand(
    "explain",
    "Say whether a host is published and in search, and if not, why. Without a host, list all listings left out.",
    {
      examples: ["crawldex explain example.com", "crawldex explain --reason removed"],
      page: "validating.md",
    },
  ),
)
  .argument("[host]", "a host, or an address that contains one", hostIn)
  .addOption(
    new Option("--reason <words...>", "list only the listings with one of these reasons").choices(
      LEFT_OUT_WORDS,
    ),
  )
  .action(async (host: GivenHost | undefined, options: ExplainFlags, self: Command) => {
    if (host === undefined) return await listLeftOut(options);
    if (options.reason !== undefined) {
      self.error("error: --reason selects from the list of all listings; leave out the host");
    }
    await explainHost(host, options);
  });

async function explainHost({ given, host }: GivenHost, options: ExplainFlags): Promise<void> {
  const terminal = new Terminal(options);
  const { explain } = await import("../src/upkeep/explain.js");
  const explanation = await explain(host, { store: options.store });
  const { published, inSearch, reason, historical, locked, near, snapshot } = explanation;
  const lines = [
    ...(given === host ? [] : [`${escapeControls(given)} has the canonical form ${host}`]),
    `${host} is ${published ? "published" : "not published"} and ${inSearch ? "in" : "not in"} search`,
    reason,
    ...(near.length > 0 ? [`Did you mean ${near.join(" or ")}?`] : []),
    ...(historical.length > 0 ? [`historical reports: ${historical.join(", ")}`] : []),
    ...(locked.length > 0 ? [`scans that its plan does not include: ${locked.join(", ")}`] : []),
    `snapshot ${snapshot}`,
  ];
  terminal.result({ ok: true, given, ...explanation }, lines);
}

async function listLeftOut({ store, reason, ...output }: ExplainFlags): Promise<void> {
  const terminal = new Terminal(output);
  const { explainNotInSearch } = await import("../src/upkeep/explain.js");
  const { snapshot, rolledBackTo, listings: all, complete } = await explainNotInSearch(store);
  const listings = all.filter(({ why }) => reason === undefined || reason.includes(why));
  const notInSearch = Object.fromEntries(
    LEFT_OUT_WORDS.map((word) => [word, listings.filter(({ why }) => why === word).length]),
  );
  const widest = listings.reduce((width, { host }) => Math.max(width, host.length), 0);
  const width = Math.min(HOST_CELLS, widest);
  if (!complete) {
    const what = "the builder's notes are lost or belong to another snapshot";
    terminal.message(
      `warning: ${what}: the list lacks listings without a report until the next build`,
      "warning",
    );
  }
  terminal.result({ ok: true, snapshot, rolledBackTo, complete, notInSearch, listings }, [
    ...listings.map(({ host, why, published }) => {
      return `${host.padEnd(width)}  ${why}, ${published ? "report withheld" : "no report"}`;
    }),
    leftOutSentence(notInSearch) ?? "0 listings not in search",
    `snapshot ${snapshot}`,
  ]);
}

/** The longest host, in columns, after which the reasons are still aligned. */
const HOST_CELLS = 40;

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
