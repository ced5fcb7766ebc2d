import { type Command, InvalidArgumentError, Option } from "commander";
import type { BuildResult } from "../src/build/build.js";
import type { JoinOptions } from "../src/build/options.js";
import { MAX_REMOVED, type MaxRemoved, parseMaxRemoved } from "../src/build/removal-limit.js";
import { NUMBERS, PART } from "../src/options/defaults.js";
import { durationOf, sizeText } from "../src/pages/kit/words.js";
import { CrawldexCommand, numberOption, ruledOption, stopSignal } from "./command.js";
import { signingKey, takesStore } from "./shared-options.js";
import { Terminal } from "./terminal.js";
import {
  changesSentence,
  generationSentence,
  leftOutSentence,
  plural,
  reportsSentence,
} from "./texts.js";
import { finishPublication, type ThenOptions, takesThen } from "./then.js";

interface BuildFlags extends ThenOptions {
  readonly signingKey?: string | undefined;
  readonly store: string;
  readonly keep: number;
  readonly jobs?: number;
  readonly full?: boolean;
  readonly maxRemoved?: MaxRemoved;
  readonly maxUnscored?: MaxRemoved;
  readonly maxUnbanded?: MaxRemoved;
  readonly strict?: boolean;
  readonly purgeList?: string;
  readonly watch?: boolean;
  readonly dryRun?: boolean;
  readonly part?: string;
  readonly join?: boolean;
}

const START = new CrawldexCommand(
  "build",
  "Compile a published directory into a snapshot and make it current.",
  {
    examples: [
      "crawldex build ./published",
      "crawldex build ./published --store snapshots --purge-list purge.txt",
    ],
    page: "publishing.md",
  },
).argument("[published]", "the published directory's folder; none with --join");

export const buildCommand = takesThen(takesStore(START, "out"))
  .option(
    "--keep <count>",
    "how many snapshots to keep in the store",
    numberOption("keep"),
    NUMBERS.keep.usual,
  )
  .option(
    "--max-removed <limit>",
    "refuse a build that removes more than this share or number of the published listings, such as " +
      "20% or 50 (default: 20%; removing fewer than 10 is always allowed)",
    limitIn,
  )
  .option(
    "--max-unscored <limit>",
    "refuse a build that leaves more than this share or number of the scored listings without a " +
      "score (default: 20%; fewer than 10 are always allowed)",
    limitIn,
  )
  .option(
    "--max-unbanded <limit>",
    "refuse a build that leaves more than this share or number of the listings with a band without " +
      "one, though they keep their score (default: 20%; fewer than 10 are always allowed)",
    limitIn,
  )
  .option("--full", "reuse nothing from the last build: read, compile and write everything")
  .option("--strict", "treat warnings as errors: publish nothing if there is one")
  .option("--jobs <count>", "worker threads (default: all cores)", numberOption("jobs"))
  .option("--purge-list <file>", "write the addresses that changed or disappeared, one per line")
  .addOption(
    new Option("--dry-run", "say what the build would change, but publish nothing").conflicts(
      "purgeList",
    ),
  )
  .option("--watch", "build again whenever the published directory changes, until Ctrl-C")
  .addOption(
    new Option("--part <i/n>", "build only one part of the hosts, such as 3/16, to be joined later")
      .argParser(ruledOption(PART))
      .conflicts(["join", "watch", "dryRun", "purgeList"])
      .conflicts(["maxRemoved", "maxUnscored", "maxUnbanded", "then"]),
  )
  .addOption(
    new Option("--join", "publish all parts that were built with --part").conflicts([
      "watch",
      "full",
      "strict",
      "jobs",
    ]),
  )
  .action(async (published: string | undefined, given: BuildFlags, command: Command) => {
    if ((published === undefined) !== (given.join === true)) {
      const missing = "missing required argument 'published'";
      command.error(`error: ${given.join ? "--join takes no published directory" : missing}`);
    }
    const options = { ...given, signingKey: await signingKey(command) };
    const signal = stopSignal();
    if (published === undefined) return await joinOnce(options, signal);
    if (options.watch !== true) return await buildOnce(published, options, signal);
    const { keepBuilding } = await import("./watch.js");
    await keepBuilding(published, options, signal, buildOnce);
  });

