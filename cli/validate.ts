import { availableParallelism } from "node:os";
import { command, wholeNumber } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface Options extends OutputOptions {
  readonly jobs?: number;
}

export const validateCommand = command(
  "validate",
  "Check a published directory as build does; nothing is written.",
  "crawldex validate ./published",
)
  .argument("<published>", "the published directory's folder")
  .option("--jobs <count>", "worker threads (default: all cores)", wholeNumber(1, 256))
  .action(async (published: string, options: Options) => {
    const terminal = new Terminal(options);
    const { validate } = await import("../src/store/build.js");
    const { listings, scans, warnings } = await validate(published, {
      jobs: options.jobs ?? availableParallelism(),
      onProgress: terminal.progress(),
    });
    await terminal.problems("warning", published, warnings);
    const lines = [`${listings} listings and ${scans} scans, no errors`];
    terminal.result({ ok: true, listings, scans, warnings }, lines, {
      title: "No errors.",
      rows: [
        { label: "listings", value: listings },
        { label: "scans", value: scans },
        { label: "warnings", value: warnings.length },
      ],
    });
  });
