import { withExtraOptions } from "../src/lib/options.js";
import { durationOf, sizeText } from "../src/pages/kit/words.js";
import type { BuildResult } from "../src/publish/build.js";
import { BUILD, type BuildOptions } from "../src/publish/options.js";
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

export interface BuildFlags extends PublicationOptions, BuildOptions {
  readonly store: string;
  readonly watch?: boolean;
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
).argument("<published>", "the published directory's folder");

const OPTIONS = withExtraOptions("build", BUILD);

export const buildCommand = takesOptions(takesExtras(takesThen(takesStore(START, "out"))), OPTIONS)
  .option("--watch", "build again whenever the published directory changes, until Ctrl-C")
  .action(async (published: string, options: BuildFlags) => {
    await runBuild(published, options, stopSignal());
  });

optionNamed(buildCommand, "dryRun").conflicts("purgeList");

/** Builds once, or after each change. */
export async function runBuild(
  published: string,
  options: BuildFlags,
  signal: AbortSignal,
): Promise<void> {
  if (options.watch !== true) return await buildOnce(published, options, signal);
  const { keepBuilding } = await import("./watch.js");
  await keepBuilding(published, options, signal, buildOnce);
}

/** @param done the first line of the output. Default: the sentence that says which snapshot is current */
export async function buildOnce(
  published: string,
  options: BuildFlags,
  signal: AbortSignal,
  done?: string,
): Promise<void> {
  const { build } = await import("../src/publish/build.js");
  const run: BuildRun = (more) => build(published, { ...optionsIn(OPTIONS, options), ...more });
  await finishBuild(published, options, signal, run, done);
}

type BuildRun = (run: Pick<BuildOptions, "signal" | "onProgress">) => Promise<BuildResult>;

/**
 * Builds and prints the result.
 * @param folder the folder that warnings name
 * @param done as for `buildOnce`
 */
export async function finishBuild(
  folder: string,
  options: BuildFlags,
  signal: AbortSignal,
  build: BuildRun,
  done?: string,
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
  const { value, lines } = resultOf(result, seconds, await isSigned(options), done);
  await finishPublication(terminal, options, value, lines, signal);
}

/** The result as an object, and as lines for people. @param seconds how long the build took */
function resultOf(
  result: BuildResult,
  seconds: number,
  wasSigned: boolean,
  done: string | undefined,
) {
  const { id, dryRun, changed, generation, counts, notInSearch, segments, kept } = result;
  const { changes, bytesWritten, uncheckedRemovals } = result;
  const { warningCount, warnings, acceptedCount, acceptedCodes } = result;
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
    acceptedCount,
    acceptedCodes,
    uncheckedRemovals,
  };
  const lines = [
    done ?? publishedSentence(result),
    `${changes === null ? "changes are unknown" : changesSentence(changes)}; ` +
      `${sizeText(bytesWritten)} ${dryRun ? "would be written; it took" : "written in"} ` +
      `${durationOf(seconds * 1_000)}`,
    ...(done === undefined && !dryRun ? [generationSentence(generation, wasSigned)] : []),
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
