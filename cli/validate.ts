import { CrawldexCommand, numberOption } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";
import { plural } from "./texts.js";

interface ValidateFlags extends OutputOptions {
  readonly jobs?: number;
  readonly strict?: boolean;
}

export const validateCommand = new CrawldexCommand(
  "validate",
  "Check a published directory as build does, but write nothing.",
  {
    examples: ["crawldex validate ./published", "crawldex validate ./published --strict --json"],
    page: "validating.md",
  },
)
  .argument("<published>", "the published directory's folder")
  .option("--strict", "treat warnings as errors")
  .option("--jobs <count>", "worker threads (default: all cores)", numberOption("jobs"))
  .action(async (published: string, options: ValidateFlags) => {
    const terminal = new Terminal(options);
    const { validate } = await import("../src/build/build.js");
    const result = await validate(published, {
      jobs: options.jobs,
      strict: options.strict,
      onProgress: terminal.progress(),
    });
    const { listings, scans, warnings, warningCount } = result;
    terminal.findings(published, result);
    terminal.result({ ok: true, listings, scans, warningCount, warnings }, [
      `${plural(listings, "listing")} and ${plural(scans, "scan")}, no errors`,
    ]);
  });
