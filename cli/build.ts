import type { Command } from "commander";
import { withExtraOptions } from "../src/lib/options.js";
import { durationOf, sizeText } from "../src/pages/kit/words.js";
import type { BuildResult } from "../src/publish/build.js";
import { BUILD, type BuildOptions, JOIN } from "../src/publish/options.js";
import { CrawldexCommand, stopSignal } from "./command.js";
import { optionNamed, optionsIn, takesExtras, takesOptions, takesStore } from "./options.js";
import {
  changesSentence,
  finishPublication,
  generationSentence,
  isSigned,
  leftOutSentence,
  type PublicationOptions,
  reportsSentence,
  takesThen,
} from "./publication.js";
import { plural, Terminal } from "./terminal.js";

interface BuildFlags extends PublicationOptions, BuildOptions {
  readonly store: string;
  readonly watch?: boolean;
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

const OPTIONS = withExtraOptions("build", BUILD);
const JOIN_OPTIONS = withExtraOptions("joinParts", JOIN);

export const buildCommand = takesOptions(takesExtras(takesThen(takesStore(START, "out"))), OPTIONS)
  .option("--watch", "build again whenever the published directory changes, until Ctrl-C")
  .option("--join", "publish all parts that were built with --part")
  .action(async (published: string | undefined, options: BuildFlags, command: Command) => {
    if ((published === undefined) !== (options.join === true)) {
      const missing = "missing required argument 'published'";
      command.error(`error: ${options.join ? "--join takes no published directory" : missing}`);
    }
    const signal = stopSignal();
    if (published === undefined) return await joinOnce(options, signal);
    if (options.watch !== true) return await buildOnce(published, options, signal);
    const { keepBuilding } = await import("./watch.js");
    await keepBuilding(published, options, signal, buildOnce);
  });

optionNamed(buildCommand, "dryRun").conflicts("purgeList");
optionNamed(buildCommand, "part")
  .conflicts(["join", "watch", "dryRun", "purgeList", "then"])
  .conflicts(["maxRemoved", "maxUnscored", "maxUnbanded"]);
optionNamed(buildCommand, "join").conflicts(["watch", "full", "strict", "jobs"]);

async function buildOnce(
  published: string,
  options: BuildFlags,
  signal: AbortSignal,
): Promise<void> {
  const { build } = await import("../src/publish/build.js");
  await finishBuild(published, options, signal, (run) =>
    build(published, { ...optionsIn(OPTIONS, options), ...run }),
  );
}

async function joinOnce(options: BuildFlags, signal: AbortSignal): Promise<void> {
  const { joinParts } = await import("../src/publish/join-shares.js");
  await finishBuild(options.store, options, signal, (run) =>
    joinParts({ ...optionsIn(JOIN_OPTIONS, options), ...run }),
  );
}

/** @param folder the folder that warnings name */
async function finishBuild(
  folder: string,
  options: BuildFlags,
  signal: AbortSignal,
  build: (run: Pick<BuildOptions, "signal" | "onProgress">) => Promise<BuildResult>,
): Promise<void> {
  const terminal = new Terminal(options);
  const began = performance.now();
  const result = await build({ signal, onProgress: terminal.progress() });
  terminal.findings(folder, result);
  if (result.uncheckedRemovals !== null) {
    const what = "could not check how many listings this build removed or left without a score";
    terminal.message(`warning: ${what}: ${result.uncheckedRemovals}`, "warning");
  }
  const seconds = Number(((performance.now() - began) / 1_000).toFixed(3));
  const { value, lines } = resultOf(result, seconds, options, await isSigned(options));
  await finishPublication(terminal, options, value, lines, signal);
}

/** The result as an object, and as lines for people. @param seconds how long the build took */
function resultOf(result: BuildResult, seconds: number, { part }: BuildFlags, wasSigned: boolean) {
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
    ...(part === undefined && !dryRun ? [generationSentence(generation, wasSigned)] : []),
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
