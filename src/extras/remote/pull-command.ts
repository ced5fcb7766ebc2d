import { PULL_ADDRESS } from "./address.js";
import { PULL, type PullOptions } from "./options.js";
import { CrawldexCommand, stopSignal } from "../../../cli/command.js";
import { optionsIn, requireUrl, takesOptions, takesPublicKeys, takesStore } from "../../../cli/options.js";
import { warnOfUnusedProxy } from "./command.js";
import { type OutputOptions, Terminal } from "../../../cli/terminal.js";

const START = takesStore(
  new CrawldexCommand(
    "pull",
    "Copy the newest snapshot of a bucket or of any web server into a store, and make it current.",
    {
      examples: [
        "crawldex pull s3://bucket/prefix",
        "crawldex pull https://snapshots.example.com/directory --store snapshots",
      ],
      page: "push-and-pull.md",
      notes: `A bucket's credentials come from the environment, as for crawldex push. A web server needs none.`,
    },
  ),
);

export const pullCommand = takesOptions(takesPublicKeys(START), PULL)
  .argument("<url>", "s3://bucket/prefix, or an http or https address")
  .action(async (url: string, options: OutputOptions & PullOptions) => {
    requireUrl(pullCommand, url, PULL_ADDRESS);
    const terminal = new Terminal(options);
    warnOfUnusedProxy(terminal, url);
    const { pull } = await import("./pull.js");
    const result = await pull(url, {
      ...optionsIn(PULL, options),
      signal: stopSignal(),
      onProgress: terminal.progress(),
    });
    const { id, generation, changed, files } = result;
    terminal.result({ ok: true, ...result }, [
      `${options.store} has snapshot ${id}, generation ${generation}${changed ? "" : ", as before"}`,
      `${files} files downloaded`,
    ]);
  });
