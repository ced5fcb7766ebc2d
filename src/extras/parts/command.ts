import type { Command } from "commander";
import { type BuildFlags, buildOnce, finishBuild, runBuild } from "../../../cli/build.js";
import { CrawldexCommand, stopSignal } from "../../../cli/command.js";
import { optionNamed, optionsIn, takesOptions } from "../../../cli/options.js";
import { type OutputOptions, plural, Terminal } from "../../../cli/terminal.js";
import type { ExtraCommand } from "../../extra.js";
import { withExtraOptions } from "../../lib/options.js";
import { PUBLISH } from "../../publish/options.js";
import { SPLIT, type SplitOptions } from "./options.js";

const START = new CrawldexCommand(
  "split",
  "Cut a large published directory into parts, which several machines build.",
  {
    examples: [
      "crawldex split ./published --parts 16",
      "crawldex split ./published --parts 4 --out /shared/parts",
    ],
    page: "scaling.md",
    notes:
      "Build each part with crawldex build parts/3-of-16 --part 3/16, then publish all with crawldex " +
      "build --join.",
  },
);

const splitCommand = takesOptions(START, SPLIT)
  .argument("<published>", "the published directory's folder")
  .action(async (published: string, options: OutputOptions & SplitOptions) => {
    const terminal = new Terminal(options);
    const { splitPublished } = await import("./split.js");
    const result = await splitPublished(published, {
      ...optionsIn(SPLIT, options),
      signal: stopSignal(),
      onProgress: terminal.progress(),
    });
    const { warningGroups: _, ...found } = result;
    terminal.findings(published, result);
    terminal.result({ ok: true, ...found }, [
      `${plural(result.listings, "listing")} and ${plural(result.scans, "scan")} split into ` +
        `${plural(result.parts, "part")} in ${result.out}`,
    ]);
  });

export const commands: readonly ExtraCommand[] = [
  {
    command: splitCommand,
    after: "sample",
    results: async () => (await import("./results.js")).results,
  },
];

interface PartFlags extends BuildFlags {
  readonly join?: boolean;
}

/** Lets `build` build one part, or publish all. */
function takesParts(build: Command): void {
  for (const argument of build.registeredArguments) {
    argument.argOptional().description += "; none with --join";
  }
  build
    .option("--join", "publish all parts that were built with --part")
    .action(async (published: string | undefined, options: PartFlags, command: Command) => {
      if ((published === undefined) !== (options.join === true)) {
        const missing = "missing required argument 'published'";
        command.error(`error: ${options.join ? "--join takes no published directory" : missing}`);
      }
      const signal = stopSignal();
      const { part } = options;
      if (published === undefined) return await joinOnce(options, signal);
      if (part === undefined) return await runBuild(published, options, signal);
      const done = `part ${part} is built; publish all parts with crawldex build --join`;
      await buildOnce(published, options, signal, done);
    });
  optionNamed(build, "part")
    .conflicts(["join", "watch", "dryRun", "purgeList", "then"])
    .conflicts(["maxRemoved", "maxUnscored", "maxUnbanded"]);
  optionNamed(build, "join").conflicts(["watch", "full", "strict", "accept", "jobs"]);
}

const JOIN_OPTIONS = withExtraOptions("joinParts", PUBLISH);

async function joinOnce(options: PartFlags, signal: AbortSignal): Promise<void> {
  const { joinParts } = await import("./join.js");
  await finishBuild(options.store, options, signal, (run) =>
    joinParts({ ...optionsIn(JOIN_OPTIONS, options), ...run }),
  );
}

/** What `build` does besides. */
export const changes = { build: takesParts };
