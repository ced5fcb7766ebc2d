import { NUMBERS } from "../src/options/defaults.js";
import { CrawldexCommand, numberOption, stopSignal } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";
import { plural } from "./texts.js";

interface SplitFlags extends OutputOptions {
  readonly parts: number;
  readonly out: string;
}

export const splitCommand = new CrawldexCommand(
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
)
  .argument("<published>", "the published directory's folder")
  .option("--parts <count>", "how many parts", numberOption("parts"), NUMBERS.parts.usual)
  .option("-o, --out <folder>", "a new or empty folder for the parts", "parts")
  .action(async (published: string, { parts, out, ...output }: SplitFlags) => {
    const terminal = new Terminal(output);
    const { splitPublished } = await import("../src/build/split.js");
    const signal = stopSignal();
    const onProgress = terminal.progress();
    const result = await splitPublished(published, { parts, out, signal, onProgress });
    const { warningGroups: _, ...found } = result;
    terminal.findings(published, result);
    terminal.result({ ok: true, ...found }, [
      `${plural(result.listings, "listing")} and ${plural(result.scans, "scan")} split into ` +
        `${plural(parts, "part")} in ${out}`,
    ]);
  });
