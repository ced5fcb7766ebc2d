import { NUMBERS } from "../src/options/defaults.js";
import { PULL_ADDRESS } from "../src/remote/address.js";
import { CrawldexCommand, numberOption, stopSignal } from "./command.js";
import { requireUrl, warnOfUnusedProxy } from "./push.js";
import { type PublicKeyOptions, takesPublicKeys, takesStore } from "./shared-options.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface PullFlags extends OutputOptions, PublicKeyOptions {
  readonly store: string;
  readonly keep: number;
  readonly allowRedirects?: boolean;
}

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

export const pullCommand = takesPublicKeys(START)
  .argument("<url>", "s3://bucket/prefix, or an http or https address")
  .option(
    "--keep <count>",
    "how many snapshots to keep in the store",
    numberOption("keep"),
    NUMBERS.keep.usual,
  )
  .option("--allow-redirects", "let the web server redirect to other hosts")
  .action(async (url: string, { store, keep, allowRedirects, publicKey, ...output }: PullFlags) => {
    requireUrl(pullCommand, url, PULL_ADDRESS);
    const terminal = new Terminal(output);
    warnOfUnusedProxy(terminal, url);
    const { pull } = await import("../src/remote/pull.js");
    const onProgress = terminal.progress();
    const result = await pull(url, {
      store,
      keep,
      allowRedirects,
      signal: stopSignal(),
      onProgress,
      publicKeys: publicKey,
    });
    const { id, generation, changed, files } = result;
    terminal.result({ ok: true, ...result }, [
      `${store} has snapshot ${id}, generation ${generation}${changed ? "" : ", as before"}`,
      `${files} files downloaded`,
    ]);
  });
