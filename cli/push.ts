import type { Command } from "commander";
import { GRACE, GRACE_TIME, NUMBERS } from "../src/options/defaults.js";
import { PUSH_ADDRESS, unusedProxy } from "../src/remote/address.js";
import { CrawldexCommand, numberOption, ruledOption, stopSignal } from "./command.js";
import { signingKey, takesStore } from "./shared-options.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface PushFlags extends OutputOptions {
  readonly store: string;
  readonly keep: number;
  readonly grace: string;
  readonly allowUnconditional?: boolean;
}

export const pushCommand = takesStore(
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
)
  .argument("<url>", "the bucket, as s3://bucket/prefix")
  .option(
    "--keep <count>",
    "how many snapshots to keep in the bucket",
    numberOption("keep"),
    NUMBERS.keep.usual,
  )
  .option(
    "--grace <time>",
    "how long files stay that no kept snapshot needs, such as 90s, 10m or 1h; at least 60s",
    ruledOption(GRACE_TIME),
    GRACE,
  )
  .option(
    "--allow-unconditional",
    "use a store without conditional writes; only one push may run at a time",
  )
  .action(async (url: string, options: PushFlags, command: Command) => {
    requireUrl(command, url, PUSH_ADDRESS);
    const key = await signingKey(command);
    const { store, keep, grace, allowUnconditional, ...output } = options;
    const terminal = new Terminal(output);
    warnOfUnusedProxy(terminal, url);
    const { push } = await import("../src/remote/push.js");
    const onProgress = terminal.progress();
    const signal = stopSignal();
    const result = await push(url, {
      store,
      keep,
      grace,
      allowUnconditional,
      signal,
      onProgress,
      signingKey: key,
    });
    const { id, generation, files, uploaded, deleted, warnings } = result;
    for (const warning of warnings) terminal.message(`warning: ${warning}`, "warning");
    terminal.result({ ok: true, ...result }, [
      `${url} has snapshot ${id}, generation ${generation}`,
      `${uploaded} files uploaded, ${files - uploaded} were there, ${deleted} deleted`,
    ]);
  });

/** Warns if requests to an address pass by the proxy that the environment names. */
export function warnOfUnusedProxy(terminal: Terminal, address: string): void {
  const warning = unusedProxy(address);
  if (warning !== null) terminal.message(`warning: ${warning}`, "warning");
}

/** Refuses a wrong address without repeating it, because it may hold a password. */
export function requireUrl(command: Command, url: string, rule: typeof PUSH_ADDRESS): void {
  if (!rule.accepts(url)) command.error(`error: <url> must be ${rule.expected}`);
}
