import { NUMBERS } from "../src/options/defaults.js";
import { CrawldexCommand, numberOption } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface SampleFlags extends OutputOptions {
  readonly listings: number;
}

export const sampleCommand = new CrawldexCommand(
  "sample",
  "Write a realistic published directory of 500 listings, always the same.",
  {
    examples: ["crawldex sample ./published", "crawldex sample ./published --listings 50"],
    page: "publishing.md",
  },
)
  .argument("<folder>", "an empty folder, or one that does not exist yet")
  .option(
    "--listings <count>",
    "write only this many listings; for more than 500, run `npm run sample` in a clone of crawldex",
    numberOption("listings"),
    NUMBERS.listings.usual,
  )
  .action(async (folder: string, { listings, ...output }: SampleFlags) => {
    const { writeSample } = await import("../src/sample/sample.js");
    const written = await writeSample(folder, { listings });
    new Terminal(output).result({ ok: true, folder, ...written }, [
      `${written.listings} listings and ${written.scans} scans written to ${folder}`,
    ]);
  });
