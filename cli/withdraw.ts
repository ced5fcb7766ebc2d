import { InvalidArgumentError } from "commander";
import { meantHost } from "../src/contract/host.js";
import { withExtraOptions } from "../src/lib/options.js";
import { WITHDRAW, type WithdrawOptions } from "../src/upkeep/options.js";
import type { HoldingSnapshot, WithdrawOutcome, WithdrawResult } from "../src/upkeep/withdraw.js";
import { CrawldexCommand, stopSignal } from "./command.js";
import { optionNamed, optionsIn, takesExtras, takesOptions, takesStore } from "./options.js";
import {
  finishPublication,
  generationSentence,
  isSigned,
  lingeringSentences,
  type PublicationOptions,
  reportsSentence,
  takesThen,
} from "./publication.js";
import { plural, Terminal } from "./terminal.js";

interface WithdrawFlags extends PublicationOptions, WithdrawOptions {
  readonly store: string;
}

const START = takesStore(
  new CrawldexCommand(
    "withdraw",
    "Take hosts down at once, from the store alone, whatever state the published directory is in. Builds leave them " +
      "out until their records state a removal.",
    {
      examples: [
        "crawldex withdraw example.com --purge-list purge.txt",
        "crawldex withdraw --restore example.com",
      ],
      page: "operations.md",
    },
  ),
).argument("<host...>", "hosts, or addresses that contain one", hostsIn);

const OPTIONS = withExtraOptions("withdraw", WITHDRAW);

export const withdrawCommand = takesOptions(takesThen(takesExtras(START)), OPTIONS).action(
  async (hosts: readonly string[], options: WithdrawFlags) => {
    const terminal = new Terminal(options);
    const signal = stopSignal();
    const { withdraw } = await import("../src/upkeep/withdraw.js");
    const result = await withdraw(hosts, { ...optionsIn(OPTIONS, options), signal });
    const { dryRun, id, generation, counts, segments, kept } = result;
    const lines = [
      ...result.hosts.map(({ host, outcome }) => `${host}: ${OUTCOMES[outcome]}`),
      publishedSentence(result),
      ...(dryRun ? [] : [generationSentence(generation, await isSigned(options))]),
      reportsSentence(counts),
      `${kept} of ${segments} segments kept`,
      ...(options.restore === true ? [] : remains(result)),
    ];
    const value = { ok: true, ...result, id: dryRun ? result.replaced : id };
    await finishPublication(terminal, options, value, lines, signal);
  },
);
optionNamed(withdrawCommand, "dryRun").conflicts("purgeList");

const OUTCOMES: { readonly [outcome in WithdrawOutcome]: string } = {
  withdrawn: "its answers are taken down",
  recorded: "has no report; no build will publish one",
  already: "is withdrawn already",
  restored:
    "the withdrawal is lifted; the next build publishes it if the published directory lists it",
  "not-withdrawn": "is not withdrawn",
};

function publishedSentence({ dryRun, id, replaced }: WithdrawResult): string {
  if (dryRun) return "dry run: nothing was published";
  return `snapshot ${id} ${id === replaced ? "was already current" : "is current"}`;
}

/** What still has the hosts, and what is left to do. */
function remains({ dryRun, held, lingering }: WithdrawResult): string[] {
  const lines = [
    ...(held.length === 0 ? [] : [heldSentence(held)]),
    ...lingeringSentences(lingering),
    "exported trees, buckets and replicas have the hosts until the next export, push or pull; caches, until " +
      "you purge them",
    'state "visibility": "removed" in the published directory, too: a build into another store does not ' +
      "know of this",
  ];
  return dryRun ? [] : lines;
}

function heldSentence(held: readonly HoldingSnapshot[]): string {
  const names = held.map(({ id, generation }) => `${id} (generation ${generation})`);
  return (
    `${plural(held.length, "former snapshot")}, which nobody serves, still ${held.length === 1 ? "has" : "have"} ` +
    `the hosts: ${names.join(", ")}; a build deletes those beyond its --keep, and a run with --keep 1 all of them`
  );
}

/** Collects the hosts of the command line, in canonical form. */
function hostsIn(given: string, before: readonly string[] = []): string[] {
  const host = meantHost(given);
  if (host === null)
    throw new InvalidArgumentError("It is neither a host nor an address that contains one.");
  return [...before, host];
}
