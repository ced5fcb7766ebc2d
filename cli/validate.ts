import { VALIDATE, type ValidateOptions } from "../src/publish/options.js";
import { CrawldexCommand } from "./command.js";
import { optionsIn, takesOptions } from "./options.js";
import { type OutputOptions, plural, Terminal } from "./terminal.js";

const START = new CrawldexCommand(
  "validate",
  "Check a published directory as build does, but write nothing.",
  {
    examples: ["crawldex validate ./published", "crawldex validate ./published --strict --json"],
    page: "validating.md",
  },
);

export const validateCommand = takesOptions(START, VALIDATE)
  .argument("<published>", "the published directory's folder")
  .action(async (published: string, options: OutputOptions & ValidateOptions) => {
    const terminal = new Terminal(options);
    const { validate } = await import("../src/publish/build.js");
    const result = await validate(published, {
      ...optionsIn(VALIDATE, options),
      onProgress: terminal.progress(),
    });
    const { warningGroups: _, ...found } = result;
    terminal.findings(published, result);
    terminal.result({ ok: true, ...found }, [
      `${plural(result.listings, "listing")} and ${plural(result.scans, "scan")}, no errors`,
    ]);
  });
