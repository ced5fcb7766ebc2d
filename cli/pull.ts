import { withExtraOptions } from "../src/lib/options.js";
import { PULL_ADDRESS } from "../src/remote/address.js";
import { PULL, type PullOptions } from "../src/remote/options.js";
import { CrawldexCommand, stopSignal } from "./command.js";
import { optionsIn, requireUrl, takesExtras, takesOptions, takesStore } from "./options.js";
import { warnOfUnusedProxy } from "./push.js";
import { type OutputOptions, Terminal } from "./terminal.js";

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

const OPTIONS = withExtraOptions("pull", PULL);

export const pullCommand = takesOptions(takesExtras(START), OPTIONS)
  .argument("<url>", "s3://bucket/prefix, or an http or https address")
  .action(async (url: string, options: OutputOptions & PullOptions) => {
    requireUrl(pullCommand, url, PULL_ADDRESS);
    const terminal = new Terminal(options);
    warnOfUnusedProxy(terminal, url);
    const { pull } = await import("../src/remote/pull.js");
    const result = await pull(url, {
      ...optionsIn(OPTIONS, options),
      signal: stopSignal(),
      onProgress: terminal.progress(),
    });
    const { id, generation, changed, files } = result;
    terminal.result({ ok: true, ...result }, [
      `${options.store} has snapshot ${id}, generation ${generation}${changed ? "" : ", as before"}`,
      `${files} files downloaded`,
    ]);
  });
