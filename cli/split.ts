import { SPLIT, type SplitOptions } from "../src/publish/options.js";
import { CrawldexCommand, stopSignal } from "./command.js";
import { optionsIn, takesOptions } from "./options.js";
import { type OutputOptions, plural, Terminal } from "./terminal.js";

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

export const splitCommand = takesOptions(START, SPLIT)
  .argument("<published>", "the published directory's folder")
  .action(async (published: string, options: OutputOptions & SplitOptions) => {
    const terminal = new Terminal(options);
    const { splitPublished } = await import("../src/publish/split.js");
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
