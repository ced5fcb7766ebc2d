import { NUMBERS } from "../src/options/defaults.js";
import { CrawldexCommand, numberOption } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface SampleFlags extends OutputOptions {
  readonly listings: number;
  readonly seed: number;
}

export const sampleCommand = new CrawldexCommand(
  "sample",
  "Write a realistic published directory. The same seed always gives the same directory.",
  {
    examples: [
      "crawldex sample ./published",
      "crawldex sample ./published --listings 20000 --seed 7",
    ],
    page: "publishing.md",
  },
)
  .argument("<folder>", "an empty folder, or one that does not exist yet")
  .option(
    "--listings <count>",
    "number of listings to write",
    numberOption("listings"),
    NUMBERS.listings.usual,
  )
  .option(
    "--seed <number>",
    "number that selects the sample",
    numberOption("seed"),
    NUMBERS.seed.usual,
  )
  .action(async (folder: string, { listings, seed, ...output }: SampleFlags) => {
    const terminal = new Terminal(output);
    const { writeSample } = await import("../src/sample/sample.js");
    const written = await writeSample(folder, {
      listings,
      seed,
      onProgress: terminal.progress(),
    });
    const lines = [`${written.listings} listings and ${written.scans} scans written to ${folder}`];
    terminal.result({ ok: true, folder, ...written }, lines, {
      title: `A sample is in ${folder}.`,
      rows: [
        { label: "listings", value: written.listings },
        { label: "scans", value: written.scans },
      ],
    });
  });
