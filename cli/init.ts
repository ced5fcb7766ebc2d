import { CrawldexCommand } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

export const initCommand = new CrawldexCommand(
  "init",
  "Write a minimal published directory to start from, and a README.md to explain it.",
  {
    examples: [
      "crawldex init ./published",
      "crawldex init ./published && crawldex build ./published",
    ],
    page: "publishing.md",
  },
)
  .argument("<folder>", "an empty folder, or one that does not exist yet")
  .action(async (folder: string, options: OutputOptions) => {
    const { initPublished } = await import("../src/sample/sample.js");
    const files = await initPublished(folder);
    new Terminal(options).result({ ok: true, folder, files }, [
      `${folder} is a published directory of two listings; ${folder}/README.md explains its files`,
      "try:",
      `  crawldex build ${folder}`,
      "  crawldex serve",
    ]);
  });
