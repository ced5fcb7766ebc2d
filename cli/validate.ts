import { validate } from "../src/store/build.js";
import { command, showProblems } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

export const validateCommand = command(
  "validate",
  "Check a published directory as build does; nothing is written.",
  "crawldex validate ./published",
)
  .argument("<published>", "the published directory's folder")
  .action(async (published: string, options: OutputOptions) => {
    const terminal = new Terminal(options);
    const { listings, scans, warnings } = await validate(published, terminal.progress("checking"));
    showProblems(terminal, "warning", warnings);
    terminal.result({ ok: true, listings, scans, warnings }, [
      `${listings} listings and ${scans} scans, no errors`,
    ]);
  });