async function buildOnce(
  published: string,
  options: BuildFlags,
  signal: AbortSignal,
): Promise<void> {
  const { build } = await import("../src/build/build.js");
  const { jobs, full, strict, part } = options;
  await finishBuild(published, options, signal, (settings) =>
    build(published, { ...settings, jobs, full, strict, part }),
  );
}

async function joinOnce(options: BuildFlags, signal: AbortSignal): Promise<void> {
  const { joinParts } = await import("../src/build/join-shares.js");
  await finishBuild(options.store, options, signal, joinParts);
}

/** @param folder the folder that warnings name */
async function finishBuild(
  folder: string,
  options: BuildFlags,
  signal: AbortSignal,
  build: (settings: JoinOptions) => Promise<BuildResult>,
): Promise<void> {
  const terminal = new Terminal(options);
  const began = performance.now();
  const result = await build({
    store: options.store,
    keep: options.keep,
    maxRemoved: options.maxRemoved,
    maxUnscored: options.maxUnscored,
    maxUnbanded: options.maxUnbanded,
    purgeList: options.purgeList,
    dryRun: options.dryRun,
    signingKey: options.signingKey,
    signal,
    onProgress: terminal.progress(),
  });
  terminal.findings(folder, result);
  if (result.uncheckedRemovals !== null) {
    const what = "could not check how many listings this build removed or left without a score";
    terminal.message(`warning: ${what}: ${result.uncheckedRemovals}`, "warning");
  }
  const seconds = Number(((performance.now() - began) / 1_000).toFixed(3));
  const { value, lines } = resultOf(result, seconds, options);
  await finishPublication(terminal, options, value, lines, signal);
}

/** The result as an object, and as lines for people. @param seconds how long the build took */
function resultOf(result: BuildResult, seconds: number, { part, signingKey }: BuildFlags) {
  const { id, dryRun, changed, generation, counts, notInSearch, segments, kept } = result;
  const { changes, bytesWritten, warnings, warningCount, uncheckedRemovals } = result;
  const left = leftOutSentence(notInSearch);
  const withoutReport = counts.listings - counts.reports;
  const value = {
    ok: true,
    id,
    dryRun,
    changed,
    generation,
    counts,
    changes,
    notInSearch,
    segments,
    kept,
    bytesWritten,
    seconds,
    warningCount,
    warnings,
    uncheckedRemovals,
  };
  const lines = [
    part === undefined
      ? publishedSentence(result)
      : `part ${part} is built; publish all parts with crawldex build --join`,
    `${changes === null ? "changes are unknown" : changesSentence(changes)}; ` +
      `${sizeText(bytesWritten)} ${dryRun ? "would be written; it took" : "written in"} ` +
      `${durationOf(seconds * 1_000)}`,
    ...(part === undefined && !dryRun ? [generationSentence(generation, signingKey)] : []),
    `${plural(counts.listings, "listing")}, ${plural(counts.scans, "scan")} read`,
    reportsSentence(counts),
    ...(left === null ? [] : [`${left}; ${withoutReport} of them without a report`]),
    `${kept} of ${segments} segments kept from the last build`,
  ];
  return { value, lines };
}

function publishedSentence({ id, dryRun, changed }: BuildResult): string {
  if (!dryRun) return `snapshot ${id} ${changed ? "is current" : "was already current"}`;
  const would = changed ? "would be current" : "is already current";
  return `dry run: snapshot ${id} ${would}; nothing was published`;
}

function limitIn(text: string): MaxRemoved {
  const limit = parseMaxRemoved(text);
  if (limit !== null) return limit;
  throw new InvalidArgumentError(`It must be ${MAX_REMOVED.expected}.`);
}
