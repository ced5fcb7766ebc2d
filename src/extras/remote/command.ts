import type { Command } from "commander";
import { CrawldexCommand, stopSignal } from "../../../cli/command.js";
import {
  optionsIn,
  requireUrl,
  takesExtras,
  takesOptions,
  takesStore,
} from "../../../cli/options.js";
import { type OutputOptions, Terminal } from "../../../cli/terminal.js";
import type { ExtraCommand } from "../../extra.js";
import { withExtraOptions } from "../../lib/options.js";
import { isAddress, type ServeOptions } from "../../server/options.js";
import { PULL_ADDRESS, PUSH_ADDRESS, unusedProxy } from "./address.js";
import { PULL, PUSH, type PullOptions, type PushOptions } from "./options.js";

const PUSH_START = takesStore(
  new CrawldexCommand(
    "push",
    "Copy the current snapshot to a bucket of an S3-compatible store, and make it the newest there.",
    {
      examples: [
        "crawldex push s3://bucket/prefix",
        "crawldex push s3://bucket/prefix --store snapshots --keep 5 --grace 2h",
      ],
      page: "push-and-pull.md",
      notes: `The credentials come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN,
the region from AWS_REGION or AWS_DEFAULT_REGION, the address of a store that is not AWS from
AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL. The first variable that is set counts.`,
    },
  ),
);

const PUSH_OPTIONS = withExtraOptions("push", PUSH);

const pushCommand = takesOptions(takesExtras(PUSH_START), PUSH_OPTIONS)
  .argument("<url>", "the bucket, as s3://bucket/prefix")
  .action(async (url: string, options: OutputOptions & PushOptions, command: Command) => {
    requireUrl(command, url, PUSH_ADDRESS);
    const terminal = new Terminal(options);
    warnOfUnusedProxy(terminal, url);
    const { push } = await import("./push.js");
    const result = await push(url, {
      ...optionsIn(PUSH_OPTIONS, options),
      signal: stopSignal(),
      onProgress: terminal.progress(),
    });
    const { id, generation, files, uploaded, deleted, warnings } = result;
    for (const warning of warnings) terminal.message(`warning: ${warning}`, "warning");
    terminal.result({ ok: true, ...result }, [
      `${url} has snapshot ${id}, generation ${generation}`,
      `${uploaded} files uploaded, ${files - uploaded} were there, ${deleted} deleted`,
    ]);
  });

const PULL_START = takesStore(
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

const PULL_OPTIONS = withExtraOptions("pull", PULL);

const pullCommand = takesOptions(takesExtras(PULL_START), PULL_OPTIONS)
  .argument("<url>", "s3://bucket/prefix, or an http or https address")
  .action(async (url: string, options: OutputOptions & PullOptions) => {
    requireUrl(pullCommand, url, PULL_ADDRESS);
    const terminal = new Terminal(options);
    warnOfUnusedProxy(terminal, url);
    const { pull } = await import("./pull.js");
    const result = await pull(url, {
      ...optionsIn(PULL_OPTIONS, options),
      signal: stopSignal(),
      onProgress: terminal.progress(),
    });
    const { id, generation, changed, files } = result;
    terminal.result({ ok: true, ...result }, [
      `${options.store} has snapshot ${id}, generation ${generation}${changed ? "" : ", as before"}`,
      `${files} files downloaded`,
    ]);
  });

export const commands: readonly ExtraCommand[] = [
  {
    command: pushCommand,
    after: "preview",
    results: async () => [(await import("./results.js")).Push],
  },
  {
    command: pullCommand,
    after: "push",
    results: async () => [(await import("./results.js")).Pull],
  },
];

export const changes: Readonly<Record<string, (command: Command) => void>> = {
  serve: (command) => command.hook("preAction", checkServe),
};

/** Ends `serve` with a usage error if its store and options do not go together, and warns of an unused proxy. */
function checkServe(command: Command): void {
  const { store, mirror, maxAge, ...output } = command.opts<
    OutputOptions & ServeOptions & { readonly store: string }
  >();
  if (isAddress(store)) requireUrl(command, store, PULL_ADDRESS);
  if (mirror && !isAddress(store)) {
    command.error("error: option '--mirror' needs the address of a store, such as s3://bucket");
  }
  if (maxAge !== undefined && !mirror) {
    command.error("error: option '--max-age <time>' needs option '--mirror'");
  }
  if (isAddress(store)) warnOfUnusedProxy(new Terminal(output), store);
}

/** Warns if requests to an address pass by the proxy that the environment names. */
function warnOfUnusedProxy(terminal: Terminal, address: string): void {
  const warning = unusedProxy(address);
  if (warning !== null) terminal.message(`warning: ${warning}`, "warning");
}
