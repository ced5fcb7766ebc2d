import { withExtraOptions } from "../src/lib/options.js";
import { firstHosts } from "../src/publish/removal-limit.js";
import { ROLLBACK, type RollbackOptions } from "../src/upkeep/options.js";
import type { RollbackResult } from "../src/upkeep/rollback.js";
import type { KeptBack, RollbackListings } from "../src/upkeep/rollback-segments.js";
import { CrawldexCommand, stopSignal } from "./command.js";
import {
  optionNamed,
  optionsIn,
  snapshotName,
  takesExtras,
  takesOptions,
  takesStore,
} from "./options.js";
import {
  finishPublication,
  generationSentence,
  isSigned,
  type PublicationOptions,
  reportsSentence,
  takesThen,
} from "./publication.js";
import { Terminal } from "./terminal.js";

interface RollbackFlags extends PublicationOptions, RollbackOptions {
  readonly store: string;
}

const START = takesStore(
  new CrawldexCommand(
    "rollback",
    "Publish the former snapshot's answers again, except for listings removed, withheld or put on a " +
      "smaller plan since.",
    {
      examples: ["crawldex rollback snapshots --dry-run", "crawldex rollback snapshots --to 41"],
      page: "operations.md",
    },
  ),
  "argument",
);

const OPTIONS = withExtraOptions("rollback", ROLLBACK);

export const rollbackCommand = takesOptions(takesThen(takesExtras(START)), OPTIONS).action(
  async (_store: unknown, options: RollbackFlags) => {
    const terminal = new Terminal(options);
    const signal = stopSignal();
    const { rollback } = await import("../src/upkeep/rollback.js");
    const result = await rollback(options.store, {
      ...optionsIn(OPTIONS, options),
      signal,
      onProgress: terminal.progress(),
    });
    const { dryRun, generation, counts, listings, segments, kept } = result;
    const lines = [
      outcomeOf(result),
      ...(dryRun ? [] : [generationSentence(generation, await isSigned(options))]),
      reportsSentence(counts),
      ...fatesOf(listings).map(({ label, reason, hosts }) => {
        const why = reason === "" ? "" : `, ${reason}`;
        return `  ${label}${why}: ${hosts.length} (${firstHosts(hosts)})`;
      }),
      `${kept} of ${segments} segments kept from the former snapshot`,
      ...(dryRun ? [] : [NEXT_BUILD]),
    ];
    const value = { ok: true, ...result };
    await finishPublication(terminal, options, value, lines, signal);
  },
);
optionNamed(rollbackCommand, "dryRun").conflicts("purgeList");
optionNamed(rollbackCommand, "to").argParser(snapshotName);

const NEXT_BUILD =
  "the next build publishes its input again, with the plans and ownership that have changed since";

function outcomeOf({ id, dryRun, former, replaced }: RollbackResult): string {
  if (dryRun)
    return `dry run: nothing was published; rolling back from ${replaced} to ${former} would give`;
  if (id === replaced)
    return `snapshot ${id} stays current: it has all answers of ${former} that may come back`;
  return `snapshot ${id} is current, with the answers of ${former} instead of ${replaced}`;
}

/** Why a listing does not get the former answers. */
const KEPT_BACK_REASONS: { readonly [why in KeptBack]: string } = {
  blocked: 'visibility "blocked"',
  "opted-out": 'visibility "opted-out"',
  redirected: 'visibility "redirected"',
  removed: 'visibility "removed"',
  deleted: 'visibility "deleted"',
  withdrawn: "withdrawn (crawldex withdraw --restore lifts that for the next build)",
  plan: "the last stated plan does not open what they showed",
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
  const fates: Fate[] = [{ label: "go back to their former answers", reason: "", hosts: back }];
  for (const [label, listings] of Object.entries({
    "stay withheld": withheld,
    "stay away": away,
  })) {
    for (const [why, reason] of Object.entries(KEPT_BACK_REASONS)) {
      const hosts = listings.filter((one) => one.why === why).map(({ host }) => host);
      fates.push({ label: labelOf(why, label), reason, hosts });
    }
  }
  return fates.filter(({ hosts }) => hosts.length > 0);
}

function labelOf(why: string, usual: string): string {
  if (why === "new") return "disappear";
  return why === "plan" && usual === "stay withheld"
    ? "keep their answers of the last build"
    : usual;
}
