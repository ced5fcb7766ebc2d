import { writeSample } from "../src/sample/sample.js";
import { command, wholeNumber } from "./command.js";
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
  .option("--listings <count>", "listings to write", wholeNumber(1, 10_000_000), 500)
  .option("--seed <number>", "which of all samples", wholeNumber(0, 2 ** 32 - 1), 1)
  .action(async (folder: string, { listings, seed, ...output }: Options) => {
    const terminal = new Terminal(output);
    const written = await writeSample(folder, {
      listings,
      seed,
      onProgress: terminal.progress("writing"),
    });
    terminal.result({ ok: true, folder, ...written }, [
      `${written.listings} listings and ${written.scans} scans written to ${folder}`,
    ]);
  });
