import { SAMPLE_OPTIONS, type SampleOptions } from "../src/sample/options.js";
import { CrawldexCommand } from "./command.js";
import { optionsIn, takesOptions } from "./options.js";
import { type OutputOptions, Terminal } from "./terminal.js";

const START = new CrawldexCommand(
  "sample",
  "Write a realistic published directory of 500 listings, always the same.",
  {
    examples: ["crawldex sample ./published", "crawldex sample ./published --listings 50"],
    page: "publishing.md",
  },
);

export const sampleCommand = takesOptions(START, SAMPLE_OPTIONS)
  .argument("<folder>", "an empty folder, or one that does not exist yet")
  .action(async (folder: string, options: OutputOptions & SampleOptions) => {
    const { writeSample } = await import("../src/sample/sample.js");
    const written = await writeSample(folder, optionsIn(SAMPLE_OPTIONS, options));
    new Terminal(options).result({ ok: true, folder, ...written }, [
      `${written.listings} listings and ${written.scans} scans written to ${folder}`,
    ]);
  });
