import { NUMBERS } from "../src/options/defaults.js";
import { command, numberOf } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface Options extends OutputOptions {
  readonly listings: number;
  readonly seed: number;
}

export const sampleCommand = command(
  "sample",
  "Write a realistic published directory, the same for the same seed.",
  "crawldex sample ./published --listings 500",
)
  .argument("<folder>", "an empty folder, or one that is not there yet")
  .option("--listings <count>", "listings to write", numberOf("listings"), NUMBERS.listings.usual)
  .option("--seed <number>", "which of all samples", numberOf("seed"), NUMBERS.seed.usual)
  .action(async (folder: string, { listings, seed, ...output }: Options) => {
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
